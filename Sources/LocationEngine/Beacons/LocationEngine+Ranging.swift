import LocationModel

/// Ranging: for each constraint of each manager the beacons that are heard, once a second, while the app runs and may
/// know (behaviour 6.5, 6.11, 6.14).
extension LocationEngine {
  /// A repeated start asks again what stands in the way, and changes nothing else.
  mutating func startRanging(
    _ constraint: BeaconConstraint, app index: Int, session position: Int, effects: inout [Effect]
  ) {
    beaconScan.isStale = true
    if !capabilities.rangesBeacons { noteUnavailable("beacon ranging", app: index, effects: &effects) }
    let ranging = apps[index].sessions[position].ranging
    if let known = ranging.firstIndex(where: { $0.constraint == constraint }) {
      apps[index].sessions[position].ranging[known].toldObstacle = nil
      return
    }
    guard ranging.count < policy.rangedConstraintsMax else {
      let manager = apps[index].sessions[position].identifier
      effects.append(.deliver(.rangingFailed(constraint, .rangingFailure), to: manager))
      return
    }
    apps[index].sessions[position].ranging.append(RangedBeacons(constraint))
  }

  mutating func stopRanging(_ constraint: BeaconConstraint, app index: Int, session position: Int) {
    apps[index].sessions[position].ranging.removeAll { $0.constraint == constraint }
    beaconScan.isStale = true
  }

  func isRanged(_ beacon: BeaconIdentity) -> Bool {
    apps.contains { app in
      app.sessions.contains { session in
        session.ranging.contains { $0.nextReport != nil && $0.constraint.matches(beacon) }
      }
    }
  }

  // MARK: Who is served

  /// Begins, ends, and says why not; what is ranged now, each constraint once.
  mutating func refreshRanging(effects: inout [Effect]) -> [BeaconConstraint] {
    var served: [BeaconConstraint] = []
    for index in apps.indices where apps[index].sessions.contains(where: { !$0.ranging.isEmpty }) {
      let obstacle = rangingObstacle(app: index)
      let isServed = mayRange(app: index)
      for position in apps[index].sessions.indices {
        for number in apps[index].sessions[position].ranging.indices {
          var ranging = apps[index].sessions[position].ranging[number]
          if let obstacle, obstacle != ranging.toldObstacle, runs(app: index) {
            let manager = apps[index].sessions[position].identifier
            effects.append(.deliver(.rangingFailed(ranging.constraint, obstacle), to: manager))
          }
          if runs(app: index) { ranging.toldObstacle = obstacle }
          let isReported = isServed && beaconsAreAudible
          let first = now.advanced(bySeconds: policy.beaconRangingSeconds)
          ranging.nextReport = isReported ? ranging.nextReport ?? first : nil
          apps[index].sessions[position].ranging[number] = ranging
          // A radio that is away may come back: it is told what for.
          if isServed, !served.contains(ranging.constraint) { served.append(ranging.constraint) }
        }
      }
    }
    return served
  }

  func mayRange(app index: Int) -> Bool {
    runs(app: index) && isPermitted(app: index) && apps[index].told.accuracy == .full
  }

  /// Nil where nothing stands in the way, or nobody has decided yet.
  private func rangingObstacle(app index: Int) -> LocationError? {
    let status = apps[index].told.status
    if status == .denied || status == .restricted { return .denied }
    guard status.isAuthorized else { return nil }
    if apps[index].told.accuracy == .reduced { return .rangingUnavailable }
    if isInAirplaneMode { return .rangingUnavailable }
    switch beaconScan.radio {
    case .on, .starting: return nil
    case .failing: return .rangingFailure
    case .absent, .off: return .rangingUnavailable
    }
  }

  // MARK: Reports

  mutating func passRangingDeadlines(app index: Int, until end: Instant, effects: inout [Effect]) {
    guard runs(app: index) else { return }
    for position in apps[index].sessions.indices {
      for number in apps[index].sessions[position].ranging.indices {
        let ranging = apps[index].sessions[position].ranging[number]
        guard let due = ranging.nextReport, due <= end else { continue }
        let found = beaconScan.ranged.sightings(of: ranging.constraint, at: now, policy: policy)
        let manager = apps[index].sessions[position].identifier
        effects.append(.deliver(.beaconsRanged(found, ranging.constraint), to: manager))
        // On the beat, and what was missed is not made up for.
        let next = due.advanced(bySeconds: policy.beaconRangingSeconds)
        apps[index].sessions[position].ranging[number].nextReport =
          next > now ? next : now.advanced(bySeconds: policy.beaconRangingSeconds)
      }
    }
  }

  func considerRangingDeadlines(app index: Int, _ consider: (Instant?) -> Void) {
    guard runs(app: index) else { return }
    // Where they stand: a session is long, and this is done for every fix.
    apps[index].sessions.withUnsafeBufferPointer { sessions in
      for position in sessions.indices where !sessions[position].ranging.isEmpty {
        for ranging in sessions[position].ranging { consider(ranging.nextReport) }
      }
    }
  }
}
