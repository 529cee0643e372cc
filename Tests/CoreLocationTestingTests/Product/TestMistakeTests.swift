import CoreLocation
import CoreLocationTesting
import Testing

/// A test author's own mistakes end the process with a sentence; what comes from outside is thrown.
@Suite("A test's mistakes")
struct TestMistakeTests {
  private func said(by outcome: ExitTest.Result?) -> String {
    String(decoding: outcome?.standardErrorContent ?? [], as: UTF8.self)
  }

  @Test("A journey takes places on the Earth, and speeds, lengths and directions that are numbers")
  func journeys() async {
    let outcomes = [
      await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
        _ = Journey(from: CLLocationCoordinate2D(latitude: 95, longitude: 200))
      },
      await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
        _ = Journey(from: ProductTests.home).walk(to: CLLocationCoordinate2D(latitude: .nan, longitude: 0))
      },
      await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
        _ = Journey(from: ProductTests.home).move(to: ProductTests.station, metersPerSecond: .infinity)
      },
      await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
        _ = Journey(from: ProductTests.home).move(meters: .infinity, courseDegrees: 0, metersPerSecond: 1)
      },
      await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
        _ = Journey(from: ProductTests.home).move(meters: 10, courseDegrees: .nan, metersPerSecond: 1)
      },
      await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
        _ = Journey(from: ProductTests.home).move(meters: -1, courseDegrees: 0, metersPerSecond: 1)
      },
      await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
        _ = Journey(from: ProductTests.home).stay(for: .seconds(-1))
      },
    ].map(said)
    for (text, sentence) in zip(
      outcomes,
      [
        "the place where a journey begins is on the Earth, not at 95.0, 200.0",
        "the place where a journey goes is on the Earth, not at nan, 0.0",
        "a journey moves at a speed above zero, not at inf m/s", "a journey goes so many metres, 0 or more, not inf",
        "a course is a number of degrees, not nan", "a journey goes so many metres, 0 or more, not -1.0",
        "a stay lasts 0 s or longer, not -1.0 s",
      ])
    {
      #expect(text.contains(sentence), "\(text)")
    }
  }

  @Test("Headings are numbers, turns last, and a second app of another kind wants the first to end")
  func headingsAndLaunches() async {
    let outcomes = [
      await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
        _ = Journey(from: ProductTests.home).stay(for: .seconds(1), headingDegrees: .nan)
      },
      await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
        _ = Journey(from: ProductTests.home).walk(to: ProductTests.station, headingDegrees: .infinity)
      },
      await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
        _ = Journey(from: ProductTests.home).turn(toDegrees: .nan, over: .seconds(1))
      },
      await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
        _ = Journey(from: ProductTests.home).turn(toDegrees: 0, over: .seconds(-1))
      },
      await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
        SimulatedDevice().point(trueDegrees: 0, accuracyDegrees: -1)
      },
      await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
        let device = SimulatedDevice(permission: .whenInUse)
        device.launch { _ in Trip() }
        device.launch { _ in CaseApp() }
      },
      await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
        let device = SimulatedDevice(permission: .whenInUse)
        device.launch { _ in
          device.crash()
          return Trip()
        }
      },
    ].map(said)
    for (text, sentence) in zip(
      outcomes,
      [
        "a heading is a number of degrees, not nan", "a heading is a number of degrees, not inf",
        "a heading is a number of degrees, not nan", "a turn lasts 0 s or longer, not -1.0 s",
        "a compass is off by 0 degrees or more, not -1.0",
        "the app runs already, with a Trip: call device.terminate() before launch(_:) makes a CaseApp",
        "the app has ended while launch(_:) made its object",
      ])
    {
      #expect(text.contains(sentence), "\(text)")
    }
  }

  @Test("So do a device, its receiver and its beacons")
  func devices() async {
    let outcomes = [
      await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
        _ = SimulatedDevice(at: kCLLocationCoordinate2DInvalid)
      },
      await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
        SimulatedDevice().misplaceNextFix(to: CLLocationCoordinate2D(latitude: 0, longitude: .infinity))
      },
      await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
        SimulatedDevice().addBeacon(
          UUID(), major: 1, minor: 1, at: CLLocationCoordinate2D(latitude: .nan, longitude: .nan))
      },
      await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
        SimulatedDevice().reception = .within(meters: -5)
      },
      await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
        SimulatedDevice().reception = .within(meters: .nan)
      },
      await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
        SimulatedDevice().point(magneticDegrees: .nan)
      },
      await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
        SimulatedDevice().delayFixes(by: .seconds(-1))
      },
    ].map(said)
    for (text, sentence) in zip(
      outcomes,
      [
        "the place of a device is on the Earth, not at -180.0, -180.0",
        "the place of a misplaced fix is on the Earth, not at 0.0, inf",
        "the place of a beacon is on the Earth, not at nan, nan",
        "reception is within so many metres, above 0, not -5.0", "reception is within so many metres, above 0, not nan",
        "a direction is a number of degrees, not nan", "fixes are late by 0 s or longer, not -1.0 s",
      ])
    {
      #expect(text.contains(sentence), "\(text)")
    }
  }

  @Test("Time goes forward, and from 1678 to 2261, which is as far as a device's clock goes")
  func times() async {
    let outcomes = [
      await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
        SimulatedDevice().advance(by: .seconds(-1))
      },
      await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
        SimulatedDevice().advance(by: .seconds(Int64.max))
      },
      await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
        _ = SimulatedDevice(startingAt: .distantFuture)
      },
      await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
        _ = SimulatedDevice(startingAt: .distantPast)
      },
      await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
        SimulatedDevice().person.willAnswer(.doNotAllow, after: .seconds(-1))
      },
    ].map(said)
    for (text, sentence) in zip(
      outcomes,
      [
        "time moves on by 0 s or longer, not -1.0 s", "a device's time ends with the year 2261",
        "a device's time is in the years 1678 to 2261", "a device's time is in the years 1678 to 2261",
        "a person answers after 0 s or longer, not -1.0 s",
      ])
    {
      #expect(text.contains(sentence), "\(text)")
    }
  }

  @Test("A failure describes itself to those who ask for a localized description, too; of a file, without a device")
  func descriptions() throws {
    let device = SimulatedDevice(permission: .whenInUse, at: ProductTests.home)
    let failure = try #require(throws: SimulationFailure.self) { try device.expect("It is so") { false } }
    #expect((failure as any Error).localizedDescription == "\(failure)")
    #expect("\(failure)".contains("What happened on the device:\n2026-06-01T08:00:00.000Z  the device lies"))
    let ofFile = try #require(throws: SimulationFailure.self) { try Journey(contentsOf: "/nowhere/track.gpx") }
    #expect("\(ofFile)".contains("/nowhere/track.gpx") && !"\(ofFile)".contains("What happened"))
    let ofPlist = try #require(throws: SimulationFailure.self) { try AppInfo(infoPlist: "/nowhere/Info.plist") }
    #expect(!"\(ofPlist)".contains("What happened"))
    let ofProfile = try #require(throws: SimulationFailure.self) {
      try SimulatedProfile(contentsOf: "/nowhere/profile.json")
    }
    #expect(!"\(ofProfile)".contains("What happened"))
  }

  @Test("A failure tells the test's file and line, of whichever expectation it is")
  func places() async throws {
    let device = SimulatedDevice(permission: .whenInUse, at: ProductTests.home)
    let file = "CoreLocationTestingTests/TestMistakeTests.swift"
    var failures: [(SimulationFailure, UInt)] = []
    func note(_ line: UInt, _ error: (any Error)?) throws {
      failures.append((try #require(error as? SimulationFailure), line))
    }
    do { try device.expect("It is so") { false } } catch { try note(#line, error) }
    do { try Self.wait(on: device) } catch { try note(Self.line, error) }
    do {
      try await device.advance(within: .seconds(1), until: "it is so") { false }
    } catch { try note(#line - 1, error) }
    device.realSecondsToComeBack = 0.25
    do { try await device.listening(1) } catch { try note(#line, error) }
    #expect(failures.count == 4)
    for (failure, line) in failures {
      #expect(failure.place == "\(file):\(line)" && "\(failure)".hasPrefix("\(file):\(line): "))
    }
  }

  private static let line: UInt = #line + 2
  private static func wait(on device: SimulatedDevice) throws {
    try device.advance(within: .seconds(1), until: "it is so") { false }
  }

  @Test("A wait without await, with tasks that iterate, fails its test alone")
  func waitWithoutAwait() async throws {
    let device = SimulatedDevice(permission: .whenInUse, at: ProductTests.home)
    let task = device.run { Task { for try await _ in CLLocationUpdate.liveUpdates() {} } }
    try await device.listening(1)
    let failure = #expect(throws: SimulationFailure.self) { try Self.wait(on: device) }
    #expect(failure?.sentence.contains("write `try await device.advance") == true)
    task.cancel()
  }

  @Test("Every way to ask the C library for the time of day tells the device's")
  func timeOfDay() {
    let device = SimulatedDevice(startingAt: Date(timeIntervalSince1970: 86_400.25))
    device.run {
      var seconds: time_t = 0
      #expect(time(&seconds) == 86_400 && seconds == 86_400 && time(nil) == 86_400)
      var day = timeval()
      #expect(gettimeofday(&day, nil) == 0 && day.tv_sec == 86_400 && day.tv_usec == 250_000)
      var exact = timespec()
      #expect(timespec_get(&exact, TIME_UTC) == TIME_UTC && exact.tv_sec == 86_400 && exact.tv_nsec == 250_000_000)
      #expect(clock_gettime(CLOCK_REALTIME_COARSE, &exact) == 0 && exact.tv_sec == 86_400)
    }
    let now = Date().timeIntervalSince1970
    #expect(abs(Double(time(nil)) - now) < 5)
    var day = timeval()
    #expect(gettimeofday(&day, nil) == 0 && abs(Double(day.tv_sec) - now) < 5)
    var exact = timespec()
    #expect(timespec_get(&exact, TIME_UTC) == TIME_UTC && abs(Double(exact.tv_sec) - now) < 5)
  }
}
