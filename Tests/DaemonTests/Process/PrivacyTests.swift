import Foundation
import Glibc
import LinuxIO
import LocationEngine
import LocationModel
import LocationRuntime
import XCTest

/// What the real service tells whom. Blocks, so XCTest.
final class PrivacyTests: XCTestCase {
  // MARK: Reduced accuracy

  /// Whether the eight bytes of a number stand anywhere among others.
  private func holds(_ bytes: [UInt8], _ number: Double) -> Bool {
    let pattern = withUnsafeBytes(of: number.bitPattern.littleEndian) { Data($0) }
    return Data(bytes).range(of: pattern) != nil
  }

  private func expectNothingPrecise(
    _ bytes: [UInt8], _ fixes: [Fix], file: StaticString = #filePath, line: UInt = #line
  ) {
    XCTAssertFalse(bytes.isEmpty, file: file, line: line)
    for fix in fixes {
      XCTAssertFalse(holds(bytes, fix.coordinate.latitude), "a latitude has crossed", file: file, line: line)
      XCTAssertFalse(holds(bytes, fix.coordinate.longitude), "a longitude has crossed", file: file, line: line)
    }
  }

  func testNoPreciseCoordinateEverCrossesTheSocketOfAnAppWithReducedAccuracy() throws {
    let daemon = try RunningDaemon(permissions: nil)
    try daemon.start()
    let folder = daemon.folder.path
    let tool = try WireProbe.tool(daemon.socketPath)
    for (name, isPrecise) in [("precise", true), ("reduced", false), ("late", false), ("changing", true)] {
      let change = GrantChange(level: .whenInUse, isPrecise: isPrecise)
      XCTAssertEqual(tool.ask(.grant(app: "\(folder)/\(name)", change, user: nil)), .done)
    }
    daemon.receiver.feed()
    let words = ["app", "start"]
    let precise = try ClientProgram("precise", in: folder, socket: daemon.socketPath, words)
    let reduced = try ClientProgram("reduced", in: folder, socket: daemon.socketPath, words)
    let changing = try ClientProgram("changing", in: folder, socket: daemon.socketPath, words)
    XCTAssertTrue(waitUntil(secondsMax: 30) { precise.fixes.count > 10 && changing.fixes.count > 3 })
    XCTAssertTrue(waitUntil(secondsMax: 30) { !reduced.fixes.isEmpty })
    // One that comes when a place is known: its greeting holds the last one.
    let late = try ClientProgram("late", in: folder, socket: daemon.socketPath, words)
    XCTAssertTrue(waitUntil(secondsMax: 30) { !late.fixes.isEmpty })
    // One whose Precise is switched off while it listens.
    let change = GrantChange(level: nil, isPrecise: false)
    XCTAssertEqual(tool.ask(.grant(app: "\(folder)/changing", change, user: nil)), .done)
    XCTAssertTrue(
      changing.hears {
        if case .snapshot(let snapshot) = $0 { snapshot.authorization.accuracy == .reduced } else { false }
      })
    let beforeCount = changing.heardBytes.count
    let preciseCount = precise.fixes.count
    XCTAssertTrue(waitUntil(secondsMax: 30) { precise.fixes.count > preciseCount + 10 })
    let fixes = precise.fixes
    XCTAssertTrue(holds(precise.heardBytes, fixes[5].coordinate.latitude), "the search finds nothing")
    expectNothingPrecise(reduced.heardBytes, fixes)
    expectNothingPrecise(late.heardBytes, fixes)
    XCTAssertFalse(changing.heardBytes.isEmpty)
    for fix in fixes {
      XCTAssertFalse(holds(Array(changing.heardBytes.dropFirst(beforeCount)), fix.coordinate.latitude))
    }
    daemon.stop()
    // After a restart the last fix comes from the store.
    try daemon.start()
    let again = try ClientProgram("reduced", in: folder, socket: daemon.socketPath, words)
    XCTAssertTrue(again.isGreeted)
    XCTAssertTrue(waitUntil(secondsMax: 30) { !again.fixes.isEmpty })
    expectNothingPrecise(again.heardBytes, fixes)
    again.stop()
    daemon.stop()
  }

  // MARK: Users

