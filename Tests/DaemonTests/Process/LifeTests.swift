import Foundation
import Glibc
import LinuxIO
import LocationEngine
import LocationModel
import LocationRuntime
import XCTest

/// How the real service starts, stops and reads its files anew, and what apps have of it. Blocks, so XCTest.
final class LifeTests: XCTestCase {
  /// Where a service tells how it is (sd_notify(3)).
  private final class NotifySocket {
    let path: String
    private let descriptor: Int32

    init(_ path: String) throws {
      self.path = path
      descriptor = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
      var address = sockaddr_un()
      address.sun_family = sa_family_t(AF_UNIX)
      withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
      let result = withUnsafePointer(to: address) { pointer in
        pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
          bind(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
        }
      }
      guard result == 0 else { throw SystemError(call: "bind") }
    }

    deinit { close(descriptor) }

    func next(secondsMax: Double = 10) -> String? {
      var news = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
      guard poll(&news, 1, Int32(secondsMax * 1_000)) > 0 else { return nil }
      var bytes = [UInt8](repeating: 0, count: 1_024)
      let count = recv(descriptor, &bytes, bytes.count, 0)
      return count > 0 ? String(decoding: bytes[..<count], as: UTF8.self) : nil
    }
  }

  func testItSaysWhenItIsReadyReadsItsFilesAnewAndStopsClean() throws {
    let daemon = try RunningDaemon()
    let notify = try NotifySocket(daemon.folder.path + "/notify")
    try daemon.begin(variables: ["NOTIFY_SOCKET": notify.path])
    XCTAssertEqual(notify.next(), "READY=1")
    // Ready means that clients are taken in.
    let app = try WireProbe.app(daemon.socketPath, .requestWhenInUseAuthorization, .startUpdatingLocation)
    daemon.receiver.feed()
    XCTAssertNotNil(app.nextFix(secondsMax: 20), daemon.log)
    // The file's new word counts for the next question.
    try #"{"*": "denied"}"#.write(toFile: daemon.permissionsPath, atomically: true, encoding: .utf8)
    daemon.signal(SIGHUP)
    XCTAssertEqual(notify.next()?.hasPrefix("RELOADING=1"), true)
    XCTAssertEqual(notify.next(), "READY=1")
    let tool = try WireProbe.tool(daemon.socketPath)
    let name = try XCTUnwrap(tool.rows(.apps)?.first?[0])
    XCTAssertEqual(tool.ask(.reset(app: name, user: nil)), .done)
    app.say(.request(.requestWhenInUseAuthorization, manager: 1))
    let answer = app.wait(secondsMax: 10) {
      if case .event(.authorizationChanged(let found, _, _), _) = $0 { found.status == .denied } else { false }
    }
    XCTAssertNotNil(answer)
    // One that cannot be understood changes nothing, and says why.
    try "nonsense".write(toFile: daemon.permissionsPath, atomically: true, encoding: .utf8)
    daemon.signal(SIGHUP)
    XCTAssertTrue(waitUntil(secondsMax: 10) { daemon.log.contains("Nothing is changed: \(daemon.permissionsPath)") })
    daemon.stop()
    XCTAssertEqual(notify.next()?.hasPrefix("RELOADING=1"), true)
    XCTAssertEqual(notify.next(), "READY=1")
    XCTAssertEqual(notify.next(), "STOPPING=1")
    XCTAssertTrue(app.ends(secondsMax: 5))
    XCTAssertFalse(FileManager.default.fileExists(atPath: daemon.socketPath))
    try expectCheckpointed(daemon)
  }

  /// All of the store is in its file.
  private func expectCheckpointed(_ daemon: RunningDaemon) throws {
    let names = try FileManager.default.contentsOfDirectory(atPath: daemon.folder.path + "/state")
    for name in names where name.hasSuffix("-wal") {
      let attributes = try FileManager.default.attributesOfItem(atPath: daemon.folder.path + "/state/" + name)
      XCTAssertEqual(attributes[.size] as? Int, 0, name)
    }
    XCTAssertTrue(names.contains { $0.hasSuffix(".sqlite") || $0.hasSuffix(".db") }, "\(names)")
  }

