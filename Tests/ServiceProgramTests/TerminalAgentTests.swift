import Foundation
import Glibc
import XCTest

/// `corelocation agent` on a terminal, with the real daemon and real apps. XCTest, since these tests block.
final class TerminalAgentTests: XCTestCase {
  /// The number that stands before a choice on the screen.
  private func number(of choice: String, on screen: String) throws -> String {
    let line = try XCTUnwrap(screen.split(whereSeparator: \.isNewline).last { $0.hasSuffix("  " + choice) }, screen)
    return line.split(separator: " ").first.map(String.init) ?? ""
  }

  /// Waits for a question that ends with its prompt sign, and answers it.
  private func answer(
    _ choice: String, _ suffix: String = "", to app: String, on terminal: Terminal, count: Int = 1
  ) throws {
    let question = "Allow \(app) to use your location?"
    terminal.screen.wait(for: question, count: count)
    // The sign is written with the question.
    let screen = terminal.screen.wait(for: "Don't Allow", count: count)
    terminal.type(try number(of: choice, on: screen) + suffix + "\n")
  }

  func test_the_question_shows_who_asks_and_why_and_the_answer_is_told_kept_and_obeyed() throws {
    let machine = try ServiceMachine()
    let (_, terminal) = try machine.startAgent()
    let app = try machine.startApp("walk")
    try answer("Allow While Using App", to: machine.appPath("walk"), on: terminal)
    XCTAssertTrue(terminal.screen.text.contains("\"To show where you are.\""), terminal.screen.text)
    app.output.wait(for: "status authorizedWhenInUse full")
    app.output.wait(for: "fix 48.5")
    let apps = try machine.command("apps")
    XCTAssertTrue(apps.output.contains("whenInUse"), apps.output)
    app.kill()
    // Nobody is asked a second time.
    let again = try machine.startApp("walk")
    again.output.wait(for: "fix 48.5")
    XCTAssertEqual(terminal.screen.text.components(separatedBy: "Allow While Using App").count, 2)
  }

  func test_Allow_Once_ends_with_the_app_and_Dont_Allow_is_denied() throws {
    let machine = try ServiceMachine()
    let (_, terminal) = try machine.startAgent()
    let once = try machine.startApp("once")
    try answer("Allow Once", to: machine.appPath("once"), on: terminal)
    once.output.wait(for: "fix 48.5")
    once.kill()
    let refused = try machine.startApp("refused")
    try answer("Don't Allow", to: machine.appPath("refused"), on: terminal)
    refused.output.wait(for: "status denied")
    // kCLErrorDenied.
    refused.output.wait(for: "failed 1")
    let again = try machine.startApp("once")
    again.output.wait(for: "status notDetermined")
    terminal.screen.wait(for: "Allow \(machine.appPath("once")) to use your location?", count: 2)
  }

  func test_an_r_behind_the_number_gives_coarse_locations_and_what_is_no_choice_is_asked_again() throws {
    let machine = try ServiceMachine()
    let (_, terminal) = try machine.startAgent()
    let app = try machine.startApp("walk")
    terminal.screen.wait(for: "Allow \(machine.appPath("walk")) to use your location?")
    terminal.screen.wait(for: "> ")
    terminal.type("maybe\n")
    terminal.screen.wait(for: "Type a number from 1 to 3.")
    try answer("Allow While Using App", "r", to: machine.appPath("walk"), on: terminal)
    app.output.wait(for: "status authorizedWhenInUse reduced")
    let fix = app.output.wait(for: "fix ").split(separator: "\n").last { $0.hasPrefix("fix ") }
    let accuracy = try XCTUnwrap(fix?.split(separator: "±").last.flatMap { Int($0) })
    // Kilometres, and never the place itself (behaviour 1.41).
    XCTAssertGreaterThanOrEqual(accuracy, 1_000)
    XCTAssertFalse(app.output.text.contains("fix 48.5 "))
  }

  func test_the_later_question_changes_to_Always() throws {
    let machine = try ServiceMachine()
    let (_, terminal) = try machine.startAgent()
    let app = try machine.startApp("walk", "always")
    try answer("Allow While Using App", to: machine.appPath("walk"), on: terminal)
    terminal.screen.wait(for: "even when you are not using it?")
    let screen = terminal.screen.wait(for: "Change to Always Allow")
    XCTAssertTrue(screen.contains("\"To remind you.\""), screen)
    terminal.type(try number(of: "Change to Always Allow", on: screen) + "\n")
    app.output.wait(for: "status authorizedAlways full")
  }

