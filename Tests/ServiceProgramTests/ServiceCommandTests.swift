import Foundation
import Glibc
import XCTest

/// Commands beside a service: what asks it, what it is asked, and what it answers.
final class ServiceCommandTests: XCTestCase {
  private let own = ServiceMachine.built("corelocation")

  // MARK: follow and locate

  func test_follow_and_locate_without_a_source_are_apps_of_the_service() throws {
    let machine = try ServiceMachine()
    for command in [
      ["locate", "--json"], ["locate", "--timeout", "5", "--json"], ["follow", "--count", "1", "--json"],
    ] {
      let undecided = try machine.run(command)
      XCTAssertEqual(undecided.status, 3, undecided.errors)
      XCTAssertTrue(undecided.errors.contains("corelocation grant \(own) whenInUse"), undecided.errors)
    }
    XCTAssertEqual(try machine.command("grant", own, "whenInUse").status, 0)
    for command in [
      ["locate", "--json"], ["locate", "--timeout", "5", "--json"], ["follow", "--count", "1", "--json"],
    ] {
      let outcome = try machine.run(command)
      XCTAssertEqual(outcome.status, 0, outcome.errors)
      XCTAssertTrue(outcome.output.contains("\"latitude\":48.5"), outcome.output)
    }
    XCTAssertTrue(try machine.command("log").output.contains(own))
    XCTAssertEqual(try machine.command("deny", own).status, 0)
    let denied = try machine.command("locate", variables: ["CORELOCATION_AUTHORIZATION": "always"])
    XCTAssertEqual(denied.status, 3)
    XCTAssertTrue(denied.errors.contains("permission denied"), denied.errors)
    XCTAssertTrue(denied.errors.contains("CORELOCATION_AUTHORIZATION counts for nothing here"), denied.errors)
    XCTAssertEqual(try machine.command("services", "off").status, 0)
    let off = try machine.command("locate")
    XCTAssertEqual(off.status, 3)
    XCTAssertTrue(off.errors.contains("corelocation services on"), off.errors)
  }

  func test_locate_waits_for_the_answer_of_an_agent_and_for_no_service_that_is_named_away() throws {
    let machine = try ServiceMachine()
    let (_, terminal) = try machine.startAgent()
    let locate = try StartedProgram([own, "locate", "--json"], variables: machine.variables)
    terminal.screen.wait(for: "Allow \(own) to use your location?")
    terminal.screen.wait(for: "\"To print where this machine is.\"")
    let screen = terminal.screen.wait(for: "Don't Allow")
    let line = try XCTUnwrap(screen.split(whereSeparator: \.isNewline).first { $0.hasSuffix("Allow Once") })
    terminal.type(line.split(separator: " ")[0] + "\n")
    XCTAssertEqual(machine.outcome(locate).status, 0)
    let named = try machine.command("locate", "--source", "fixed:1.5,2", "--json")
    XCTAssertTrue(named.output.contains("\"latitude\":1.5"), named.output + named.errors)
  }

  /// Apple Park's field of 2026, and a device that lies flat and points to magnetic east (algorithms 4).
  private func layOutSensors(in folder: String) throws {
    let device = folder + "/iio:device0"
    try FileManager.default.createDirectory(atPath: device, withIntermediateDirectories: true)
    for (name, text) in [
      ("in_magn_x_raw", "-2304"), ("in_magn_y_raw", "0"), ("in_magn_z_raw", "-4120"), ("in_magn_scale", "0.0001"),
      ("in_accel_x_raw", "0"), ("in_accel_y_raw", "0"), ("in_accel_z_raw", "981"), ("in_accel_scale", "0.01"),
    ] {
      try (text + "\n").write(toFile: device + "/" + name, atomically: false, encoding: .utf8)
    }
  }

