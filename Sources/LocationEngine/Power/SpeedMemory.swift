import LocationModel

/// How fast the device got on in the last minutes, on average: somebody who walks is not likely to drive in the next.
struct SpeedMemory {
  /// Where the device was at a moment, and how far off that may be.
  private struct Place {
    var coordinate: Coordinate
    var errorMeters: Double
    var at: Instant
  }

  /// A way between two places is as fast as its length only where that is more than their errors.
  private static let secondsMin = 10.0

  private var mean = 0.0
  private var at: Instant?
  private var last: Place?

  /// The longer nothing was seen, the more a new speed counts.
  mutating func observe(_ fix: Fix, at now: Instant, policy: Policy) {
    guard let speed = speed(of: fix, at: now, policy: policy), speed.isFinite, speed >= 0 else { return }
    let share = at.map { last in
      let seconds = max(1, now.seconds(since: last))
      return seconds / (seconds + policy.plannedSpeedMemorySeconds)
    }
    mean += (share ?? 1) * (speed - mean)
    at = now
  }

  /// Its own, as far as the way since the place before agrees: who stops at a light now has been driving for minutes.
  private mutating func speed(of fix: Fix, at now: Instant, policy: Policy) -> Double? {
    let place = Place(
      coordinate: fix.coordinate, errorMeters: fix.horizontalAccuracyMeters ?? policy.unknownAccuracyMeters, at: now)
    guard let last else {
      self.last = place
      return fix.speedMetersPerSecond
    }
    let seconds = now.seconds(since: last.at)
    guard seconds >= Self.secondsMin else {
      if fix.speedMetersPerSecond != nil { self.last = place }
      return fix.speedMetersPerSecond
    }
    self.last = place
    let meters = Geodesic.distanceMeters(from: last.coordinate, to: fix.coordinate)
    guard let speed = fix.speedMetersPerSecond else { return meters / seconds }
    let errorMeters = last.errorMeters + place.errorMeters
    return min(max(speed, (meters - errorMeters) / seconds), (meters + errorMeters) / seconds)
  }

  /// Nil before the first.
  var metersPerSecond: Double? { at == nil ? nil : mean }

  /// After a rest the device may go on by other means, from where it rested; nil is not known.
  mutating func forget(restingAt fix: Fix?, until now: Instant, policy: Policy) {
    at = nil
    last = fix.map { fix in
      Place(
        coordinate: fix.coordinate, errorMeters: fix.horizontalAccuracyMeters ?? policy.unknownAccuracyMeters, at: now)
    }
  }
}