  func test_questions_of_several_apps_queue_and_the_next_agent_goes_on_where_one_is_killed() throws {
    let machine = try ServiceMachine()
    let (first, firstTerminal) = try machine.startAgent()
    let walk = try machine.startApp("walk")
    firstTerminal.screen.wait(for: "Allow \(machine.appPath("walk")) to use your location?")
    // After the question: of two that start together either may be the first to the service.
    let (_, secondTerminal) = try machine.startAgent()
    let ride = try machine.startApp("ride")
    ride.output.wait(for: "status notDetermined")
    XCTAssertFalse(secondTerminal.screen.text.contains("Allow"))
    first.kill()
    try answer("Allow Once", to: machine.appPath("walk"), on: secondTerminal)
    walk.output.wait(for: "fix 48.5")
    try answer("Don't Allow", to: machine.appPath("ride"), on: secondTerminal, count: 1)
    ride.output.wait(for: "status denied")
    XCTAssertFalse(firstTerminal.screen.text.contains(machine.appPath("ride")))
  }

  func test_a_question_whose_app_ends_is_withdrawn_and_the_next_one_is_asked() throws {
    let machine = try ServiceMachine()
    let (_, terminal) = try machine.startAgent()
    let app = try machine.startApp("walk")
    terminal.screen.wait(for: "Allow \(machine.appPath("walk")) to use your location?")
    app.kill()
    terminal.screen.wait(for: "(the question was withdrawn)")
    let other = try machine.startApp("ride")
    try answer("Don't Allow", to: machine.appPath("ride"), on: terminal, count: 1)
    other.output.wait(for: "status denied")
  }

  /// Behaviour 1.12: a person who refused is led to Settings.
  func test_an_app_opens_its_settings_and_the_person_changes_them_on_the_agents_terminal() throws {
    let machine = try ServiceMachine()
    XCTAssertEqual(try machine.command("deny", machine.appPath("walk")).status, 0)
    let alone = try machine.startApp("walk", "settings")
    alone.output.wait(for: "settings false")
    alone.kill()
    let (_, terminal) = try machine.startAgent()
    let app = try machine.startApp("walk", "settings")
    app.output.wait(for: "settings true")
    terminal.screen.wait(for: "Settings of \(machine.appPath("walk"))")
    terminal.screen.wait(for: "Location: Never")
    terminal.type(try number(of: "While Using the App", on: terminal.screen.wait(for: "Done")) + "\n")
    app.output.wait(for: "fix 48.5")
    terminal.screen.wait(for: "Location: While Using the App")
    var screen = terminal.screen.wait(for: "Done", count: 2)
    terminal.type(try number(of: "Turn Precise Location Off", on: screen) + "\n")
    app.output.wait(for: "status authorizedWhenInUse reduced")
    terminal.screen.wait(for: "Precise Location: Off")
    screen = terminal.screen.wait(for: "Done", count: 3)
    terminal.type(try number(of: "Done", on: screen) + "\n")
    let other = try machine.startApp("ride")
    try answer("Allow While Using App", to: machine.appPath("ride"), on: terminal)
    other.output.wait(for: "fix 48.5")
    XCTAssertEqual(terminal.screen.text.components(separatedBy: "Settings of ").count, 4)
  }

  func test_Control_D_puts_a_question_off_to_the_next_agent() throws {
    let machine = try ServiceMachine()
    let (_, firstTerminal) = try machine.startAgent()
    let app = try machine.startApp("walk")
    firstTerminal.screen.wait(for: "> ")
    firstTerminal.type("\u{4}")
    let (_, secondTerminal) = try machine.startAgent()
    try answer("Allow Once", to: machine.appPath("walk"), on: secondTerminal)
    app.output.wait(for: "status authorizedWhenInUse full")
  }

