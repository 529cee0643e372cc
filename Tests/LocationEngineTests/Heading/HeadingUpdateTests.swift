import LocationEngine
import LocationModel
import Testing

@Suite("Heading updates")
struct HeadingUpdateTests {
  /// With a compass, and after the question about calibration.
  private func bench(_ grant: Grant = .whenInUse, managers: UInt64 = 1, policy: Policy = Policy()) -> EngineBench {
    var bench = EngineBench(policy: policy, grant: grant, managers: managers)
    bench.hear(.headingAvailabilityChanged(true), at: 0)
    return bench
  }

  @Test(
    "The sensor runs from the first start to the last stop, and nothing comes before or after (behaviour 7.6, 7.10)")
  func sensor() {
    var bench = bench(managers: 2)
    #expect(bench.compass(10, at: 0) == [])
    #expect(bench.request(.startUpdatingHeading, at: 1) == ["compass on"])
    #expect(bench.request(.startUpdatingHeading, at: 1, by: 2) == [])
    #expect(bench.compass(10, at: 2) == ["1: heading 10 ±15", "1: calibration?", "2: heading 10 ±15"].sortedLikeEngine)
    #expect(bench.request(.stopUpdatingHeading, at: 3) == [])
    #expect(bench.compass(20, at: 4) == ["2: heading 20 ±15"])
    #expect(bench.request(.stopUpdatingHeading, at: 5, by: 2) == ["compass off"])
    #expect(bench.compass(30, at: 6) == [])
  }

  @Test("A magnetic heading needs neither location nor permission; a true one needs both (behaviour 7.1)")
  func permission() {
    for grant in [Grant(), Grant(level: .denied)] {
      var bench = bench(grant)
      bench.fix(.european(declination: 5), at: 0)
      bench.request(.startUpdatingHeading, at: 1)
      #expect(bench.compass(355, at: 2).first == "1: heading 355 ±15")
    }
  }

  @Test(
    "No location: no true heading. Declination 5 and magnetic 355: true 0, which is valid (case SP-2, behaviour 7.2)")
  func trueNorth() throws {
    var bench = bench()
    bench.request(.startUpdatingHeading, at: 1)
    #expect(bench.compass(355, at: 2) == ["1: heading 355 ±15", "1: calibration?"])
    // The place is what true north waited for; the device need not turn.
    #expect(bench.fix(.european(declination: 5), at: 3).contains("1: heading 355 true 0 ±15"))
    #expect(bench.compass(350, at: 4) == ["1: heading 350 true 355 ±15"])
  }

  @Test("True north is lost with the permission, and comes back with it (behaviour 7.1)")
  func permissionLost() {
    var bench = bench()
    bench.fix(.european(declination: 5), at: 0)
    bench.request(.startUpdatingHeading, at: 1)
    bench.compass(100, at: 2)
    bench.settings(.denied, at: 3)
    #expect(bench.compass(100, at: 4) == ["1: heading 100 ±15"])
    bench.settings(.whenInUse, at: 5)
    #expect(bench.compass(100, at: 6) == ["1: heading 100 true 105 ±15"])
  }

  @Test("An app without full accuracy gets the true north of its coarse place (behaviour 1.42, 7.1)")
  func coarse() {
    var bench = bench(.reduced)
    let place = Coordinate.european(declination: 5)
    bench.fix(place, at: 0)
    bench.request(.startUpdatingHeading, at: 1)
    let effects = bench.engine.handle(
      .headingSampled(.magnetic(100, at: 2)), at: Instant.zero.advanced(bySeconds: 2))
    let heading = effects.lazy.compactMap { effect -> Heading? in
      if case .deliver(.headingUpdated(let heading), _) = effect { heading } else { nil }
    }.first
    let exact = 100 + MagneticField.ofTests(at: place).declinationDegrees
    let shown = heading?.trueDegrees ?? -1
    #expect(shown != exact && abs(shown - exact) < 0.1)
  }