  func testTwoUsersNeverSeeEachOthersGrantsAndDecideForThemselvesAlone() throws {
    let service = try SystemService()
    let daemon = service.daemon
    let folder = service.folder
    let users: [UInt32] = [61_001, 61_002]
    let apps = try users.map {
      try ClientProgram("map-\($0)", user: $0, in: folder, socket: daemon.socketPath, ["app", "ask"])
    }
    for app in apps { XCTAssertTrue(app.isGreeted, daemon.log) }
    for (index, user) in users.enumerated() {
      let own = apps[index]
      let other = apps[1 - index]
      let granted = try service.corelocation(["grant", own.path, "whenInUse"], as: user)
      XCTAssertEqual(granted.status, 0, granted.output)
      let listed = try service.corelocation(["apps"], as: user).output
      XCTAssertTrue(listed.contains(own.path) && listed.contains("whenInUse"), listed)
      XCTAssertFalse(listed.contains("  \(users[1 - index])  "), listed)
      // For the other user: refused, and the answer does not tell what is there.
      let refused = try service.corelocation(["deny", other.path, "--user", "\(users[1 - index])"], as: user)
      XCTAssertNotEqual(refused.status, 0)
      XCTAssertTrue(refused.output.contains("may not decide for user \(users[1 - index])"), refused.output)
      for command in [["services", "off"], ["log"], ["top"], ["status"]] {
        let said = try service.corelocation(command, as: user)
        XCTAssertFalse(said.output.contains(other.path), said.output)
        if command[0] == "services" { XCTAssertNotEqual(said.status, 0, said.output) }
      }
      // The same program of another user has nothing of it.
      let copy = try ClientProgram(
        "map-\(user)", user: users[1 - index], in: folder, socket: daemon.socketPath, ["app", "start"])
      XCTAssertTrue(
        copy.hears {
          if case .greeting(_, let found) = $0 { found.authorization.status == .notDetermined } else { false }
        })
    }
    XCTAssertTrue(
      apps[0].hears {
        if case .event(.authorizationChanged(let found, isInitial: false, _), _) = $0 {
          found.status == .authorizedWhenInUse
        } else {
          false
        }
      })
    let all = try service.corelocation(["apps"], as: 0).output
    for app in apps { XCTAssertTrue(all.contains(app.path), all) }
    daemon.stop()
  }

  func testAConfinedOrForgedProcessIsWhatTheKernelSaysAndDecidesNothing() throws {
    let service = try SystemService()
    let daemon = service.daemon
    let folder = service.folder
    // A name of its choice changes nothing.
    let forged = try ClientProgram(
      "forged", user: 61_003, in: folder, socket: daemon.socketPath, ["app=/usr/bin/trusted"])
    XCTAssertTrue(
      forged.hears { if case .greeting(let app, _) = $0 { app.name == forged.path } else { false } }, "\(forged.heard)")
    XCTAssertTrue(forged.hears { if case .greeting(let app, _) = $0 { app.userNumber == 61_003 } else { false } })
    // Behind a filter of system calls nobody speaks for a person.
    for word in ["agent", "apps", "grant=" + folder + "/forged"] {
      let heardPath = folder + "/confined-\(UUID().uuidString.prefix(8))"
      _ = FileManager.default.createFile(atPath: heardPath, contents: nil, attributes: [.posixPermissions: 0o666])
      let confined = try ConfinedProgram(
        ["become-user 61003", "set-filter", "become-program \(try self.copied("service-client", folder))"],
        folder: folder, orders: [daemon.socketPath, heardPath, "tool", word])
      let isRefused = waitUntil(secondsMax: 10) {
        let text = String(decoding: FileManager.default.contents(atPath: heardPath) ?? Data(), as: UTF8.self)
        return text.contains("confined") && text.contains("may not decide for a person")
      }
      XCTAssertTrue(isRefused, "\(word): \(daemon.log)")
      confined.stop()
    }
    daemon.stop()
  }

  private func copied(_ program: String, _ folder: String) throws -> String {
    try ClientProgram.copy(program, to: folder + "/" + program)
    return folder + "/" + program
  }
}

/// `peer-program`, which does what it is told, and becomes another program.
private final class ConfinedProgram {
  private let process = Process()
  private let input = Pipe()

  init(_ lines: [String], folder: String, orders: [String]) throws {
    try ClientProgram.copy("peer-program", to: folder + "/peer-program")
    process.executableURL = URL(fileURLWithPath: folder + "/peer-program")
    process.environment = ProcessInfo.processInfo.environment.merging(
      ["SERVICE_CLIENT": orders.joined(separator: " ")]
    ) { $1 }
    process.standardInput = input
    process.standardOutput = FileHandle.nullDevice
    try process.run()
    input.fileHandleForWriting.write(Data(lines.map { $0 + "\n" }.joined().utf8))
  }

  func stop() {
    try? input.fileHandleForWriting.close()
    process.waitUntilExit()
  }
}
