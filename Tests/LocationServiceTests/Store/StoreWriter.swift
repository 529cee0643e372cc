import Foundation
import XCTest

/// Runs the program `store-writer`, alone or below another one, and gives what it said.
enum StoreWriter {
  struct Outcome {
    var lines: [String]
    var errors: String
    /// The number of the signal that ended it; nil where it ended by itself.
    var signal: Int32?
    var status: Int32

    /// The lines of the changes that were kept, without the word before them.
    var kept: [String] { lines.filter { $0.hasPrefix("kept\t") }.map { String($0.dropFirst(5)) } }

    /// What stands behind each word that begins a line, the last of each.
    subscript(word: String) -> String? {
      lines.last { $0.hasPrefix(word + "\t") }.map { String($0.dropFirst(word.count + 1)) }
    }
  }

  static var path: String {
    get throws { try builtProducts().appendingPathComponent("store-writer").path }
  }

  /// Blocks until it has ended: for XCTest only.
  static func run(_ arguments: [String], below command: [String] = []) throws -> Outcome {
    let folder = try TemporaryFolder()
    let files = ["output", "errors"].map { folder.path + "/" + $0 }
    for file in files { try Data().write(to: URL(fileURLWithPath: file)) }
    let handles = try files.map { try XCTUnwrap(FileHandle(forWritingAtPath: $0)) }
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = ["timeout", "60"] + command + [try path] + arguments
    var environment = ProcessInfo.processInfo.environment
    environment["SWIFT_BACKTRACE"] = "enable=no"
    process.environment = environment
    process.standardInput = FileHandle.nullDevice
    process.standardOutput = handles[0]
    process.standardError = handles[1]
    try process.run()
    process.waitUntilExit()
    let texts = try files.map { try String(contentsOfFile: $0, encoding: .utf8) }
    // `timeout` tells of a signal that ended its child as a shell does.
    let status = process.terminationStatus
    let isSignal = process.terminationReason == .uncaughtSignal || status > 128
    return Outcome(
      lines: texts[0].split(separator: "\n").map(String.init), errors: texts[1],
      signal: isSignal ? status & 0x7F : nil, status: status)
  }

  /// Skips a test that this machine has no means for; in CI that is a failure.
  static func skipOrFail(_ reason: String) throws {
    if ProcessInfo.processInfo.environment["CI"] == "true" {
      XCTFail("\(reason), and CI may skip nothing")
    }
    throw XCTSkip(reason)
  }

  /// The folder of the built programs: that of the test bundle.
  private static func builtProducts() throws -> URL {
    let folder = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath().deletingLastPathComponent()
    if FileManager.default.fileExists(atPath: folder.appendingPathComponent("store-writer").path) { return folder }
    for argument in CommandLine.arguments where argument.hasSuffix(".xctest") {
      return URL(fileURLWithPath: argument).deletingLastPathComponent()
    }
    throw CocoaError(.fileNoSuchFile)
  }
}
