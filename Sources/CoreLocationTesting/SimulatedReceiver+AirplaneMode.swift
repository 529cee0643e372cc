import LocationModel

// In airplane mode radios are off: Wi-Fi and the modem, which send. Satellites are only listened to (behaviour 3.12).

extension ReceiverTechnologies {
  private static let radios: ReceiverTechnologies = [.wireless, .cell]

  /// The sorts that these are of.
  var kinds: ReceiverKinds {
    var kinds: ReceiverKinds = []
    if contains(.satellite) { kinds.insert(.wired) }
    if !isDisjoint(with: Self.radios) { kinds.insert(.radio) }
    return kinds
  }

  fileprivate mutating func keep(_ kinds: ReceiverKinds) {
    if !kinds.contains(.wired) { remove(.satellite) }
    if !kinds.contains(.radio) { subtract(Self.radios) }
  }
}

extension ReceiverDemand {
  /// Without what may not be on: a radio that is off finds nothing and costs nothing, whatever is asked of it.
  var allowed: ReceiverDemand {
    var demand = self
    demand.technologies.keep(kinds)
    return demand
  }

  /// Whether airplane mode has places stop coming now, as far as the receiver can know: it has taken away what found
  /// them, or satellites are looked for in its course where none are heard.
  func losesPlaces(after previous: ReceiverDemand?, reception: SimulatedReception) -> Bool {
    guard !kinds.contains(.radio), previous?.technologies != .satellite else { return false }
    return reception == .none || previous?.kinds.contains(.radio) == true
  }
}
