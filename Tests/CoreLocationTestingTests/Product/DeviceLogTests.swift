import CoreLocation
import CoreLocationTesting
import Testing

/// The log tells causes, not only what the app hears of them.
@Suite("What the log of a simulated device tells")
struct DeviceLogTests {
  private func isTold(_ line: String, by device: SimulatedDevice) -> Bool {
    device.log.contains { $0.hasSuffix("  \(line)") }
  }

  @Test("A question, what the person answers, and that the other question was withdrawn by the person's choice")
  func questions() {
    let device = SimulatedDevice(at: ProductTests.home)
    device.person.willAnswer(.allowOnce, precise: false, after: .seconds(3))
    _ = device.launch { _ in Trip(asks: true) }
    device.advance(by: .seconds(4))
    #expect(device.log.contains("2026-06-01T08:00:00.000Z  the person is asked \"Shows where you are.\""))
    #expect(device.log.contains("2026-06-01T08:00:03.000Z  the person answers: allowOnce, without Precise"))

    let other = SimulatedDevice(at: ProductTests.home)
    _ = other.launch { _ in Trip(asks: true) }
    other.person.chooses(.denied)
    #expect(isTold("the question \"Shows where you are.\" is gone", by: other))
  }

  @Test("Everything that the person switches in Settings")
  func settings() {
    let device = SimulatedDevice(permission: .whenInUse, at: ProductTests.home)
    _ = device.launch { _ in Trip() }
    let person = device.person
    for (change, line) in [
      ({ person.chooses(.always) }, "the person chooses always in Settings"),
      ({ person.setsPrecise(false) }, "the person switches Precise off"),
      ({ person.setsPrecise(true) }, "the person switches Precise on"),
      ({ person.switchesLocationServices(on: false) }, "the person switches Location Services off"),
      ({ person.switchesAirplaneMode(on: true) }, "the person switches airplane mode on"),
      (
        { person.switchesBackgroundRefresh(on: false) },
        "the person switches Background App Refresh of the app off"
      ),
      (
        { person.switchesBackgroundRefresh(on: false, ofAllApps: true) },
        "the person switches Background App Refresh of all apps off"
      ),
    ] as [(() -> Void, String)] {
      #expect(!isTold(line, by: device))
      change()
      #expect(isTold(line, by: device), "\(line)")
    }
  }

  @Test("Where the device lies and goes, which way it points, and what its receiver is made to do")
  func deviceAndReceiver() {
    let device = SimulatedDevice(permission: .whenInUse, at: ProductTests.home)
    #expect(device.log == ["2026-06-01T08:00:00.000Z  the device lies at 47.50000, 19.20000"])
    for (change, line) in [
      ({ device.put(at: ProductTests.station) }, "the device lies at 47.51000, 19.20000"),
      (
        { device.setOut(on: Journey(from: ProductTests.station).move(to: ProductTests.home, metersPerSecond: 10)) },
        "the device sets out, for 111 s, to 47.50000, 19.20000"
      ),
      ({ device.delayFixes(by: .seconds(3)) }, "fixes come 3.0 s late"),
      ({ device.delayFixes(by: .zero) }, "fixes come at once"),
      ({ device.repeatFixes() }, "fixes come twice"),
      ({ device.repeatFixes(false) }, "fixes come once"),
      ({ device.misplaceNextFix(to: ProductTests.home) }, "the next fix will be of 47.50000, 19.20000"),
      ({ device.point(magneticDegrees: 90) }, "the device points 90° from magnetic north"),
      ({ device.point(trueDegrees: 45) }, "the device points 45° from true north"),
      ({ device.pointAhead() }, "the device points where it goes"),
    ] as [(() -> Void, String)] {
      #expect(!isTold(line, by: device), "\(line)")
      change()
      #expect(isTold(line, by: device), "\(line)")
    }
    device.play(Journey(from: ProductTests.home).stay(for: .seconds(5)))
    #expect(isTold("the device sets out, for 5 s, to 47.50000, 19.20000", by: device))
  }

