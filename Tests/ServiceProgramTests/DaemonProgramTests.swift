import Foundation
import Glibc
import XCTest

/// `corelocationd` as an operator meets it: options, files, signals, and what it says where something is wrong.
final class DaemonProgramTests: XCTestCase {
  /// The daemon ends with this status, and its one sentence has these words.
  private func expect(
    _ outcome: ServiceMachine.Outcome, status: Int32, _ words: String..., file: StaticString = #filePath,
    line: UInt = #line
  ) {
    XCTAssertEqual(outcome.status, status, outcome.errors, file: file, line: line)
    for text in words {
      XCTAssertTrue(outcome.errors.contains(text), "\(text) is not in: \(outcome.errors)", file: file, line: line)
    }
    XCTAssertEqual(outcome.output, "", file: file, line: line)
  }

  func test_help_and_version_go_to_standard_output() throws {
    let machine = try ServiceMachine(isStarted: false)
    let help = try machine.daemonOutcome("--help")
    XCTAssertEqual(help.status, 0)
    XCTAssertTrue(help.output.hasPrefix("Usage: corelocationd [OPTION]..."), help.output)
    let version = try machine.daemonOutcome("--version")
    XCTAssertEqual(version.status, 0)
    XCTAssertTrue(version.output.hasPrefix("corelocationd "), version.output)
  }

  func test_wrong_usage_is_status_2_and_points_to_the_help() throws {
    let machine = try ServiceMachine(isStarted: false)
    expect(try machine.daemonOutcome("--frobnicate"), status: 2, "--frobnicate", "Try \"corelocationd --help\".")
    expect(try machine.daemonOutcome("--socket"), status: 2, "--socket", "Try \"corelocationd --help\".")
    expect(try machine.daemonOutcome("--user=yes"), status: 2, "--user", "Try \"corelocationd --help\".")
    expect(try machine.daemonOutcome("start"), status: 2, "unexpected \"start\"")
  }

  func test_a_wrong_source_says_what_was_expected() throws {
    let machine = try ServiceMachine(isStarted: false)
    expect(try machine.daemonOutcome("--source", "fixed:91,0"), status: 1, "--source: ", "91,0")
    expect(try machine.daemonOutcome("--source", "radio:"), status: 1, "--source: ")
  }

  func test_a_state_folder_that_cannot_be_written_is_named() throws {
    let machine = try ServiceMachine(isStarted: false)
    let file = machine.folder + "/file"
    XCTAssertTrue(FileManager.default.createFile(atPath: file, contents: nil))
    expect(try machine.daemonOutcome("--state", file + "/state"), status: 1, file + "/state", "Not a directory")
    // Root may write everywhere but here.
    expect(try machine.daemonOutcome("--state", "/proc/corelocation"), status: 1, "/proc/corelocation")
  }

  func test_without_a_place_for_socket_or_state_it_says_which_option_helps() throws {
    let machine = try ServiceMachine(isStarted: false)
    func outcome(without name: String) throws -> ServiceMachine.Outcome {
      var variables = machine.variables
      for name in [name, "HOME"] { variables[name] = "" }
      return machine.outcome(
        try StartedProgram([ServiceMachine.built("corelocationd")], variables: variables))
    }
    expect(try outcome(without: "XDG_RUNTIME_DIR"), status: 1, "XDG_RUNTIME_DIR", "--socket")
    expect(try outcome(without: "XDG_STATE_HOME"), status: 1, "XDG_STATE_HOME", "--state")
    let long = "/tmp/" + String(repeating: "x", count: 120)
    expect(try machine.daemonOutcome("--socket", long), status: 1, long, "bytes")
  }

  func test_a_store_or_a_socket_that_another_daemon_has_is_left_to_it() throws {
    let machine = try ServiceMachine()
    let other = machine.folder + "/other"
    let number = try XCTUnwrap(machine.daemon?.identifier)
    expect(
      try machine.daemonOutcome("--socket", machine.folder + "/run/second"), status: 1, "store.sqlite",
      "corelocationd (process \(number))")
    expect(
      try machine.daemonOutcome("--state", other), status: 1, "another corelocationd listens at \(machine.socketPath)")
    XCTAssertEqual(try machine.command("status").status, 0)
    // One that was killed leaves its socket behind, and is no obstacle.
    machine.daemon?.kill()
    XCTAssertEqual(access(machine.socketPath, F_OK), 0)
    try machine.startDaemon()
    XCTAssertEqual(try machine.command("status").status, 0)
  }

  func test_a_broken_policy_or_permission_file_is_named_with_what_was_expected() throws {
    let machine = try ServiceMachine(isStarted: false)
    func write(_ text: String) throws -> String {
      let path = machine.folder + "/rules.json"
      try text.write(toFile: path, atomically: false, encoding: .utf8)
      return path
    }
    for (option, texts) in [
      "--policy": ["{", "[]", #"{"era": "sometimes"}"#],
      "--permissions": ["{", "[]", #"{"walk": "sometimes"}"#, #"{"walk": 1}"#, #"{"walk": "notDetermined"}"#],
    ] {
      for text in texts {
        expect(try machine.daemonOutcome(option, try write(text)), status: 1, "rules.json")
      }
      expect(try machine.daemonOutcome(option, machine.folder + "/none.json"), status: 1, "none.json", "No such file")
    }
  }

  func test_it_ends_cleanly_on_SIGTERM_and_takes_its_socket_with_it() throws {
    let machine = try ServiceMachine()
    let daemon = try XCTUnwrap(machine.daemon)
    daemon.signal(SIGTERM)
    daemon.errors.wait(for: "Stopped.")
    XCTAssertEqual(daemon.waitForStatus(), 0)
    XCTAssertEqual(access(machine.socketPath, F_OK), -1)
  }

  func test_SIGHUP_reads_the_files_anew_and_a_broken_one_changes_nothing() throws {
    let machine = try ServiceMachine(isStarted: false)
    let rules = machine.folder + "/permissions.json"
    try "{}".write(toFile: rules, atomically: false, encoding: .utf8)
    let policy = machine.folder + "/policy.json"
    try "{}".write(toFile: policy, atomically: false, encoding: .utf8)
    try machine.startDaemon(["--permissions", rules, "--policy", policy])
    XCTAssertTrue(try machine.command("status").output.contains("The policy is the default."))
    let daemon = try XCTUnwrap(machine.daemon)
    try "{".write(toFile: rules, atomically: false, encoding: .utf8)
    daemon.signal(SIGHUP)
    daemon.errors.wait(for: "Nothing is changed: \(rules)")
    try #"{"*": "whenInUse"}"#.write(toFile: rules, atomically: false, encoding: .utf8)
    try #"{"requestLocationTimeoutSeconds": 5}"#.write(toFile: policy, atomically: false, encoding: .utf8)
    daemon.signal(SIGHUP)
    daemon.errors.wait(for: "were read anew")
    let status = try machine.command("status").output
    XCTAssertTrue(status.contains("requestLocationTimeoutSeconds is 5.0, by default 10.0"), status)
    let app = try machine.startApp("walk")
    app.output.wait(for: "status authorizedWhenInUse full")
    app.output.wait(for: "fix 48.5")
  }
}
