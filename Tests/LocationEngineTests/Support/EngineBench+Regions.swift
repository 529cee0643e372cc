import LocationEngine
import LocationModel

extension Region {
  /// A circle around the bench's origin, or so many metres east of it.
  static func circle(
    _ identifier: String = "home", radius: Double = 150, east: Double = 0, entry: Bool = true, exit: Bool = true,
    margin: Double? = nil
  ) -> Region {
    Region(
      identifier: identifier, shape: .circle(center: Fix.east(east, at: 0).coordinate, radiusMeters: radius),
      notifiesOnEntry: entry, notifiesOnExit: exit, marginMeters: margin)
  }

  static func beacons(_ identifier: String, number: UInt64 = 1) -> Region {
    Region(identifier: identifier, shape: .beacons(BeaconConstraint(uuidHigh: number, uuidLow: 0)))
  }
}

extension EngineBench {
  /// What is said to managers, without what goes to the store and the receivers.
  private static func isSaid(_ effect: String) -> Bool {
    !effect.hasPrefix("store") && !effect.hasPrefix("receivers")
  }

  /// Starts monitoring; what is said.
  @discardableResult
  mutating func monitor(_ region: Region = .circle(), at seconds: Double = 0, by number: UInt64 = 1) -> [String] {
    request(.startMonitoring(region), at: seconds, by: number).filter(Self.isSaid)
  }

  /// A fix a second, from the second after `start` to `end`, at the same place; what is said, with its second.
  @discardableResult
  mutating func stay(
    from start: Double, to end: Double, east: Double, accuracy: Double? = 4
  ) -> [String] {
    var said: [String] = []
    var second = start + 1
    while second <= end {
      said += fix(at: second, east: east, accuracy: accuracy).filter(Self.isSaid).map { "\(Int(second)) \($0)" }
      second += 1
    }
    return said
  }

  func said(_ effects: [String]) -> [String] { effects.filter(Self.isSaid) }

  /// What the app's clients see in their snapshot.
  var monitored: [Region] { engine.snapshot(for: Self.client)?.monitoredRegions ?? [] }
}
