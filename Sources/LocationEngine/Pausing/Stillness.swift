import LocationModel

/// Since when the device rests, as far as its fixes show.
struct Stillness {
  private var plane: LocalPlane?
  /// Since when all fixes have been at one place; nil before the first.
  private(set) var since: Instant?
  private(set) var seenAt: Instant?

  /// Fixes that may be far off say nothing about rest, and where nobody looked for long the device may have been away.
  mutating func observe(_ fix: Fix, at now: Instant, policy: Policy) {
    let accuracy = fix.horizontalAccuracyMeters ?? policy.unknownAccuracyMeters
    guard accuracy <= policy.stillAccuracyMetersMax else { return }
    defer { seenAt = now }
    if isStill(fix, accuracyMeters: accuracy, at: now, policy: policy) { return }
    plane = LocalPlane(origin: fix.coordinate)
    since = now
  }

  private func isStill(_ fix: Fix, accuracyMeters accuracy: Double, at now: Instant, policy: Policy) -> Bool {
    if let plane, let seenAt, now.seconds(since: seenAt) <= policy.lookIntervalSecondsMax {
      let (east, north) = plane.meters(to: fix.coordinate)
      let radius = max(policy.stillMeters, accuracy)
      return east * east + north * north <= radius * radius
    }
    return false
  }

  /// A motion sensor has said all the while that the device does not move.
  mutating func observeRest(at fix: Fix, _ now: Instant, policy: Policy) {
    seenAt = seenAt.map { _ in now }
    observe(fix, at: now, policy: policy)
  }
}

/// Updates that stopped because the device rests.
struct Pause {
  var since: Instant
  /// Looks for a movement that ends the pause; nil where the app has to (behaviour 2.43).
  var schedule: LookSchedule?
}

extension Policy {
  /// How long a device rests before its updates pause; nil for those that never do (behaviour 2.41, algorithms 7).
  func pauseSeconds(for activity: ActivityType) -> Double? {
    switch activity {
    case .other, .fitness, .otherNavigation: fields.pauseSeconds
    case .automotiveNavigation: fields.pauseAutomotiveSeconds
    case .airborne: nil
    }
  }
}
