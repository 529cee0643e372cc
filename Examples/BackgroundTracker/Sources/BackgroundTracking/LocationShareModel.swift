import CoreLocation

/// What the tracker has found, for everybody in the app who shows or sends it.
@MainActor
public final class LocationShareModel {
  /// In the order in which they came.
  public private(set) var locations: [CLLocation] = []
  /// Called with each location.
  public var added: ((CLLocation) -> Void)?

  public init() {}

  /// Locations that are older than the newest one are not kept: services hand out what they remember first.
  public func add(_ new: [CLLocation]) {
    for location in new where locations.last.map({ location.timestamp > $0.timestamp }) ?? true {
      locations.append(location)
      added?(location)
    }
  }

  /// The longest time without a location between two moments, both of which count as edges.
  public func longestGapSeconds(from start: Date, to end: Date) -> TimeInterval {
    var longest: TimeInterval = 0
    var last = start
    for time in locations.map(\.timestamp).filter({ $0 > start && $0 < end }) + [end] {
      longest = max(longest, time.timeIntervalSince(last))
      last = time
    }
    return longest
  }
}