  func test_heading_and_beacons_are_apps_of_the_service_which_has_the_sensors() throws {
    let machine = try ServiceMachine(isStarted: false)
    try layOutSensors(in: machine.sensorFolder)
    try machine.startDaemon(["--source", "fixed:37.3349,-122.0090"])
    let none = ["CORELOCATION_SENSORS": machine.folder + "/none"]
    // Magnetic headings need nobody's permission.
    let magnetic = try machine.command("heading", "--count", "1", "--json", variables: none)
    XCTAssertEqual(magnetic.status, 0, magnetic.errors)
    XCTAssertTrue(magnetic.output.contains("\"magneticHeading\":90.0,\"trueHeading\":-1.0"), magnetic.output)
    let uuid = "74278BDA-B644-4520-8F0C-720EAF059935"
    let undecided = try machine.command("beacons", uuid, "--duration", "5", variables: none)
    XCTAssertEqual(undecided.status, 3)
    XCTAssertTrue(undecided.errors.contains("no agent runs"), undecided.errors)
    _ = try machine.command("grant", ServiceMachine.built("corelocation"), "whenInUse")
    let both = try machine.command("heading", "--filter", "-1", "--count", "20", "--json", variables: none)
    XCTAssertEqual(both.status, 0, both.errors)
    XCTAssertTrue(both.output.split(separator: "\n").last?.contains("\"trueHeading\":102.") == true, both.output)
    let unavailable = try machine.command("beacons", uuid, "--duration", "0.5", "--json", variables: none)
    XCTAssertEqual(unavailable.status, 4, unavailable.errors)
    XCTAssertTrue(unavailable.output.contains("didFailRanging"), unavailable.output)
  }

  func test_heading_and_beacons_without_permission_end_where_the_service_has_no_compass() throws {
    let machine = try ServiceMachine(isStarted: false)
    try machine.startDaemon(["--source", "fixed:37.3349,-122.0090"])
    let undecided = try machine.command("heading", "--json")
    XCTAssertEqual(undecided.status, 3, undecided.errors)
    XCTAssertTrue(undecided.errors.contains("no agent runs"), undecided.errors)
    _ = try machine.command("deny", own)
    for command in [["heading"], ["beacons", "74278BDA-B644-4520-8F0C-720EAF059935"]] {
      let denied = try machine.run(command)
      XCTAssertEqual(denied.status, 3, denied.errors)
      XCTAssertTrue(denied.errors.contains("permission denied; \"corelocation grant"), denied.errors)
    }
    // Where it may know where it is, a compass may still come.
    _ = try machine.command("grant", own, "whenInUse")
    let waits = try machine.command("heading", "--duration", "1.5")
    XCTAssertEqual(waits.status, 4, waits.errors)
  }

  func test_a_live_heading_waits_until_the_question_on_its_terminal_is_answered() throws {
    let machine = try ServiceMachine(isStarted: false)
    try layOutSensors(in: machine.sensorFolder)
    let terminal = try Terminal()
    // Nobody listens at the port of discard: a receiver that may come is asked for, and headings come without it.
    let heading = try StartedProgram(
      [own, "heading", "--source", "gpsd:127.0.0.1:9", "--filter", "-1"],
      variables: machine.variables.merging(["TERM": "xterm"]) { $1 }, terminal: terminal)
    let asked = terminal.screen.wait(for: "\r\n> ")
    XCTAssertFalse(asked.contains("heading 90.0"), asked)
    terminal.type("3\n")
    let screen = terminal.screen.wait(for: "heading 90.0")
    let parts = screen.components(separatedBy: "\r\n> ")
    XCTAssertTrue(parts.last?.hasPrefix("3") == true, "the question and its answer stay: \(screen)")
    heading.kill()
  }

  func test_a_service_that_is_away_is_waited_for_and_never_replaced() throws {
    let machine = try ServiceMachine()
    machine.daemon?.kill()
    // Its socket is still there, so that it is expected to come back.
    let outcome = try machine.command("follow", "--duration", "0.5")
    XCTAssertEqual(outcome.status, 4, outcome.errors)
    XCTAssertEqual(outcome.output, "")
  }

  // MARK: airplane

  func test_airplane_mode_reaches_the_service_and_with_user_only_programs_without_it() throws {
    let machine = try ServiceMachine(isStarted: false)
    let state = machine.folder + "/elsewhere"
    try machine.startDaemon(["--state", state])
    XCTAssertEqual(try machine.command("airplane", "on", "--user").status, 0)
    XCTAssertEqual(access(machine.statePath + "/airplane", F_OK), 0)
    XCTAssertEqual(access(state + "/airplane", F_OK), -1)
    XCTAssertEqual(try machine.command("airplane", "on").status, 0)
    XCTAssertEqual(access(state + "/airplane", F_OK), 0)
    XCTAssertEqual(try machine.command("airplane", "off").status, 0)
    XCTAssertEqual(access(state + "/airplane", F_OK), -1)
    XCTAssertEqual(access(machine.statePath + "/airplane", F_OK), -1)
    machine.daemon?.kill()
    let away = try machine.command("airplane", "on")
    XCTAssertEqual(away.status, 1)
    XCTAssertTrue(away.errors.contains("the location service is not: no location service answers"), away.errors)
    XCTAssertEqual(access(machine.statePath + "/airplane", F_OK), 0)
  }

