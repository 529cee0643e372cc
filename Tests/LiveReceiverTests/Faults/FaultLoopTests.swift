import Foundation
import Glibc
import LinuxIO
import LocationModel
import LocationProviders
import LocationRuntime
import XCTest

/// Fails the Nth open, watch, connect, read and write of a session with a receiver, for each N until a session has none
/// so many, once and for ever. Nothing may trap, hang or leak, and nobody but the provider brings the locations back.
/// XCTest, since these tests block.
final class FaultLoopTests: XCTestCase {
  /// No session makes so many calls of a kind; a loop that gets here never ends.
  private static let ordinalMax = 60

  func testGPSD() throws { try runLoop(FaultSession.gpsd()) }
  func testNMEAOverTCP() throws { try runLoop(FaultSession.tcp()) }
  func testNMEAOverUDP() throws { try runLoop(FaultSession.udp()) }
  func testASerialPort() throws { try runLoop(FaultSession.serial()) }

  override func setUp() { continueAfterFailure = false }
  override func tearDown() { SystemFaults.disarm() }

  private func runLoop(_ session: FaultSession) throws {
    defer { session.end() }
    // What Dispatch opens for itself is open from now on.
    _ = try FaultRun(session, nil).play()
    let descriptorsBefore = settledDescriptorCount()
    var firedCount = 0
    for call in FaultyCall.allCases {
      for errorNumber in (session.errorNumbers[call] ?? []) + [EINTR] {
        for isForEver in errorNumber == EINTR ? [false] : [false, true] {
          var ordinal = 1
          while true {
            XCTAssertLessThan(ordinal, Self.ordinalMax)
            let plan = SystemFaults.Plan(call, ordinal: ordinal, errorNumber: errorNumber, isForEver: isForEver)
            let hasFailed = try FaultRun(session, plan).play()
            waitForDescriptors(descriptorsBefore, after: plan)
            guard hasFailed else { break }
            firedCount += 1
            ordinal += 1
          }
        }
      }
    }
    print("\(session.name): \(firedCount) faults")
    XCTAssertGreaterThan(firedCount, 0)
  }

  /// When it has not changed for a tenth of a second.
  private func settledDescriptorCount() -> Int {
    var count = openDescriptorCount()
    var unchangedCount = 0
    let never = DispatchSemaphore(value: 0)
    while unchangedCount < 10 {
      _ = never.wait(timeout: .now() + .milliseconds(10))
      unchangedCount = openDescriptorCount() == count ? unchangedCount + 1 : 0
      count = openDescriptorCount()
    }
    return count
  }

  /// The last handler of what Dispatch has watched closes it, a moment after.
  private func waitForDescriptors(_ count: Int, after plan: SystemFaults.Plan) {
    let deadline = DispatchTime.now() + 5
    let never = DispatchSemaphore(value: 0)
    while openDescriptorCount() > count {
      guard DispatchTime.now() < deadline else {
        XCTFail("\(openDescriptorCount() - count) descriptors are left open after \(plan)")
        return
      }
      _ = never.wait(timeout: .now() + .milliseconds(1))
    }
  }
}

/// One session with one fault in it.
private final class FaultRun {
  private let session: FaultSession
  private let plan: SystemFaults.Plan?
  private let app: ListeningApp
  private var number = 0

  init(_ session: FaultSession, _ plan: SystemFaults.Plan?) {
    self.session = session
    self.plan = plan
    let clock = VirtualClock(wallStart: WallTime(secondsSince1970: 1_780_300_800))
    app = ListeningApp(session.makeProvider(clock), clock: clock)
  }

  private var failedCount: Int { SystemFaults.counts.failed }
  private var attemptCount: Int { SystemFaults.counts.made[.open] ?? 0 }
  private var name: String { "\(session.name), \(plan.map { "\($0)" } ?? "no fault")" }

  /// False where the session made too few calls for the fault to come.
  func play() throws -> Bool {
    SystemFaults.arm(plan) { [bell = app.bell] in bell.signal() }
    app.start()
    try move(seconds: 0.1, until: "five locations or the fault") { app.fixCount >= 5 || failedCount > 0 }
    let hasFailed = failedCount > 0
    if hasFailed, plan?.isForEver == true { try bearForEver() }
    if hasFailed {
      SystemFaults.disarm()
      try recover()
    }
    app.stop()
    SystemFaults.disarm()
    let failures = app.current.failures
    XCTAssertLessThanOrEqual(failures.count, 1, "\(name): a loss is told once, \(failures)")
    XCTAssertEqual(failures, failures.map { _ in .locationUnknown }, name)
    return hasFailed
  }

  /// Locations come again by themselves, within three seconds.
  private func recover() throws {
    let before = app.fixCount
    let began = app.clock.now
    try move(seconds: 0.1, until: "locations again") { app.fixCount >= before + 3 }
    XCTAssertLessThan(app.clock.now.seconds(since: began), 3, name)
  }

  /// It tries again by its schedule, once a second, and no more often. A fault that stops nothing is none.
  private func bearForEver() throws {
    let began = app.clock.now
    let attempts = attemptCount
    let fixes = app.fixCount
    try move(seconds: 0.25, until: "six attempts") { attemptCount >= attempts + 6 || app.fixCount >= fixes + 5 }
    if attemptCount >= attempts + 6 {
      let seconds = app.clock.now.seconds(since: began)
      XCTAssertLessThanOrEqual(Double(attemptCount - attempts), (seconds + 1) * opensInAnAttempt, "\(name): a storm")
      XCTAssertEqual(app.current.failures, [.locationUnknown], name)
    }
  }

  private var opensInAnAttempt: Double {
    guard let plan, plan.call == .open else { return 1 }
    return session.errorNumbersOfTwoOpens.contains(plan.errorNumber) ? 2 : 1
  }

  /// The receiver tells its places, one a step, and time passes, until it is as wished.
  private func move(seconds: Double, until what: String, _ isWished: () -> Bool) throws {
    let deadline = DispatchTime.now() + 10
    while !isWished() {
      guard DispatchTime.now() < deadline else {
        XCTFail("\(name): \(what) did not come; \(app.current), \(SystemFaults.counts)")
        throw Recorder.Missing()
      }
      app.pass(seconds: seconds)
      number += 1
      session.tell(number, app.clock.wallTime)
      _ = app.bell.wait(timeout: .now() + .milliseconds(25))
    }
  }
}
