import LocationModel

/// How soon a device can be somewhere: the set of places that it can reach grows with its speed, and its speed by so
/// much a second, up to the fastest device there is (algorithms 1.4: bounding by the reachable set).
package enum Reach {
  /// Seconds until `meters` can have been covered, beginning at `speed`.
  package static func seconds(
    toCover meters: Double, speedMetersPerSecond speed: Double, accelerationMetersPerSquareSecond acceleration: Double,
    speedMetersPerSecondMax: Double
  ) -> Double {
    guard meters > 0 else { return 0 }
    // A device that is faster than any is taken for one that may become faster still.
    let fastest = speed > speedMetersPerSecondMax ? speed * 1.25 : speedMetersPerSecondMax
    let gathering = (fastest - speed) / acceleration
    let gathered = (speed + fastest) / 2 * gathering
    if meters >= gathered { return gathering + (meters - gathered) / fastest }
    return ((speed * speed + 2 * acceleration * meters).squareRoot() - speed) / acceleration
  }
}

/// What an app's circles need of the receivers after a fix.
struct RegionNeed {
  private var nearestMeters: Double?
  private var hasNew = false
  private var isConfirming = false

  /// One circle's: nil of the edge is that of one which no fix has met yet.
  mutating func add(edgeMeters: Double?, isConfirming: Bool) {
    if isConfirming { self.isConfirming = true }
    guard let edgeMeters else {
      hasNew = true
      return
    }
    nearestMeters = min(edgeMeters, nearestMeters ?? edgeMeters)
  }

  /// - Parameters:
  ///   - fix: the newest; the one that the circles have considered.
  ///   - rest: what a motion sensor says since.
  func receiverNeed(
    for service: ReceiverService, after fix: WatchedFix?, rest: Rest, policy: Policy
  ) -> ReceiverNeed {
    if isConfirming { return ReceiverNeed(service, Self.satellite) }
    guard !hasNew, let fix, let nearestMeters else { return ReceiverNeed(service, Self.wireless) }
    let error = fix.accuracyMeters * policy.regionErrorsPerAccuracy
    let sure = nearestMeters - error
    let accuracy =
      sure <= policy.regionSatelliteMetersMax
      ? Self.satellite : sure <= policy.regionWirelessMetersMax ? Self.wireless : Self.cell
    // The cushion is not waited for, so that there is time to confirm.
    let free = sure - policy.regionCushionMetersMin
    if rest.holds(fix.instant, policy: policy) {
      // No movement will tell on which side it rests, and where nobody can tell, nothing will.
      let settles = rest.changedAt.advanced(bySeconds: policy.regionRestLookSeconds)
      return ReceiverNeed(service, accuracy, free <= 0 && fix.instant < settles ? .now : .onMovement)
    }
    if free <= 0, fix.accuracyMeters > policy.regionVagueAccuracyMeters { return ReceiverNeed(service, accuracy) }
    let start = rest.placeHeldUntil.flatMap { $0 > fix.instant ? $0 : nil }
    let sleep =
      policy.regionSlackSeconds
      + Reach.seconds(
        toCover: free,
        speedMetersPerSecond: start == nil ? fix.speedMetersPerSecondMax ?? policy.speedMetersPerSecondMax : 0,
        accelerationMetersPerSquareSecond: policy.regionAccelerationMetersPerSquareSecondMax,
        speedMetersPerSecondMax: policy.speedMetersPerSecondMax)
    guard sleep >= policy.regionSleepSecondsMin else { return ReceiverNeed(service, accuracy) }
    return ReceiverNeed(service, accuracy, .at((start ?? fix.instant).advanced(bySeconds: sleep)))
  }

  /// What each receiver gives at its best (algorithms 1.3).
  private static let satellite = DesiredAccuracy.meters(10)
  private static let wireless = DesiredAccuracy.meters(100)
  private static let cell = DesiredAccuracy.meters(3_000)
}