  func test_an_answer_that_cannot_be_kept_does_not_count_and_is_asked_for_again() throws {
    let machine = try ServiceMachine()
    let (_, terminal) = try machine.startAgent()
    let app = try machine.startApp("walk")
    let store = machine.statePath + "/store.sqlite"
    // What is written to a file that has lost its name would be gone with the service.
    try FileManager.default.moveItem(atPath: store, toPath: store + ".away")
    try answer("Allow While Using App", to: machine.appPath("walk"), on: terminal)
    terminal.screen.wait(for: "This answer does not count: \(store)")
    machine.daemon?.errors.wait(for: "is not taken: \(store)")
    XCTAssertFalse(app.output.text.contains("authorized"))
    try FileManager.default.moveItem(atPath: store + ".away", toPath: store)
    try answer("Allow While Using App", to: machine.appPath("walk"), on: terminal, count: 2)
    app.output.wait(for: "fix 48.5")
  }

  func test_an_agent_and_an_app_go_on_with_a_service_that_was_killed_and_started_again() throws {
    let machine = try ServiceMachine()
    let (_, terminal) = try machine.startAgent()
    let app = try machine.startApp("walk")
    terminal.screen.wait(for: "Allow \(machine.appPath("walk")) to use your location?")
    machine.daemon?.kill()
    terminal.screen.wait(for: "the location service has gone; waiting for it")
    terminal.screen.wait(for: "(the question was withdrawn)")
    try machine.startDaemon()
    terminal.screen.wait(for: "the location service is back")
    try answer("Allow While Using App", to: machine.appPath("walk"), on: terminal, count: 2)
    app.output.wait(for: "fix 48.5")
  }

  func test_services_off_is_told_once_a_launch_with_the_command_that_helps() throws {
    let machine = try ServiceMachine()
    let (_, terminal) = try machine.startAgent()
    XCTAssertEqual(try machine.command("grant", machine.appPath("walk"), "whenInUse").status, 0)
    XCTAssertEqual(try machine.command("services", "off").status, 0)
    let alert = "Turn on Location Services?"
    for launch in 1...2 {
      let app = try machine.startApp("walk", "again")
      app.output.wait(for: "failed 1", count: 2)
      terminal.screen.wait(for: alert, count: launch)
      app.kill()
      // The answer comes after all that the service had to say before.
      XCTAssertEqual(try machine.command("status").status, 0)
      XCTAssertEqual(terminal.screen.text.components(separatedBy: alert).count, launch + 1)
    }
    let app = try machine.startApp("walk")
    app.output.wait(for: "failed 1")
    XCTAssertEqual(try machine.command("services", "on").status, 0)
    app.output.wait(for: "status authorizedWhenInUse full")
    app.output.wait(for: "fix 48.5")
  }

  func test_without_a_terminal_and_a_desktop_it_says_what_else_helps() throws {
    let machine = try ServiceMachine()
    let nothing = try machine.command(
      "agent", variables: ["XDG_RUNTIME_DIR": "", "CORELOCATION_SOCKET": machine.socketPath])
    XCTAssertEqual(nothing.status, 1)
    XCTAssertTrue(nothing.errors.contains("neither a terminal nor a desktop session"), nothing.errors)
    let desktop = try machine.command("agent", "--desktop")
    XCTAssertEqual(desktop.status, 1)
    XCTAssertTrue(desktop.errors.contains("decide with \"corelocation grant\""), desktop.errors)
  }

  func test_a_confined_process_and_another_user_may_neither_answer_nor_decide() throws {
    let machine = try ServiceMachine()
    let command = ServiceMachine.built("corelocation")
    let confined = machine.outcome(
      try StartedProgram(["unshare", "--map-root-user", "--mount", command, "apps"], variables: machine.variables))
    if confined.errors.contains("unshare:") {
      print("SKIPPED: no container can be made here (\(confined.errors)).")
    } else {
      XCTAssertEqual(confined.status, 1)
      XCTAssertTrue(confined.errors.contains("refuses"), confined.errors)
    }
    guard getuid() == 0 else { return print("SKIPPED: only root can become another user.") }
    // Everybody may connect, and the service decides.
    for path in [machine.folder, machine.folder + "/run", machine.folder + "/run/corelocation"] {
      chmod(path, 0o755)
    }
    chmod(machine.socketPath, 0o666)
    let other = machine.outcome(
      try StartedProgram(
        ["setpriv", "--reuid", "65534", "--clear-groups", command, "apps"], variables: machine.variables))
    XCTAssertEqual(other.status, 1)
    XCTAssertTrue(other.errors.contains("another user (65534)"), other.errors)
  }
}