  // MARK: doctor

  private struct Line {
    var mark: String
    var text: String
    var cure: String?
  }

  private func doctor(
    _ machine: ServiceMachine, _ arguments: String...
  ) throws -> (status: Int32, lines: [String: Line], output: String) {
    let outcome = try machine.run(["doctor", "--wait", "0.2", "--json"] + arguments)
    var lines: [String: Line] = [:]
    for line in outcome.output.split(separator: "\n") {
      let object = try XCTUnwrap(JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
      let check = try XCTUnwrap(object["check"] as? String)
      lines[check] =
        lines[check]
        ?? Line(
          mark: object["mark"] as? String ?? "", text: object["text"] as? String ?? "", cure: object["cure"] as? String)
    }
    return (outcome.status, lines, outcome.output + outcome.errors)
  }

  func test_doctor_names_the_service_its_agent_its_switch_and_what_the_app_may_have() throws {
    let machine = try ServiceMachine()
    var answer = try doctor(machine)
    XCTAssertEqual(answer.status, 4, answer.output)
    XCTAssertEqual(
      answer.lines["daemon"]?.text, "Apps use this person's own location service, at \(machine.socketPath).")
    XCTAssertEqual(answer.lines["agent"]?.mark, "look")
    XCTAssertEqual(answer.lines["permission"]?.mark, "look", answer.output)
    XCTAssertEqual(answer.lines["permission"]?.text.contains(own), true, answer.output)
    let walk = machine.appPath("walk")
    let app = try machine.startApp("walk")
    app.output.wait(for: "status notDetermined")
    machine.daemon?.errors.wait(for: "nobody can answer")
    answer = try doctor(machine, "--app", walk)
    XCTAssertEqual(answer.lines["agent"]?.mark, "cause", answer.output)
    XCTAssertEqual(answer.lines["agent"]?.text.hasPrefix("1 question waits"), true, answer.output)
    XCTAssertEqual(answer.lines["permission"]?.mark, "cause")
    XCTAssertEqual(answer.lines["permission"]?.cure, "corelocation grant \(walk) whenInUse")
    // The cure as it is printed.
    XCTAssertEqual(try machine.command("grant", walk, "whenInUse").status, 0)
    app.output.wait(for: "fix 48.5")
    answer = try doctor(machine, "--app", walk)
    XCTAssertEqual(answer.status, 0, answer.output)
    XCTAssertEqual(answer.lines["permission"]?.mark, "ok")
    XCTAssertEqual(answer.lines["receiver"]?.text, "The service's receivers give locations.")
    XCTAssertFalse(answer.output.contains("48.5") || answer.output.contains("11.25"), answer.output)
    XCTAssertEqual(try machine.command("services", "off").status, 0)
    answer = try doctor(machine, "--app", walk)
    XCTAssertEqual(answer.status, 4)
    XCTAssertEqual(answer.lines["services"]?.cure, "corelocation services on")
  }

  func test_doctor_knows_a_service_that_is_away_one_that_is_not_asked_and_that_there_is_none() throws {
    let machine = try ServiceMachine()
    var answer = try doctor(machine, "--source", "fixed:1,2")
    XCTAssertEqual(answer.lines["daemon"]?.mark, "ok")
    XCTAssertEqual(answer.lines["daemon"]?.text.contains("instead of it"), true, answer.output)
    machine.daemon?.kill()
    answer = try doctor(machine)
    XCTAssertEqual(answer.status, 4)
    XCTAssertEqual(answer.lines["daemon"]?.mark, "cause", answer.output)
    XCTAssertEqual(answer.lines["daemon"]?.cure?.contains("start corelocationd"), true)
    unlink(machine.socketPath)
    guard access("/run/corelocation/socket", F_OK) != 0 else { return }
    answer = try doctor(machine)
    XCTAssertEqual(answer.lines["daemon"]?.mark, "ok")
  }
}

extension ServiceMachine {
  func run(_ arguments: [String]) throws -> Outcome {
    try outcome(StartedProgram([Self.built("corelocation")] + arguments, variables: variables))
  }
}
