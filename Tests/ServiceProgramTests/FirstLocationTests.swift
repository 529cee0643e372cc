import Foundation
import Glibc
import XCTest

/// The example that the README begins with, unchanged, with the service: asked, granted, followed. Blocks, so XCTest.
final class FirstLocationTests: XCTestCase {
  private static let examples = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .appendingPathComponent("../../Examples").standardized.path

  /// The example as it is installed: the program and its Info.plist beside it.
  private func start(in machine: ServiceMachine) throws -> (program: StartedProgram, path: String, screen: Printed) {
    let folder = machine.folder + "/FirstLocation"
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: false)
    let path = folder + "/FirstLocation"
    try FileManager.default.copyItem(atPath: ServiceMachine.built("first-location"), toPath: path)
    try FileManager.default.copyItem(
      atPath: Self.examples + "/FirstLocation/Info.plist", toPath: folder + "/Info.plist")
    var variables = machine.variables
    variables["CORELOCATION_INFO_PLIST"] = nil
    // On a terminal each line comes at once; the service's agent asks all the same, and not this terminal.
    let terminal = try Terminal()
    let program = try StartedProgram([path], variables: variables, terminal: terminal)
    return (program, path, terminal.screen)
  }

  private func lines(_ screen: Printed) -> [String] {
    screen.text.split(whereSeparator: \.isNewline).map(String.init)
  }

  func test_FirstLocation_is_asked_for_granted_and_follows_a_journey() throws {
    let machine = try ServiceMachine(isStarted: false)
    try machine.startDaemon(["--source", "gpx:\(Self.examples)/Journeys/walk-drive-stop.gpx?speed=120"])
    let (_, agent) = try machine.startAgent()
    let (program, path, screen) = try start(in: machine)
    screen.wait(for: "Asking for permission.")
    agent.screen.wait(for: "Allow \(path) to use your location?")
    let question = agent.screen.wait(for: "Don't Allow")
    let choice = try XCTUnwrap(question.split(whereSeparator: \.isNewline).last { $0.hasSuffix("  Allow Once") })
    XCTAssertFalse(screen.text.contains("latitude"), screen.text)
    agent.type(choice.split(separator: " ")[0] + "\n")
    screen.wait(for: "Permission granted.")
    // The first place, and then every half kilometre.
    screen.wait(for: "  latitude ", count: 3)
    XCTAssertEqual(Array(lines(screen).prefix(2)), ["Asking for permission.", "Permission granted."])
    XCTAssertFalse(screen.text.contains("Allow Once"), "the app's own terminal was asked")
    let places = lines(screen).filter { $0.contains("  latitude ") }
    XCTAssertEqual(Set(places).count, places.count, "the device moves: \(places)")
    let top = try machine.command("top").output
    XCTAssertTrue(top.contains(path) && top.contains("1 km"), top)
    program.kill()
    // Once was once; the service hears of the end by itself.
    var apps = ""
    for _ in 0..<100 where !apps.contains("not decided") { apps = try machine.command("apps").output }
    XCTAssertTrue(apps.contains("not decided"), apps)
  }
}
