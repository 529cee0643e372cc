import Foundation
import Glibc
import LinuxIO

/// A folder that goes with the test.
final class TemporaryFolder {
  let path: String

  init() throws {
    path = NSTemporaryDirectory() + "corelocation-" + UUID().uuidString
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
  }

  deinit {
    endPrograms()
    try? FileManager.default.removeItem(atPath: path)
  }

  /// No program that a bundle in the folder holds goes on after the test, whoever was to end it: one whose service was
  /// killed has nobody else.
  private func endPrograms() {
    let real = URL(fileURLWithPath: path).resolvingSymlinksInPath().path
    for number in Syscalls.names(in: "/proc").compactMap({ Int32($0) }) where number != getpid() {
      guard let program = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/\(number)/exe"),
        program.hasPrefix(real + "/")
      else { continue }
      kill(number, SIGKILL)
    }
  }

  @discardableResult
  func write(_ text: String, to name: String) throws -> String {
    let file = path + "/" + name
    let folder = (file as NSString).deletingLastPathComponent
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    try Data(text.utf8).write(to: URL(fileURLWithPath: file))
    return file
  }

  func mode(of name: String) throws -> Int? {
    let attributes = try FileManager.default.attributesOfItem(atPath: path + "/" + name)
    return (attributes[.posixPermissions] as? NSNumber)?.intValue
  }
}

/// Collects log lines.
final class Lines: @unchecked Sendable {
  private let lock = NSLock()
  private var lines: [String] = []

  func add(_ line: String) {
    lock.lock()
    lines.append(line)
    lock.unlock()
  }

  var all: [String] {
    lock.lock()
    defer { lock.unlock() }
    return lines
  }
}
