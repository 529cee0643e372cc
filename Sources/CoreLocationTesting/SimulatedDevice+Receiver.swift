import CoreLocation
import LocationModel

/// Where the device is, and how well its receiver finds it.
extension SimulatedDevice {
  /// Where the device is; nil before it has been told.
  public var place: CLLocationCoordinate2D? {
    receiver.place.map { CLLocationCoordinate2D($0) }
  }

  /// The device lies here from now on. It is there at once, as if it had been switched off on the way.
  public func put(at place: CLLocationCoordinate2D) {
    _ = TestMistake.refuseOffEarth(place, "the place of a device")
    begin(Journey(from: place))
  }

  /// The device sets out on a journey; `advance` goes along, `play` does both.
  public func setOut(on journey: Journey) {
    begin(journey)
  }

  func begin(_ journey: Journey) {
    noteBeginning(of: journey)
    receiver.begin(journey)
    beaconReceiver.deviceHasMoved()
    compass.deviceHasMoved(hasHeadings: journey.hasHeadings)
  }

  private func noteBeginning(of journey: Journey) {
    if journey.isRest {
      note("the device lies at \(Coordinate(journey.end).words)")
    } else {
      note("the device sets out, for \(journey.seconds.inWholes) s, to \(Coordinate(journey.end).words)")
    }
    if journey.hasHeadings { note("the device points where its journey says") }
    for notice in journey.notices { note("the recording is faulty: \(notice)") }
  }

  /// How well the receiver hears its satellites. It holds for drawn journeys and for recorded ones, whose fixes become
  /// as bad where they were better.
  public var reception: SimulatedReception {
    get { receiver.reception }
    set {
      if case .within(let meters) = newValue {
        TestMistake.refuse(
          unless: meters > 0 && meters.isFinite, "reception is within so many metres, above 0, not \(meters)")
      }
      note("reception is \(newValue)")
      receiver.set(reception: newValue)
      settle()
    }
  }

  /// The receiver has to search before its next fix, as after a long time without one. One that is on loses its
  /// satellites now; one that is off searches when it is switched on, for as long as its profile says.
  ///
  ///     device.restartReceiver(.cold)
  ///     let app = device.launch { _ in TripModel() }
  ///     try device.advance(within: .seconds(30), until: "it has a place") { app.place != nil }
  ///
  /// Without it the first start of all is taken to be over when the test begins, and each later one is as warm as the
  /// time since the last fix makes it.
  public func restartReceiver(_ start: SimulatedStart = .cold) {
    let seconds = receiver.restart(start)
    note("the receiver starts \(start): before its next fix it searches for \(seconds.inWholes) s")
  }

  /// Fixes come so much later than they were measured.
  public func delayFixes(by duration: Duration) {
    let seconds = TestMistake.refuseNegative(duration, "fixes are late by")
    note(seconds > 0 ? "fixes come \(seconds) s late" : "fixes come at once")
    receiver.set(delaySeconds: seconds)
  }

  /// Each fix comes twice, as some receivers have it.
  public func repeatFixes(_ repeats: Bool = true) {
    note(repeats ? "fixes come twice" : "fixes come once")
    receiver.set(repeatsFixes: repeats)
  }

  /// The next fix is of another place: a jump, as a reflection makes it.
  public func misplaceNextFix(to place: CLLocationCoordinate2D) {
    let place = TestMistake.refuseOffEarth(place, "the place of a misplaced fix")
    note("the next fix will be of \(place.words)")
    receiver.misplaceNext(to: place)
  }

  /// Whether a receiver is switched on for anybody.
  public var isReceiverOn: Bool { receiver.demand != nil }

  /// For how long receivers were on.
  public var receiverTime: Duration { .nanoseconds(nanosecondsClamped(fromSeconds: receiver.onSeconds)) }

  /// What the receivers, Bluetooth and the waking for fixes have cost so far, by the model of docs/energy.md.
  public var energyJoules: Double { receiver.joules.total }

  /// Which receivers run, for whom, and why the others sleep: a line for each change.
  func explainReceivers(in events: DeviceLog) {
    receiver.onDemand { [weak host] demand in
      guard let host else { return }
      let reasons = host.host.read(\.receiverDecisions).map { decision in
        "\(decision.serviceWords) (\(decision.accuracyWords)) \(decision.lookWords(at: host.clock.now))"
      }
      let words = demand.map { "on: \($0.technologies.words)" } ?? "off"
      events.add("receivers \(words); \(reasons.joined(separator: ", "))", at: host.clock.wallTime)
    }
    beaconReceiver.onScan { [weak host] isOn in
      guard let host else { return }
      let reasons = host.host.read(\.beaconDecisions).map { "\($0.serviceWords) \($0.lookWords(at: host.clock.now))" }
      let why = reasons.isEmpty ? "" : "; " + reasons.joined(separator: ", ")
      events.add("Bluetooth \(isOn ? "listens for beacons" : "rests")\(why)", at: host.clock.wallTime)
    }
  }

  // MARK: Fixes that a test makes

  /// A fix measured now, or `ageSeconds` ago.
  package func fix(
    latitude: Double, longitude: Double, accuracyMeters: Double? = 5, ageSeconds: Double = 0
  ) -> Fix {
    Fix(
      coordinate: Coordinate(latitude: latitude, longitude: longitude),
      horizontalAccuracyMeters: accuracyMeters,
      time: host.clock.wallTime.advanced(bySeconds: -ageSeconds), isSimulated: true)
  }

  /// The receiver finds a place, if it is on; delivered at once.
  package func receive(latitude: Double, longitude: Double, accuracyMeters: Double? = 5) {
    receiver.give(fix(latitude: latitude, longitude: longitude, accuracyMeters: accuracyMeters))
    settle()
  }

  /// One fix a second, the first after a second: `place` tells where the device is at each second of the start's clock.
  package func receive(
    forSeconds count: Int,
    _ place: (Double) -> (latitude: Double, longitude: Double, accuracyMeters: Double)
  ) {
    for _ in 0..<count {
      advance(bySeconds: 1)
      let here = place(seconds)
      receive(latitude: here.latitude, longitude: here.longitude, accuracyMeters: here.accuracyMeters)
    }
  }
}
