import CoreLocation
import CoreLocationTesting
import LinuxIO
import Testing

/// What the guide's tables do not show: nothing, twice, too much, in the wrong order.
@Suite("Odd uses of a simulated device")
struct OddInputTests {
  private func journey(_ points: String) throws -> Journey {
    let path = NSTemporaryDirectory() + "journey-\(UUID().uuidString).gpx"
    defer { unlink(path) }
    try "<gpx version=\"1.1\"><trk><trkseg>\n\(points)</trkseg></trk></gpx>".write(
      toFile: path, atomically: true, encoding: .utf8)
    return try Journey(contentsOf: path)
  }

  @Test("No time at all hands over what waits, and a wait of no time asks once")
  func noTime() async throws {
    let device = SimulatedDevice(permission: .whenInUse, at: ProductTests.home)
    let trip = device.launch { _ in Trip() }
    try await device.advance(by: .zero)
    try await device.play(Journey(from: ProductTests.station))
    var count = 0
    try await device.advance(within: .zero, until: "it has been asked") {
      count += 1
      return true
    }
    #expect(device.elapsed == .zero && trip.locations.isEmpty && count > 0)
  }

  @Test("So it does without await, and a journey whose legs take no time is a place")
  func noTimeForDelegates() throws {
    let device = SimulatedDevice(permission: .whenInUse, at: ProductTests.home)
    let trip = device.launch { _ in Trip() }
    device.advance(by: .zero)
    device.play(
      Journey(from: ProductTests.station).stay(for: .zero).move(meters: 0, courseDegrees: 0, metersPerSecond: 1))
    #expect(device.place?.latitude == 47.51)
    var count = 0
    try device.advance(within: .zero, until: "it has been asked") {
      count += 1
      return true
    }
    #expect(device.elapsed == .zero && trip.locations.isEmpty && count > 0)
    device.advance(by: .nanoseconds(1))
    #expect(device.elapsed == .nanoseconds(1))
  }

