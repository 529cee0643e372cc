import Foundation
import Glibc
import XCTest

/// The real service for all users of the machine, whose socket and programs others may reach. Needs root.
final class SystemService {
  let daemon: RunningDaemon
  /// Where programs are that every user may run.
  let folder: String
  /// It runs among folders and processes of its own.
  private var isApart = false

  /// - Parameters:
  ///   - permissions: what the operator's file says; nil for none.
  ///   - groupNumber: of a group `corelocation` that the service sees; nil for the machine's own groups.
  init(permissions: String? = nil, groupNumber: UInt32? = nil) throws {
    try TestPrograms.requireRoot()
    try TestPrograms.require("/usr/bin/setpriv")
    daemon = try RunningDaemon(permissions: permissions, more: ["--system"])
    folder = daemon.folder.path + "/programs"
    XCTAssertEqual(chmod(daemon.folder.path, 0o755), 0)
    XCTAssertEqual(mkdir(folder, 0o755), 0)
    XCTAssertEqual(mkdir(ownStates, 0o755), 0)
    XCTAssertEqual(chmod(ownStates, 0o777), 0)
    try ClientProgram.copy("corelocation", to: folder + "/corelocation")
    try daemon.start(below: try groupNumber.map(withGroup) ?? [])
  }

  /// Where what a user keeps for himself is, below his number.
  private var ownStates: String { daemon.folder.path + "/own" }

  /// The command below which a program sees such a group, which the machine need not have: in folders of its own, and
  /// so among processes of its own, since whose folders are the machine's is told by the first process.
  private func withGroup(_ number: UInt32) throws -> [String] {
    for program in ["unshare", "nsenter"] { try TestPrograms.require("/usr/bin/" + program) }
    let own = try String(contentsOfFile: "/etc/group", encoding: .utf8)
    let others = own.split(separator: "\n").filter { !$0.hasPrefix("corelocation:") }.map(String.init)
    let path = daemon.folder.path + "/group"
    try ((others + ["corelocation:x:\(number):"]).joined(separator: "\n") + "\n")
      .write(toFile: path, atomically: true, encoding: .utf8)
    let mount = "mount --bind \"$0\" /etc/group && exec \"$@\""
    isApart = true
    return ["/usr/bin/unshare", "--mount", "--pid", "--fork", "--mount-proc", "/bin/sh", "-c", mount, path]
  }

  func stop() throws {
    guard isApart else { return daemon.stop() }
    // `unshare` waits for it.
    kill(try daemon.processNumber(), SIGTERM)
    XCTAssertEqual(daemon.waitForEnd().status, 0, daemon.log)
  }

  /// `corelocation` of a user, to its end.
  func corelocation(
    _ arguments: [String], as user: UInt32, groups: [UInt32] = []
  ) throws -> (status: Int32, output: String) {
    let number = "\(try daemon.processNumber())"
    let below = isApart ? ["/usr/bin/nsenter", "--target", number, "--mount", "--pid", "--"] : []
    return try ProgramRun.run(
      below + ClientProgram.asUser(user, groups: groups) + [folder + "/corelocation"] + arguments,
      variables: ["CORELOCATION_SOCKET": daemon.socketPath, "HOME": "/", "XDG_STATE_HOME": "\(ownStates)/\(user)"])
  }
}
