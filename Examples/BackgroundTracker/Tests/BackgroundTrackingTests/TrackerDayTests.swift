import AppLifecycle
import BackgroundTracking
import CoreLocation
import CoreLocationTesting
import Testing

@testable import TrackerDay

@MainActor
@Suite("A simulated day of the background tracker (seed 004)", .serialized)
struct TrackerDayTests {
  @Test("With 180 s of background time the chain of tasks lasts the day: fixes each minute (3.7, 3.10; seed 004)")
  func tasksLast() async throws {
    let simulated = SimulatedDay(.tasksWith180Seconds)
    let day = try await simulated.run()
    #expect(day.stateAtMidnight == .background)
    // 1,440 minutes of ten seconds, less what the receiver searches at each start.
    #expect(day.fixCount > 1_440 && day.fixCount <= 14_400)
    #expect(day.longestGapSeconds <= 61)
    try expectInREADME(.tasksWith180Seconds, day)
    #expect(abs(day.radioSeconds - 14_400) < 20)
    #expect(!simulated.device.log.contains { $0.contains("suspended") || $0.contains("killed") })
  }

  @Test("With 30 s it is suspended 30 s after its first stop, and no further task helps (behaviour 3.7, 3.10)")
  func tasksEnd() async throws {
    let simulated = SimulatedDay(.tasksWith30Seconds)
    _ = try await simulated.run(until: .seconds(39))
    #expect(simulated.device.appState == .background)
    _ = try await simulated.run(until: .seconds(41))
    #expect(simulated.device.appState == .suspended)
    let day = try await simulated.run()
    #expect(day.stateAtMidnight == .suspended, "its task is ended in time: suspended, and not killed")
    #expect(day.fixCount <= 10 && day.radioSeconds < 12)
    #expect(day.longestGapSeconds > 86_300)
    try expectInREADME(.tasksWith30Seconds, day)
  }

  @Test("It listens ten seconds of each minute, and its receiver is off for the other fifty (seed 004)")
  func rhythm() async throws {
    let simulated = SimulatedDay(.session)
    for minute in [0, 1, 2, 60] {
      for (second, isOn) in [(1, true), (9, true), (11, false), (59, false)] {
        _ = try await simulated.run(until: .seconds(minute * 60 + second))
        #expect(simulated.device.isReceiverOn == isOn, "at second \(second) of minute \(minute)")
      }
    }
  }

  @Test("A suspended tracker goes on when the person comes back (behaviour 1.23)")
  func comesBack() async throws {
    let simulated = SimulatedDay(.tasksWith30Seconds)
    _ = try await simulated.run(until: .seconds(3_600))
    let before = simulated.model.locations.count
    simulated.device.moveToForeground()
    try await simulated.device.advance(by: .seconds(120))
    #expect(simulated.model.locations.count > before)
  }

  @Test("On a session it lasts the day in today's rules, and people see the sign (behaviour 9.10)")
  func session() async throws {
    let simulated = SimulatedDay(.session)
    let day = try await simulated.run()
    #expect(day.stateAtMidnight == .background && simulated.device.showsLocationIndicator)
    #expect(day.longestGapSeconds <= 61 && abs(day.radioSeconds - 14_400) < 20)
    try expectInREADME(.session, day)
  }

  @Test("Tasks that are begun and never ended have the app killed, and the log says which (behaviour 3.7, 3.10)")
  func leaking() async throws {
    let simulated = SimulatedDay(.leaking)
    let day = try await simulated.run(until: .seconds(120))
    #expect(day.stateAtMidnight == .notRunning)
    let line = try #require(simulated.device.log.first { $0.contains("the app is killed") })
    #expect(line.contains("did not end its background tasks leak"))
    #expect(simulated.device.application == nil)
    #expect(day.radioSeconds < 12)
  }

