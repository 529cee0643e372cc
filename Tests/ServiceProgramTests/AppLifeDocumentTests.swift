import Foundation
import Glibc
import XCTest

/// The way from a package to an app that runs, as docs/app-life.md shows it: its own commands, typed into a shell, do
/// what its comments promise.
final class AppLifeDocumentTests: XCTestCase {
  private static let repository = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .appendingPathComponent("../..").standardized.path

  /// The commands of the first block below the heading, a string each, those of several lines in one.
  private func commands() throws -> [String] {
    let text = try String(contentsOfFile: Self.repository + "/docs/app-life.md", encoding: .utf8)
    let section = try XCTUnwrap(text.components(separatedBy: "\n## From a package to an app that runs\n").last)
    let lines = section.split(separator: "\n", omittingEmptySubsequences: false)
      .drop { !$0.hasPrefix("    ") }.prefix { $0.hasPrefix("    ") }.map { $0.dropFirst(4) }
    var commands: [String] = []
    var isGoingOn = false
    for line in lines {
      if isGoingOn { commands[commands.count - 1] += "\n" + line } else { commands.append(String(line)) }
      isGoingOn = line.hasSuffix("\\")
    }
    return commands
  }

  /// What a shell in a checkout has printed for each command, and the status of each.
  private func run(_ commands: [String]) throws -> [(status: String, output: String)] {
    let machine = try ServiceMachine(isStarted: false)
    let checkout = machine.folder + "/checkout"
    let built = URL(fileURLWithPath: ServiceMachine.built("corelocationd")).deletingLastPathComponent().path
    try FileManager.default.createDirectory(atPath: checkout + "/.build", withIntermediateDirectories: true)
    for (name, path) in [(".build/debug", built), ("Examples", Self.repository + "/Examples")] {
      try FileManager.default.createSymbolicLink(atPath: "\(checkout)/\(name)", withDestinationPath: path)
    }
    // Whatever goes wrong, nothing stays behind. With the journal the app's words would not come to this terminal.
    let begin = "exec 2>&1\ncd '\(checkout)'\nunset JOURNAL_STREAM\ntrap 'kill $(jobs -p) 2>/dev/null' EXIT\n"
    let script = begin + commands.map { $0 + "\necho \"== $?\"\n" }.joined()
    let shell = try StartedProgram(["/bin/bash", "-c", script], variables: ["HOME": machine.folder + "/home"])
    let outcome = machine.outcome(shell)
    var parts: [(status: String, output: String)] = []
    var output = ""
    for line in outcome.output.split(separator: "\n") {
      if line.hasPrefix("== ") {
        parts.append((String(line.dropFirst(3)), output))
        output = ""
      } else {
        output += line + "\n"
      }
    }
    XCTAssertFalse(FileManager.default.fileExists(atPath: machine.folder + "/home/tracker-try"), "it leaves nothing")
    return parts
  }

  func test_the_commands_from_a_package_to_an_app_that_runs_do_what_their_comments_promise() throws {
    var commands = try self.commands()
    XCTAssertTrue(commands.first?.hasPrefix("swift build ") == true, "\(commands)")
    commands.removeFirst()
    let parts = try run(commands)
    XCTAssertEqual(parts.map(\.status), commands.map { _ in "0" }, "\(zip(commands, parts).map { ($0, $1.output) })")
    guard parts.count == commands.count else { return }
    func index(_ words: String) throws -> Int {
      try XCTUnwrap(commands.firstIndex { $0.hasPrefix(words) }, "no command begins with \(words)")
    }
    func output(from first: Int, to last: Int) -> String { parts[first...last].map(\.output).joined() }
    let (launch, background) = (try index("corelocation launch"), try index("corelocation background"))
    let apps = try index("corelocation apps")
    let (terminate, uninstall) = (try index("corelocation terminate"), try index("corelocation uninstall"))
    XCTAssertTrue(
      parts[try index("corelocation install")].output.contains("org.example.BackgroundTracker is installed."))
    // "What it prints comes to this terminal", "it begins to track, in the foreground".
    XCTAssertTrue(output(from: launch, to: background - 1).contains("latitude "), "\(parts)")
    XCTAssertTrue(output(from: launch, to: launch).contains("was started in the foreground"), "\(parts)")
    // The comments say what is printed: "In the background.", "... always   background, uses location".
    XCTAssertTrue(commands[background].contains("# \"In the background.\""))
    XCTAssertTrue(output(from: background, to: terminate).contains("In the background.\n"), "\(parts)")
    XCTAssertTrue(commands[apps].contains("# ... always   background, uses location"))
    let line = parts[apps].output.split(separator: "\n").first { $0.hasPrefix("org.example.BackgroundTracker ") }
    XCTAssertNotNil(line?.range(of: #" always +background, uses location$"#, options: .regularExpression), "\(parts)")
    // "Its last words, how many locations it has found".
    let found = output(from: terminate, to: terminate).range(
      of: #"(?m)^[1-9]\d* locations\.$"#, options: .regularExpression)
    XCTAssertNotNil(found, "\(parts)")
    XCTAssertTrue(
      output(from: uninstall, to: uninstall).contains("uninstalled org.example.BackgroundTracker"), "\(parts)")
  }
}
