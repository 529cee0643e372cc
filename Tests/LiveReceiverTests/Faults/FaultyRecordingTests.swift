import Foundation
import Glibc
import LinuxIO
import LocationModel
import LocationProviders
import LocationRuntime
import XCTest

/// Recordings and folder watches whose system calls fail. A recording that cannot be read on is over: it is said once,
/// and what was read before is heard.
final class FaultyRecordingTests: XCTestCase {
  private static let pointCount = 2000
  private var folder = ""

  override func setUpWithError() throws {
    var template = Array("/tmp/corelocation-tests-XXXXXX".utf8CString)
    try XCTSkipIf(mkdtemp(&template) == nil, "no folder can be made")
    folder = template.withUnsafeBufferPointer { $0.baseAddress.map { String(cString: $0) } ?? "" }
  }

  override func tearDown() {
    SystemFaults.disarm()
    try? FileManager.default.removeItem(atPath: folder)
  }

  func testAnNMEARecording() throws {
    let start = 1_780_300_800.0
    let text = (0..<Self.pointCount).map {
      FakeReceiver.epoch($0, at: Date(timeIntervalSince1970: start + Double($0)))
    }
    try checkRecording(text.joined(), format: .nmea)
  }

  func testAGPXRecording() throws {
    var text = "<?xml version=\"1.0\"?>\n<gpx version=\"1.1\" creator=\"test\"><trk><trkseg>\n"
    for number in 0..<Self.pointCount {
      text += "<trkpt lat=\"\(47.5 + Double(number) * 1e-5)\" lon=\"19.2\"></trkpt>\n"
    }
    try checkRecording(text + "</trkseg></trk></gpx>\n", format: .gpx)
  }

  private struct Outcome {
    var fixes: [Fix]
    var failures: [LocationError]
    var endings: [ReplayError?]
    var counts: SystemFaults.Counts
  }

  private func checkRecording(_ text: String, format: RecordingFormat) throws {
    let path = folder + "/recording"
    try text.write(toFile: path, atomically: false, encoding: .utf8)
    let whole = play(path, format, nil)
    XCTAssertEqual(whole.fixes.count, Self.pointCount)
    XCTAssertGreaterThan(try XCTUnwrap(whole.counts.made[.read]), 2, "a recording of several pieces")
    for (call, errorNumber) in [(FaultyCall.open, EMFILE), (.open, EINTR), (.read, EIO), (.read, EINTR)] {
      for isForEver in errorNumber == EINTR ? [false] : [false, true] {
        let calls = try XCTUnwrap(whole.counts.made[call])
        for ordinal in 1...(calls + 1) {
          let plan = SystemFaults.Plan(call, ordinal: ordinal, errorNumber: errorNumber, isForEver: isForEver)
          check(play(path, format, plan), plan: plan, whole: whole, fires: ordinal <= calls)
        }
      }
    }
  }

  private func check(_ outcome: Outcome, plan: SystemFaults.Plan, whole: Outcome, fires: Bool) {
    XCTAssertEqual(outcome.counts.failed > 0, fires, "\(plan)")
    XCTAssertEqual(outcome.failures, [.locationUnknown], "\(plan)")
    XCTAssertEqual(outcome.endings.count, 1, "\(plan)")
    // The last one may lack what stood behind the cut, such as its height.
    XCTAssertEqual(outcome.fixes.dropLast(), whole.fixes.prefix(outcome.fixes.count).dropLast(), "\(plan)")
    XCTAssertEqual(
      outcome.fixes.map(\.coordinate), whole.fixes.prefix(outcome.fixes.count).map(\.coordinate), "\(plan)")
    // What a signal interrupts is done again, so that nobody sees it.
    let isCut = fires && plan.errorNumber != EINTR
    XCTAssertEqual(outcome.endings.first??.reason, isCut ? (plan.call == .open ? .cannotOpen : .cannotRead) : nil)
    if !isCut { XCTAssertEqual(outcome.fixes.count, whole.fixes.count, "\(plan)") }
    XCTAssertLessThanOrEqual(outcome.counts.failed, 1, "what has failed is not tried again, \(plan)")
  }

  private func play(_ path: String, _ format: RecordingFormat, _ plan: SystemFaults.Plan?) -> Outcome {
    let before = openDescriptorCount()
    let endings = Locked<[ReplayError?]>([])
    var outcome = Outcome(fixes: [], failures: [], endings: [], counts: SystemFaults.Counts())
    SystemFaults.arm(plan)
    do {
      let clock = VirtualClock(wallStart: WallTime(secondsSince1970: 1_780_300_800))
      let provider = ReplayProvider(
        opening: { () throws(ReplayError) in
          try ReplaySchedule.open(path, format: format, shortensGaps: false)
        },
        clock: clock, pace: .speed(1), stamping: .recording, ended: { error in endings.withLock { $0.append(error) } })
      let app = ListeningApp(provider, clock: clock)
      app.start()
      app.pass(seconds: Double(Self.pointCount) + 100)
      app.stop()
      outcome.fixes = app.current.fixes
      outcome.failures = app.current.failures
    }
    outcome.counts = SystemFaults.disarm()
    outcome.endings = endings.withLock { $0 }
    XCTAssertLessThanOrEqual(openDescriptorCount(), before, "descriptors are left open")
    return outcome
  }

  func testAWatchThatCannotBeReadIsOverAndDoesNotRingForEver() throws {
    let queue = DispatchQueue(label: "tests.watch")
    let changed = Occurrence()
    let watch = try FolderWatch(folder: folder, queue: queue, matches: { _ in true }, changed: { changed.happen() })
    SystemFaults.arm(SystemFaults.Plan(.read, ordinal: 1, errorNumber: EIO, isForEver: true))
    XCTAssertTrue(FileManager.default.createFile(atPath: folder + "/new", contents: nil))
    changed.wait("the end of the watch", seconds: 2)
    for _ in 0..<100 { queue.sync {} }
    XCTAssertEqual(SystemFaults.disarm().failed, 1)
    withExtendedLifetime(watch) {}
  }
}