  @Test("Without background refresh it says so and starts nothing (behaviour 3.11)")
  func withoutRefresh() async throws {
    let device = SimulatedDevice(
      AppInfo(hasLocationBackgroundMode: true), permission: .always,
      at: CLLocationCoordinate2D(latitude: 47, longitude: 19))
    device.person.switchesBackgroundRefresh(on: false)
    device.launchApplication { _ in IdleDelegate() }
    let tracker = device.run {
      LocationTracker(model: LocationShareModel(), keeper: BackgroundTaskManager(), clock: device.clock)
    }
    #expect(device.run { tracker.start() } == .backgroundRefreshDenied)
    #expect(!tracker.isTracking && !device.isReceiverOn)
    device.person.switchesBackgroundRefresh(on: true)
    #expect(device.run { tracker.start() } == nil)
    try await device.listening(1)
    #expect(device.isReceiverOn)
    device.run { tracker.stop() }
    try await device.advance(by: .seconds(1))
    #expect(!device.isReceiverOn)
  }

  @Test("Where parental controls keep background refresh off it says that the person cannot switch it on (3.11)")
  func restrictedRefresh() {
    let device = SimulatedDevice(
      AppInfo(hasLocationBackgroundMode: true), permission: .always,
      at: CLLocationCoordinate2D(latitude: 47, longitude: 19))
    device.launchApplication { _ in IdleDelegate() }
    let tracker = device.run {
      LocationTracker(model: LocationShareModel(), keeper: BackgroundTaskManager(), clock: device.clock)
    }
    device.person.restrictsBackgroundRefresh()
    #expect(device.run { tracker.start() } == .backgroundRefreshRestricted)
    device.person.switchesBackgroundRefresh(on: true)
    #expect(device.run { tracker.start() } == .backgroundRefreshRestricted)
    #expect(!tracker.isTracking && !device.isReceiverOn)
    device.person.restrictsBackgroundRefresh(false)
    #expect(device.run { tracker.start() } == nil && tracker.isTracking)
    device.run { tracker.stop() }
  }

  @Test("Significant changes cost least, continuous updates most, and find most; the tracker is between (seed 004)")
  func order() async throws {
    // The night and the way to work.
    let morning = Duration.seconds(8 * 3_600)
    let continuous = try await SimulatedDay(.continuous).run(until: morning)
    let significant = try await SimulatedDay(.significantChanges).run(until: morning)
    let session = try await SimulatedDay(.session).run(until: morning)
    #expect(continuous.fixCount == 8 * 3_600)
    #expect(continuous.joules > session.joules && session.joules > significant.joules)
    #expect(continuous.longestGapSeconds < session.longestGapSeconds)
    #expect(session.longestGapSeconds < significant.longestGapSeconds)
    #expect(significant.fixCount >= 2 && significant.stateAtMidnight == .suspended)
  }

  @Test("A day of continuous updates is what README says: a fix each second, the radio never off (seed 004)")
  func continuousDay() async throws {
    let day = try await SimulatedDay(.continuous).run()
    #expect(day.fixCount == 86_400 && day.radioSeconds == 86_400 && day.longestGapSeconds == 1)
    #expect(day.stateAtMidnight == .background)
    try expectInREADME(.continuous, day)
  }

  @Test("A day of significant changes is what README says")
  func significantDay() async throws {
    try expectInREADME(.significantChanges, try await SimulatedDay(.significantChanges).run())
  }

  private func expectInREADME(
    _ tracker: SimulatedDay.Tracker, _ day: SimulatedDay.Result, at location: SourceLocation = #_sourceLocation
  ) throws {
    var folder = URL(filePath: #filePath).resolvingSymlinksInPath()
    for _ in 0..<5 { folder.deleteLastPathComponent() }
    let text = try String(contentsOf: folder.appending(path: "README.md"), encoding: .utf8)
    let row = DayTable.row(tracker, day)
    #expect(text.contains(row), "swift run -c release tracker-day prints it", sourceLocation: location)
  }
}

private final class IdleDelegate: UIResponder, UIApplicationDelegate {}