  @Test("The filter is 1 degree by default and counts from the last delivered heading, on the circle (behaviour 7.4)")
  func filter() {
    var bench = bench()
    bench.request(.startUpdatingHeading, at: 1)
    bench.compass(359, at: 2)
    #expect(bench.compass(359.6, at: 3) == [])
    #expect(bench.compass(358.4, at: 4) == [])
    // Two tenths from the last sample, a degree from the last delivered heading.
    #expect(bench.compass(0, at: 5) == ["1: heading 0 ±15"])
    #expect(bench.compass(359.5, at: 6) == [])
    #expect(bench.compass(359, at: 7) == ["1: heading 359 ±15"])
    bench.configure { $0.headingFilterDegrees = 90 }
    #expect(bench.compass(88, at: 8) == [])
    #expect(bench.compass(89, at: 9) == ["1: heading 89 ±15"])
    bench.configure { $0.headingFilterDegrees = nil }
    #expect(bench.compass(89, at: 10) == ["1: heading 89 ±15"])
    #expect(bench.compass(89, at: 11) == ["1: heading 89 ±15"])
  }

  @Test("Each manager has its own filter and orientation; a change affects later headings only (behaviour 7.4, 7.5)")
  func orientation() {
    var bench = bench(managers: 2)
    #expect(bench.configure(by: 2) { $0.headingOrientation = .landscapeLeft } == [])
    bench.request(.startUpdatingHeading, at: 1)
    bench.request(.startUpdatingHeading, at: 1, by: 2)
    #expect(
      bench.compass(300, at: 2).filter { $0.contains("heading") } == ["1: heading 300 ±15", "2: heading 30 ±15"])
    #expect(bench.configure { $0.headingOrientation = .portraitUpsideDown } == [])
    #expect(bench.compass(300, at: 3) == ["1: heading 120 ±15"])
    #expect(bench.configure { $0.headingOrientation = .landscapeRight } == [])
    #expect(bench.compass(300, at: 4) == ["1: heading 210 ±15"])
  }

  @Test("A repeated start gives no new heading; stop and start give one (behaviour 7.8)")
  func restart() {
    var bench = bench(managers: 2)
    bench.request(.startUpdatingHeading, at: 1)
    bench.request(.startUpdatingHeading, at: 1, by: 2)
    bench.compass(10, at: 2)
    #expect(bench.request(.startUpdatingHeading, at: 3) == [])
    #expect(bench.compass(10, at: 4) == [])
    bench.request(.stopUpdatingHeading, at: 5)
    // The other manager has kept the compass on, so that its newest word is there at once.
    #expect(bench.request(.startUpdatingHeading, at: 6) == ["1: heading 10 ±15"])
    #expect(bench.compass(10, at: 7) == [])
  }

  @Test("A suspended app hears no heading, and the sensor rests; afterwards it hears the newest (behaviour 7.8)")
  func suspended() {
    var bench = bench()
    bench.request(.startUpdatingHeading, at: 1)
    bench.compass(10, at: 2)
    #expect(bench.become(.background, at: 3) == [])
    #expect(bench.compass(20, at: 4) == ["1: heading 20 ±15"])
    #expect(bench.become(.suspended, at: 5) == ["compass off"])
    #expect(bench.compass(30, at: 6) == [])
    #expect(bench.become(.background, at: 7) == ["compass on"])
    #expect(bench.compass(40, at: 8) == ["1: heading 40 ±15"])
  }

  @Test("While another app keeps the sensor on, an app that runs again hears what it missed, by its filter (7.8)")
  func resumed() {
    var bench = bench()
    let other = ClientIdentifier(2)
    let app = AppDescription(identifier: AppIdentifier("org.example.other"))
    bench.hear(.clientConnected(other, app, grant: .whenInUse, lastFix: nil), at: 0)
    bench.hear(.appStateChanged(app.identifier, .background), at: 0)
    bench.hear(.managerCreated(EngineBench.manager(1, of: other)), at: 0)
    bench.hear(.requested(.startUpdatingHeading, by: EngineBench.manager(1, of: other)), at: 0)
    bench.request(.startUpdatingHeading, at: 1)
    bench.compass(10, at: 2)
    bench.become(.suspended, at: 3)
    #expect(bench.compass(30, at: 4) == ["2.1: heading 30 ±15"])
    #expect(bench.become(.background, at: 5) == ["1: heading 30 ±15"])
    bench.become(.suspended, at: 6)
    bench.become(.background, at: 7)
    bench.become(.suspended, at: 8)
    bench.compass(30.5, at: 9)
    #expect(bench.become(.background, at: 10) == [])
  }

  @Test("A process that ended has to start again (behaviour 7.8)")
  func ended() {
    var bench = bench()
    bench.request(.startUpdatingHeading, at: 1)
    bench.compass(10, at: 2)
    #expect(bench.hear(.clientDisconnected(EngineBench.client), at: 3).contains("compass off"))
  }

  @Test("A compass that comes later is used, and one that goes is no capability any more (behaviour 7.6)")
  func comesAndGoes() {
    var bench = EngineBench(grant: .whenInUse)
    #expect(bench.engine.snapshot(for: EngineBench.client)?.capabilities.hasHeading == false)
    #expect(bench.request(.startUpdatingHeading, at: 1) == ["note: no heading", "compass on"])
    #expect(bench.hear(.headingAvailabilityChanged(true), at: 2) == [])
    #expect(bench.snapshotChanges == ["org.example.walk"])
    #expect(bench.engine.snapshot(for: EngineBench.client)?.capabilities.hasHeading == true)
    #expect(bench.compass(10, at: 3).first == "1: heading 10 ±15")
    bench.hear(.headingAvailabilityChanged(false), at: 4)
    #expect(bench.snapshotChanges == ["org.example.walk"])
    #expect(bench.engine.snapshot(for: EngineBench.client)?.capabilities.hasHeading == false)
    // Back again, and the first word of it is no news.
    #expect(bench.hear(.headingAvailabilityChanged(true), at: 5) == [])
    #expect(bench.compass(10, at: 6) == [])
    #expect(bench.compass(12, at: 7) == ["1: heading 12 ±15"])
  }

  @Test("What is no number is no heading")
  func notANumber() {
    var bench = bench()
    bench.request(.startUpdatingHeading, at: 1)
    for degrees in [Double.nan, .infinity, -.infinity] {
      #expect(bench.compass(degrees, at: 2) == [])
      #expect(bench.hear(.headingSampled(.fromTrueNorth(degrees, at: 2)), at: 2) == [])
      #expect(bench.magnetometer(DeviceVector(x: degrees, y: 0, z: -40), at: 2) == [])
    }
    #expect(bench.compass(-10, at: 3).first == "1: heading 350 ±15")
    #expect(bench.compass(725, at: 4) == ["1: heading 5 ±15"])
  }

  @Test("A compass that knows true north gives magnetic headings where the declination is known")
  func satelliteCompass() {
    var bench = bench()
    bench.request(.startUpdatingHeading, at: 1)
    #expect(bench.hear(.headingSampled(.fromTrueNorth(3, accuracy: 1, at: 2)), at: 2) == [])
    #expect(bench.fix(.european(declination: 5), at: 3).contains("1: heading 358 true 3 ±1"))
    // √(1² + 0.26² + (5417/H)²), H about 20 000 nT: 1.07; nothing to calibrate, so that nobody is asked.
    #expect(bench.hear(.headingSampled(.fromTrueNorth(4, accuracy: 1, at: 4)), at: 4) == ["1: heading 359 true 4 ±1.1"])
  }

  @Test("Beyond the years of the magnetic model there is no true heading, which is said once")
  func modelEnded() {
    var bench = bench()
    let later = WallTime(secondsSince1970: 1_893_456_060)
    bench.hear(
      .fixReceived(Fix(coordinate: .european(declination: 5), horizontalAccuracyMeters: 4, time: later)), at: 0)
    bench.request(.startUpdatingHeading, at: 1)
    let note = "note: no magnetic model for this date"
    let first = bench.hear(.headingSampled(HeadingSample(.magnetic(degrees: 90), time: later)), at: 2)
    #expect(first == [note, "1: heading 90 ±15", "1: calibration?"])
    #expect(
      bench.hear(.headingSampled(HeadingSample(.magnetic(degrees: 95), time: later)), at: 3) == ["1: heading 95 ±15"])
  }

  @Test("Near a magnetic pole the declination says nothing, and there is no true heading (algorithms 4)")
  func blackout() {
    var bench = bench()
    bench.fix(Coordinate(latitude: 86, longitude: 140), at: 0)
    bench.request(.startUpdatingHeading, at: 1)
    #expect(bench.compass(90, at: 2).first == "1: heading 90 ±15")
    #expect(bench.hear(.headingSampled(.fromTrueNorth(90, at: 3)), at: 3) == [])
  }
}

extension [String] {
  /// Questions come after the headings of their app.
  fileprivate var sortedLikeEngine: [String] {
    filter { $0.contains("heading") } + filter { !$0.contains("heading") }
  }
}
