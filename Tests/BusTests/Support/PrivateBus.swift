import Foundation
import Glibc
import XCTest

/// A message bus of its own, with a socket in a folder of its own; both go with the object.
final class PrivateBus {
  let folder: URL
  private var daemon: StartedProgram?

  /// - Parameter policy: what is forbidden or allowed beside the usual, as a bus's configuration has it.
  init(policy: String = "") throws {
    folder = FileManager.default.temporaryDirectory.appendingPathComponent("bus-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    try Self.configuration(socket: socketPath, policy: policy).write(
      to: folder.appendingPathComponent("bus.conf"), atomically: true, encoding: .utf8)
    try start()
  }

  deinit {
    stop()
    try? FileManager.default.removeItem(at: folder)
  }

  var address: String { "unix:path=\(socketPath)" }
  private var socketPath: String { folder.appendingPathComponent("socket").path }

  /// Returns when the bus takes connections.
  func start() throws {
    let pipe = Pipe()
    let configuration = folder.appendingPathComponent("bus.conf").path
    do {
      daemon = try StartedProgram(
        ["dbus-daemon", "--nofork", "--print-address", "--config-file=\(configuration)"],
        output: pipe.fileHandleForWriting.fileDescriptor)
    } catch {
      try skipOrFail("dbus-daemon does not start (\(error))")
    }
    try pipe.fileHandleForWriting.close()
    // It prints its address once it listens there, and an end of the file is its end.
    let printed = try pipe.fileHandleForReading.read(upToCount: 1)
    XCTAssertEqual(printed?.count, 1, "dbus-daemon ended at once")
  }

  func stop() {
    daemon?.kill()
    daemon = nil
    try? FileManager.default.removeItem(atPath: socketPath)
  }

  /// Everybody may own and hear everything that `policy` does not forbid.
  private static func configuration(socket: String, policy: String) -> String {
    """
    <busconfig>
      <type>system</type>
      <listen>unix:path=\(socket)</listen>
      <auth>EXTERNAL</auth>
      <policy context="default">
        <allow send_destination="*" eavesdrop="true"/>
        <allow eavesdrop="true"/>
        <allow own="*"/>
        <allow user="*"/>
      </policy>
      \(policy)
    </busconfig>
    """
  }
}

/// Skips loudly on a machine that lacks what the test needs; in CI, where it is installed, that is a failure.
func skipOrFail(_ reason: String) throws {
  if ProcessInfo.processInfo.environment["CI"] == "true" {
    XCTFail("\(reason); scripts/install-dependencies test installs what is needed")
  }
  print("SKIPPED: \(reason).")
  throw XCTSkip(reason)
}