  func testItTakesTheSocketThatTheServiceManagerHasOpenedAndLeavesItsFile() throws {
    try TestPrograms.require("/usr/bin/systemd-socket-activate")
    let daemon = try RunningDaemon()
    XCTAssertEqual(mkdir(daemon.folder.path + "/run", 0o700), 0)
    try daemon.begin(below: ["/usr/bin/systemd-socket-activate", "--listen", daemon.socketPath])
    XCTAssertTrue(waitUntil(secondsMax: 10) { FileManager.default.fileExists(atPath: daemon.socketPath) })
    // The first client starts it. Its first words came when nobody looked who says them (in the units, systemd does),
    // so that it has to come again, which an app's connection does by itself.
    daemon.receiver.feed()
    let connection = DaemonBench.connection(to: daemon.socketPath, log: Lines())
    let heard = Locked<[ManagerEvent]>([])
    let manager = connection.addManager { event in heard.withLock { $0.append(event) } }
    connection.send(.requestWhenInUseAuthorization, from: manager)
    connection.send(.startUpdatingLocation, from: manager)
    let isServed = waitUntil(secondsMax: 30) {
      heard.withLock { $0.contains { if case .locationsUpdated = $0 { true } else { false } } }
    }
    XCTAssertTrue(isServed, daemon.log)
    XCTAssertFalse(heard.withLock { $0.contains { if case .failed = $0 { true } else { false } } })
    connection.close()
    daemon.stop()
    XCTAssertTrue(FileManager.default.fileExists(atPath: daemon.socketPath), "the socket is the service manager's")
  }

  func testASecondServiceAtTheSameSocketOrStoreSaysSoAndTheFirstGoesOn() throws {
    let daemon = try RunningDaemon()
    try daemon.start()
    let second = try RunningDaemon(in: daemon.folder)
    try second.begin()
    XCTAssertEqual(second.waitForEnd().status, 1)
    XCTAssertFalse(second.log.isEmpty)
    XCTAssertNotNil(try WireProbe.tool(daemon.socketPath).ask(.status))
    daemon.stop()
  }

  func testAProgramMadeForOneProcessRunsUnchangedWithTheService() throws {
    let daemon = try RunningDaemon()
    try daemon.start()
    daemon.receiver.feed()
    let program = try TestPrograms.path("delivery-sync-main")
    let tool = try WireProbe.tool(daemon.socketPath)
    XCTAssertEqual(tool.ask(.grant(app: program, GrantChange(level: .whenInUse), user: nil)), .done)
    let run = try ProgramRun.run([program, "main"], variables: ["CORELOCATION_SOCKET": daemon.socketPath])
    XCTAssertEqual(run.status, 0, run.output)
    XCTAssertEqual(tool.rows(.log(app: nil))?.map { $0[2] }, [program])
    daemon.stop()
  }

  func testTwoAppsOfDifferentAccuracyShareOneReceiverThatClosesWithTheLast() throws {
    let port = try PipeReceiver()
    let daemon = try RunningDaemon(receiverPath: port.path)
    try daemon.start()
    port.feed()
    func openCount() throws -> Int { try daemon.openFiles().count { $0 == port.path } }
    XCTAssertEqual(try openCount(), 0)
    var coarse = ManagerConfiguration()
    coarse.desiredAccuracy = .meters(1_000)
    var apps = [
      try WireProbe.app(daemon.socketPath, .requestWhenInUseAuthorization, .startUpdatingLocation),
      try WireProbe.app(
        daemon.socketPath, .configure(coarse), .requestWhenInUseAuthorization, .startUpdatingLocation),
    ]
    for app in apps { XCTAssertNotNil(app.nextFix(secondsMax: 30), daemon.log) }
    XCTAssertEqual(try openCount(), 1)
    apps.removeFirst()
    XCTAssertNotNil(apps[0].nextFix(secondsMax: 10))
    XCTAssertEqual(try openCount(), 1)
    apps.removeAll()
    XCTAssertTrue(waitUntil(secondsMax: 30) { (try? openCount()) == 0 }, "the receiver stays open")
    daemon.stop()
  }
}
