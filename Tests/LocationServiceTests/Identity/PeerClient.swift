import Foundation
import Glibc
import LinuxIO
import LocationService
import XCTest

/// The real peer-program, connected to a real socket of this process, told what to become a line a time.
final class PeerClient {
  let folder: TemporaryFolder
  let identifier: pid_t
  /// The accepted end.
  private(set) var socket: Int32 = -1
  private let listener: Int32
  private let orders: Int32
  private let answers: Int32

  var socketPath: String { folder.path + "/socket" }

  /// - Parameter program: another copy of peer-program.
  init(program: String? = nil, environment: [String] = []) throws {
    folder = try TemporaryFolder()
    let path = folder.path + "/socket"
    listener = try Self.listen(path)
    try Syscalls.tellSenders(listener)
    (identifier, orders, answers) = try Self.start(program ?? Self.program(), environment: environment)
    try expectAnswer("ok", to: "start")
  }

  deinit {
    kill(identifier, SIGKILL)
    var status: Int32 = 0
    while waitpid(identifier, &status, 0) < 0 && errno == EINTR {}
    for file in [listener, socket, orders, answers] where file >= 0 { close(file) }
  }

  func connect(
    servedUser: UInt32? = nil, bundle: String? = nil, reader: ProcessReader = ProcessReader(),
    kernelGivesProcess: Bool = true, ordersBeforeAccepting: [String] = []
  ) throws -> PeerProcess {
    try tell("connect \(socketPath)")
    for order in ordersBeforeAccepting { try tell(order) }
    socket = accept(listener, nil, nil)
    XCTAssertGreaterThanOrEqual(socket, 0)
    return try PeerProcess(
      connectedTo: socket, servedUser: servedUser, reader: reader, kernelGivesProcess: kernelGivesProcess,
      bundleIdentifier: { _, _ in bundle })
  }

  func tell(_ order: String) throws {
    XCTAssertEqual(try answer(to: order), "ok", order)
  }

  /// What it says to an order: "ok", or "failed: " and why.
  func answer(to order: String) throws -> String {
    let bytes = Array("\(order)\n".utf8)
    guard write(orders, bytes, bytes.count) == bytes.count else { throw SystemError(call: "write") }
    return try readAnswer()
  }

  func receive() throws -> (text: String, received: ReceivedBytes) {
    var bytes = [UInt8](repeating: 0, count: 256)
    let received = try XCTUnwrap(bytes.withUnsafeMutableBytes { try Syscalls.receive(socket, into: $0) })
    return (String(decoding: bytes[..<received.count], as: UTF8.self), received)
  }

  /// Waits for the end of the process, not only for its last word.
  func waitForEnd(of process: PeerProcess) {
    var one = pollfd(fd: process.descriptor, events: Int16(POLLIN), revents: 0)
    XCTAssertEqual(poll(&one, 1, 60_000), 1, "process \(identifier) did not end")
  }

  private func expectAnswer(_ expected: String, to order: String) throws {
    XCTAssertEqual(try readAnswer(), expected, order)
  }

  private func readAnswer() throws -> String {
    var line: [UInt8] = []
    var byte: UInt8 = 0
    var one = pollfd(fd: answers, events: Int16(POLLIN), revents: 0)
    while poll(&one, 1, 60_000) == 1, read(answers, &byte, 1) == 1 {
      if byte == UInt8(ascii: "\n") { return String(decoding: line, as: UTF8.self) }
      line.append(byte)
    }
    throw SystemError(call: "read")
  }

  // MARK: Starting

  /// Built beside the tests.
  static func program() throws -> String {
    let tests = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
    let path = tests.deletingLastPathComponent().appendingPathComponent("peer-program").path
    guard access(path, X_OK) == 0 else { throw SystemError(call: "access \(path)") }
    return path
  }

  static func copyProgram(to path: String) throws {
    try FileManager.default.copyItem(atPath: program(), toPath: path)
  }

  static func listen(_ path: String) throws -> Int32 {
    let listener = Glibc.socket(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    let room = MemoryLayout.size(ofValue: address.sun_path)
    XCTAssertLessThan(path.utf8.count, room)
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8.prefix(room - 1)) }
    let result = withUnsafePointer(to: address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(listener, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
      }
    }
    guard result == 0, Glibc.listen(listener, 8) == 0, chmod(path, 0o666) == 0 else { throw SystemError(call: "bind") }
    return listener
  }

  private static func start(_ program: String, environment: [String]) throws -> (pid_t, Int32, Int32) {
    var input: [Int32] = [-1, -1]
    var output: [Int32] = [-1, -1]
    guard pipe(&input) == 0, pipe(&output) == 0 else { throw SystemError(call: "pipe") }
    for end in input + output { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_adddup2(&actions, input[0], STDIN_FILENO)
    posix_spawn_file_actions_adddup2(&actions, output[1], STDOUT_FILENO)
    var arguments: [UnsafeMutablePointer<CChar>?] = [strdup("/usr/bin/maps"), nil]
    var variables: [UnsafeMutablePointer<CChar>?] =
      environment.map { strdup($0) as UnsafeMutablePointer<CChar>? } + [nil]
    defer { for pointer in arguments + variables { free(pointer) } }
    var child: pid_t = 0
    let result = posix_spawn(&child, program, &actions, nil, &arguments, &variables)
    close(input[0])
    close(output[1])
    guard result == 0 else { throw SystemError(call: "posix_spawn", number: result) }
    return (child, input[1], output[0])
  }
}
