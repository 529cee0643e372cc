import Foundation
import Glibc
import XCTest

/// A real app from its launch to its end. XCTest, since it blocks.
final class AppProcessTests: XCTestCase {
  /// Runs the app, has it told to end once `lastLine` has come, and gives what it printed.
  private func run(
    _ program: String = "lifecycle-app", _ arguments: [String] = [], variables: [String: String] = [:],
    until lastLine: String?
  ) throws -> (lines: [String], status: Int32, reason: Process.TerminationReason) {
    let process = Process()
    let output = Pipe()
    process.executableURL = try builtProducts().appendingPathComponent(program)
    process.arguments = arguments
    process.environment = ["SWIFT_BACKTRACE": "enable=no"].merging(variables) { $1 }
    if let path = ProcessInfo.processInfo.environment["LD_LIBRARY_PATH"] {
      process.environment?["LD_LIBRARY_PATH"] = path
    }
    process.standardInput = FileHandle.nullDevice
    process.standardOutput = output
    process.standardError = output
    try process.run()
    let watchdog = DispatchWorkItem { kill(process.processIdentifier, SIGKILL) }
    DispatchQueue.global().asyncAfter(deadline: .now() + 60, execute: watchdog)
    var text = ""
    var isTold = false
    while true {
      let data = output.fileHandleForReading.availableData
      if data.isEmpty { break }
      text += String(decoding: data, as: UTF8.self)
      guard let lastLine, !isTold, text.contains(lastLine) else { continue }
      isTold = true
      process.terminate()
    }
    process.waitUntilExit()
    watchdog.cancel()
    return (text.split(separator: "\n").map(String.init), process.terminationStatus, process.terminationReason)
  }

  func testAppThatAPersonStartsBecomesActiveAndHasItsLastWords() throws {
    let outcome = try run(until: "active, state 0")
    XCTAssertEqual(
      outcome.lines,
      [
        "launched for location: false, state 1, main thread: true", "active, state 0, main thread: true",
        "goodbye, state 0, main thread: true",
      ])
    XCTAssertEqual(outcome.status, 0)
    XCTAssertEqual(outcome.reason, .exit)
  }

  /// Seed 000: at wake-up the app is put into the background; its options say why.
  func testAppThatIsStartedForAnEventIsInTheBackgroundAndIsToldWhy() throws {
    let outcome = try run(variables: ["CORELOCATION_LAUNCH_REASON": "location"], until: "launched for location")
    XCTAssertEqual(
      outcome.lines,
      ["launched for location: true, state 2, main thread: true", "goodbye, state 2, main thread: true"])
    XCTAssertEqual(outcome.status, 0)
  }

  func testDelegateWithTheMainAttributeIsTheApp() throws {
    let outcome = try run("lifecycle-main", until: nil)
    XCTAssertEqual(outcome.lines, ["launched, its own: true"])
    XCTAssertEqual(outcome.status, 0)
  }

  func testDelegateThatIsNoClassEndsTheProgramWithALineThatSaysSo() throws {
    let outcome = try run("lifecycle-app", ["names"], until: nil)
    XCTAssertEqual(outcome.reason, .uncaughtSignal)
    XCTAssertTrue(outcome.lines.contains { $0.contains("there is no class Nobody") })
  }

  /// The folder of the built programs: that of the test bundle.
  private func builtProducts() throws -> URL {
    let folder = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath().deletingLastPathComponent()
    if FileManager.default.fileExists(atPath: folder.appendingPathComponent("lifecycle-app").path) { return folder }
    for argument in CommandLine.arguments where argument.hasSuffix(".xctest") {
      return URL(fileURLWithPath: argument).deletingLastPathComponent()
    }
    throw CocoaError(.fileNoSuchFile)
  }
}