  @Test("How an app ends: by the device, by the person, by itself", arguments: [true, false])
  func ends(isInstalled: Bool) {
    for (end, line) in [
      ({ $0.terminate() }, "the app is told to end"), ({ $0.forceQuit() }, "the person swipes the app away"),
      ({ $0.crash() }, "the app crashes"),
    ] as [((SimulatedDevice) -> Void, String)] {
      let device = SimulatedDevice(
        AppInfo(isInstalled: isInstalled), permission: .whenInUse, at: ProductTests.home)
      _ = device.launch { _ in Trip() }
      end(device)
      #expect(
        device.log.suffix(2) == ["2026-06-01T08:00:00.000Z  \(line)", "2026-06-01T08:00:00.000Z  the app ends"])
    }
  }

  @Test("Code that looks for the service before a launch: the person opens the app first, then it hears")
  func opensFirst() throws {
    let device = SimulatedDevice(permission: .whenInUse, at: ProductTests.home)
    let trip = device.run { Trip() }
    device.advance(by: .seconds(1))
    let lines = device.log.map { $0.dropFirst(26) }
    #expect(lines.firstIndex(of: "the person opens the app") == 1)
    #expect(lines.count { $0 == "the person opens the app" } == 1)
    let first = try #require(lines.firstIndex { $0.hasPrefix("the app hears") })
    #expect(first == 2)
    withExtendedLifetime(trip) {}
  }

  @Test("The same for a task that iterates before a launch")
  func opensBeforeTask() async throws {
    let other = SimulatedDevice(permission: .whenInUse, at: ProductTests.home)
    let task = other.run { Task { for try await _ in CLLocationUpdate.liveUpdates() {} } }
    try await other.listening(1)
    try await other.advance(by: .seconds(2))
    #expect(other.log[1].hasSuffix("  the person opens the app"))
    #expect(other.log.count { $0.hasSuffix("the person opens the app") } == 1)
    task.cancel()
  }

  @Test(
    "The same for a monitor, a manager and a session in an async test, of an installed app and of a program",
    arguments: [true, false], [SimulatedPermission.whenInUse, .notDetermined])
  func opensBeforeAnything(isInstalled: Bool, permission: SimulatedPermission) async throws {
    for kind in 0..<3 {
      let device = SimulatedDevice(AppInfo(isInstalled: isInstalled), permission: permission, at: ProductTests.home)
      var kept: [Any] = []
      try await device.run {
        switch kind {
        case 0: kept.append(await CLMonitor("geo"))
        case 1: kept.append(Trip(asks: true))
        default: kept.append(CLServiceSession(authorization: .whenInUse))
        }
        try await device.advance(by: .seconds(2))
      }
      #expect(device.log[1].hasSuffix("  the person opens the app"), "\(kind): \(device.log)")
      #expect(device.log.count { $0.hasSuffix("the person opens the app") } == 1)
      withExtendedLifetime(kept) {}
    }
  }

  @Test("What a question does not offer is no answer: it stays, and the log says what is offered")
  func answerThatIsNotOffered() {
    let device = SimulatedDevice(at: ProductTests.home)
    let trip = device.launch { _ in Trip(asks: true) }
    let line =
      "the person cannot answer changeToAlways to \"Shows where you are.\", which offers allowOnce, "
      + "allowWhileUsing, doNotAllow"
    #expect(!device.person.answers(.changeToAlways))
    #expect(device.person.openQuestions == ["Shows where you are."])
    #expect(isTold(line, by: device))
    #expect(device.person.answers(.allowWhileUsing))
    #expect(trip.manager.authorizationStatus == .authorizedWhenInUse)

    let other = SimulatedDevice(at: ProductTests.home)
    other.person.willAnswer(.changeToAlways, after: .seconds(1))
    _ = other.launch { _ in Trip(asks: true) }
    other.advance(by: .seconds(2))
    #expect(isTold(line, by: other) && other.person.openQuestions.count == 1)
  }

  @Test("9.23: an app with Always that holds no session for it is not started for its monitor, and is told so once")
  func monitorWithoutSession() async throws {
    // Whether the app reads what its monitor says; unread events wait.
    for reads in [true, false] {
      let device = SimulatedDevice(permission: .always, at: ProductTests.home)
      try await device.run {
        _ = device.launch { _ in NSObject() }
        let monitor = await CLMonitor("geo")
        let reader = Task { if reads { for try await _ in await monitor.events {} } }
        await monitor.add(
          CLMonitor.CircularGeographicCondition(center: ProductTests.home, radius: 150), identifier: "c")
        try await device.advance(by: .seconds(30))
        reader.cancel()
        func lines() -> [String] {
          device.log.filter { $0.contains("the developer reads: ") && $0.contains("CLServiceSession") }
        }
        #expect(lines().isEmpty)
        device.moveToBackground()
        try await device.advance(by: .seconds(60))
        #expect(lines().count == 1)
        device.terminate()
        device.setOut(on: Journey(from: ProductTests.home).drive(to: ProductTests.station))
        try await device.advance(by: .seconds(600))
        #expect(device.eventLaunchCount == 0 && lines().count == 1)
      }
    }
  }

  @Test("A beacon that does what it does already, or that is gone, adds no line")
  func beacons() {
    let device = SimulatedDevice(permission: .whenInUse, at: ProductTests.home)
    let beacon = device.addBeacon(UUID(), major: 1, minor: 2, at: ProductTests.home)
    beacon.isSending = true
    beacon.remove()
    let count = device.log.count
    beacon.isSending = true
    beacon.isSending = false
    beacon.move(to: ProductTests.station)
    beacon.remove()
    #expect(device.log.count == count)
    #expect(device.log.count { $0.hasSuffix("the beacon 1/2 sends") } == 1)
  }
}
