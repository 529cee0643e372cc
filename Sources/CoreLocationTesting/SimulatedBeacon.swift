import CoreLocation
import LocationModel

/// A beacon that a test has placed near the device's way; `addBeacon` makes one.
///
/// What the app hears of it follows from where the device is: its signal is 20 dB weaker for ten times the distance, as
/// in the open, and it is not heard where less than -95 dBm arrive, which is beyond 63 m where it sends -59 dBm.
public final class SimulatedBeacon: Sendable {
  public let uuid: UUID
  public let major: CLBeaconMajorValue
  public let minor: CLBeaconMinorValue
  private let number: Int
  private let receiver: SimulatedBeaconReceiver
  private let note: @Sendable (String) -> Void

  init(
    uuid: UUID, major: CLBeaconMajorValue, minor: CLBeaconMinorValue, number: Int, receiver: SimulatedBeaconReceiver,
    note: @escaping @Sendable (String) -> Void
  ) {
    self.uuid = uuid
    self.major = major
    self.minor = minor
    self.number = number
    self.receiver = receiver
    self.note = note
    tell("sends")
  }

  private func tell(_ what: String) { note("the beacon \(major)/\(minor) \(what)") }

  /// Whether it sends. One that begins again sends its first packet as soon as time moves on.
  public var isSending: Bool {
    get { receiver.sender(number)?.since != nil }
    set {
      guard place != nil, newValue != isSending else { return }
      tell(newValue ? "sends" : "is silent")
      receiver.set(number, isSending: newValue)
    }
  }

  /// Where it stands; nil once it is removed.
  public var place: CLLocationCoordinate2D? { receiver.sender(number).map { CLLocationCoordinate2D($0.place) } }

  /// Somebody carries it elsewhere; it is there at once.
  public func move(to place: CLLocationCoordinate2D) {
    let place = TestMistake.refuseOffEarth(place, "the place of a beacon")
    guard self.place != nil else { return }
    tell("is elsewhere, at \(place.words)")
    receiver.move(number, to: place)
  }

  /// It is taken away for good.
  public func remove() {
    guard place != nil else { return }
    tell("is taken away")
    receiver.remove(number)
  }
}

/// The radio that beacons are heard with.
public enum SimulatedBluetooth: Sendable, Hashable {
  /// There is none: `isRangingAvailable()` is false, and regions of beacons fail (behaviour 5.22).
  case absent
  /// Switched off: available, but ranging fails with `rangingUnavailable`, and of regions nothing is told.
  case off
  /// On, and not for the location service, as where the system's policy keeps it from the adapter: ranging fails with
  /// `rangingFailure`, and of regions nothing is told.
  case unauthorized
  case on

  var radio: BeaconRadio {
    switch self {
    case .absent: .absent
    case .off: .off
    case .unauthorized: .failing
    case .on: .on
    }
  }
}