  @Test("A wait of less than no time, and time that goes backwards, throw where they can be thrown")
  func negative() async throws {
    let device = SimulatedDevice(permission: .whenInUse, at: ProductTests.home)
    var sentences: [String] = []
    func note(_ error: (any Error)?) throws { sentences.append(try #require(error as? SimulationFailure).sentence) }
    do { try Self.waitBackwards(on: device) } catch { try note(error) }
    do { try await device.advance(by: .seconds(-2)) } catch { try note(error) }
    do { try await device.advance(within: .seconds(-3), until: "so") { true } } catch { try note(error) }
    do { try await device.advance(by: .seconds(Int64.max)) } catch { try note(error) }
    #expect(
      sentences.map { $0.prefix(53) } == [
        "time moves on by 0 s or longer, not -1.0 s", "time moves on by 0 s or longer, not -2.0 s",
        "time moves on by 0 s or longer, not -3.0 s", "a device's time ends with the year 2261: it cannot mo",
      ])
    #expect(device.elapsed == .zero)
  }

  private static func waitBackwards(on device: SimulatedDevice) throws {
    try device.advance(within: .seconds(-1), until: "so") { true }
  }

  @Test("A recording of one point is that place, told once; one without a point is an error")
  func points() throws {
    let point = "<trkpt lat=\"47.5\" lon=\"19.2\"><time>2026-01-01T00:00:00Z</time></trkpt>"
    let one = try journey(point)
    #expect(one.duration == .zero && one.start.latitude == 47.5 && one.end.longitude == 19.2)
    let device = SimulatedDevice(permission: .whenInUse)
    let trip = device.launch { _ in Trip() }
    device.play(one)
    #expect(trip.locations.count == 1)
    device.advance(by: .seconds(3))
    #expect(trip.locations.count == 4, "it lies where the recording ended")
    #expect(throws: SimulationFailure.self) { try journey("") }
  }

  @Test("A device that goes on for longer than clocks do")
  func long() throws {
    let journey = Journey(from: ProductTests.home).move(meters: 1e7, courseDegrees: 0, metersPerSecond: 1e-308)
      .stay(for: .seconds(Int64.max)).turn(toDegrees: 1e300, over: .seconds(Int64.max))
    #expect(journey.duration > .seconds(9_000_000_000))
    let device = SimulatedDevice(permission: .whenInUse)
    let trip = device.launch { _ in Trip() }
    device.setOut(on: journey)
    device.advance(by: .seconds(3))
    #expect(trip.locations.count == 3)
    var isOver = false
    try device.advance(within: .seconds(Int64.max), until: "it is over") {
      defer { isOver = true }
      return isOver
    }
    device.delayFixes(by: .seconds(Int64.max))
    device.person.willAnswer(.doNotAllow, after: .seconds(Int64.max))
    device.advance(by: .seconds(3))
  }

  @Test("Sleeps that are over, and one that is longer than clocks go")
  func sleeps() async throws {
    let device = SimulatedDevice()
    try await device.run {
      try await device.clock.sleep(for: .seconds(-5))
      try await device.clock.sleep(for: .zero)
      try await device.clock.sleep(
        until: device.clock.now.advanced(by: .seconds(-1)), tolerance: .seconds(-1))
      let endless = Task { try await device.clock.sleep(for: .seconds(Int64.max)) }
      try await device.listening(1)
      try await device.advance(by: .seconds(1_000_000))
      endless.cancel()
      await #expect(throws: CancellationError.self) { try await endless.value }
    }
  }

  @Test("Nobody, and fewer, are waited for no moment; more than there are fail with who waits and what to look at")
  func listeningCounts() async throws {
    let device = SimulatedDevice(permission: .whenInUse, at: ProductTests.home)
    try await device.listening(0)
    try await device.listening(-7)
    try await device.run {
      let tasks = [
        Task(name: "screen") { for try await _ in CLLocationUpdate.liveUpdates() {} },
        Task(name: "upload") { try await device.clock.sleep(for: .seconds(60)) },
      ]
      try await device.listening(2)
      device.realSecondsToComeBack = 0.25
      let failure = await #expect(throws: SimulationFailure.self) { try await device.listening(1_000) }
      let sentence = failure?.sentence ?? ""
      for part in [
        "Fewer than 1000 tasks wait for something of the device after 0.25 s of real time: 2 do.",
        "For the device wait: the task \"screen\" iterates over CLLocationUpdate.liveUpdates(); "
          + "the task \"upload\" sleeps on device.clock until 60.0 s",
        "Task.detached", "try await task.value",
      ] { #expect(sentence.contains(part), "\(sentence)") }
      for task in tasks { task.cancel() }
    }
  }

  @Test("An app that ended twice, or never began, has ended; only what happens is in the log")
  func endings() {
    for isInstalled in [true, false] {
      let device = SimulatedDevice(AppInfo(isInstalled: isInstalled), permission: .always, at: ProductTests.home)
      let before = device.log
      device.terminate()
      device.crash()
      device.moveToBackground()
      device.moveToForeground()
      #expect(device.appState == .notRunning && device.log == before, "\(device.log)")
      device.launch { _ in Trip() }
      device.terminate()
      device.terminate()
      device.crash()
      device.forceQuit()
      device.moveToBackground()
      #expect(device.appState == .notRunning && device.app(as: Trip.self) == nil)
      #expect(device.log.count { $0.hasSuffix("  the app ends") } == 1)
      #expect(!device.log.contains { $0.contains("leaves the foreground") })
      device.launchAgain()
      device.crash()
      device.crash()
      #expect(device.log.count { $0.hasSuffix("  the app ends") } == 2)
    }
  }

  @Test("Two devices in one test are two: each app hears its own, also where their runs are nested")
  func two() async throws {
    let first = SimulatedDevice(permission: .whenInUse, at: ProductTests.home)
    let second = SimulatedDevice(permission: .whenInUse, at: ProductTests.station)
    let notes = Locked<[String]>([])
    try await first.run {
      let one = first.launch { _ in Trip() }
      try await second.run {
        let other = second.launch { _ in Trip() }
        let task = Task {
          for try await update in CLLocationUpdate.liveUpdates() {
            notes.withLock { $0.append("\(update.location?.coordinate.latitude ?? 0)") }
          }
        }
        try await second.listening(1)
        try await first.advance(by: .seconds(3))
        #expect(one.locations.count == 3 && other.locations.isEmpty)
        try await second.advance(by: .seconds(2))
        #expect(one.locations.count == 3 && other.locations.count == 2)
        task.cancel()
      }
    }
    #expect(notes.withLock { $0 } == ["47.51", "47.51"])
  }

  @Test("Two tasks that move one device's time are told so, whichever is the second")
  func twoMovers() async throws {
    let device = SimulatedDevice(permission: .whenInUse, at: ProductTests.home)
    try await device.run {
      let app = Task {
        for try await _ in CLLocationUpdate.liveUpdates() { try await device.advance(by: .seconds(1)) }
      }
      try await device.listening(1)
      try await device.advance(by: .seconds(5))
      let failure = await #expect(throws: SimulationFailure.self) { try await app.value }
      #expect(failure?.sentence.contains("another task moves the time of this device already") == true)
    }
  }

  @Test("Time that is moved in a callback moves, and the move around it goes to its own end")
  func nestedMoves() {
    final class Impatient: NSObject, CLLocationManagerDelegate {
      let manager = CLLocationManager()
      let device: SimulatedDevice
      var count = 0
      init(_ device: SimulatedDevice) {
        self.device = device
        super.init()
        manager.delegate = self
        manager.startUpdatingLocation()
      }
      func locationManager(_ manager: CLLocationManager, didUpdateLocations locations: [CLLocation]) {
        count += locations.count
        if count == 2 { device.advance(by: .seconds(3)) }
      }
      func locationManager(_ manager: CLLocationManager, didFailWithError error: any Error) {}
    }
    let device = SimulatedDevice(permission: .whenInUse, at: ProductTests.home)
    let app = device.launch { _ in Impatient(device) }
    device.advance(by: .seconds(10))
    #expect(device.elapsed == .seconds(10) && app.count == 10)
  }

  @Test(
    "A launch after code in run has opened the app makes its object in the process that runs", arguments: [true, false])
  func launchAfterRun(isInstalled: Bool) throws {
    let device = SimulatedDevice(AppInfo(isInstalled: isInstalled), permission: .whenInUse, at: ProductTests.home)
    let early = device.run { CaseApp { $0.startUpdatingLocation() } }
    #expect(device.appState == .foreground || !isInstalled)
    let trip = device.launch { _ in Trip() }
    device.advance(by: .seconds(5))
    #expect(trip.locations.count == 5 && early.locations.count == 5, "one process, and both hear")
    #expect(device.app(as: Trip.self) === trip && device.launch { _ in Trip() } === trip || !isInstalled)
    #expect(device.log.count { $0.hasSuffix("  the person opens the app") } == 1 || !isInstalled)
    device.terminate()
    device.launchAgain()
    #expect(device.app(as: Trip.self) != nil && device.app(as: Trip.self) !== trip)
  }

  @Test("An app that nobody has launched is opened again without objects")
  func launchAgainFirst() {
    let device = SimulatedDevice(permission: .whenInUse, at: ProductTests.home)
    device.launchAgain()
    #expect(device.appState == .foreground && device.app(as: AnyObject.self) == nil)
    let app = device.run { CaseApp { $0.startUpdatingLocation() } }
    device.advance(by: .seconds(2))
    #expect(app.locations.count == 2)
  }
}
