import LocationModel

/// Visits of one app: all its managers hear of them (behaviour 8.1).
struct VisitMonitoring {
  var detector = StayDetector()
  var schedule: LookSchedule
  /// When a rest of the device was last taken for what it is.
  var restConsideredAt: Instant?
  /// What could not be told yet, the oldest first: the app is suspended, or has no manager.
  var held: [Visit] = []
  /// The stay under way as it is to outlive the service.
  private(set) var noted: Visit?
  /// The newest visit that only a confirmed Always may see (behaviour 1.14).
  var awaitingAlways: (visit: Visit, at: Instant)?

  init(at now: Instant, policy: Policy) {
    schedule = LookSchedule(from: now, policy: policy)
  }

  /// A rest was too short to be looked at; where no sensor tells of the next one, looks have to find it.
  mutating func movedOn(_ motion: DeviceMotion, at now: Instant) {
    if motion == .unknown {
      schedule.look(from: now)
    } else if detector.stay == nil {
      schedule.sleepForGood()
    }
  }

  /// The next look: where a stay may be ending when that can be told, soon while moving, since an arrival has to be
  /// noticed in time, rarely during a stay. A sensor that tells of rests makes looks on the way needless.
  mutating func looked(at fix: Fix, _ now: Instant, motion: DeviceMotion, policy: Policy) {
    if let seconds = detector.secondsUntilDecision(after: fix.time, policy: policy) {
      return schedule.look(from: now.advanced(bySeconds: seconds))
    }
    guard schedule.isAwake(at: now) else { return }
    if motion == .moving, detector.stay == nil { return schedule.sleepForGood() }
    let isStaying = detector.stay != nil
    let pause = isStaying && motion != .moving ? policy.lookIntervalSecondsMax : policy.visitLookIntervalSeconds
    schedule.look(from: now.advanced(bySeconds: pause))
  }
}

/// A stay goes on where the service is started again.
extension VisitMonitoring {
  /// Goes on with a stay that a run of the service before this one has noted.
  mutating func resume(_ stay: Visit) {
    detector.resume(stay)
    noted = stay
  }

  /// That the device is still there is noted from time to time only, since each note is written to a disk.
  mutating func noteStay(_ policy: Policy) {
    let visit = detector.stay.map { $0.visit(departure: $0.lastInside, policy: policy) }
    if let seen = visit?.departure, let visit, let noted, let before = noted.departure, visit.arrival == noted.arrival,
      seen.seconds(since: before) < policy.lookIntervalSecondsMax
    {
      return
    }
    noted = visit
  }
}
