import Foundation
import Glibc
import XCTest

/// The other examples as programs of their own, without a service. Blocks, so XCTest.
final class ExampleProgramTests: XCTestCase {
  private func start(_ name: String, _ arguments: [String] = [], variables: [String: String] = [:]) throws
    -> StartedProgram
  {
    let examples = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .appendingPathComponent("../../Examples").standardized.path
    let settings = [
      "CORELOCATION_SOURCE": "fixed:47.5,19.2", "CORELOCATION_AUTHORIZATION": "always",
      "CORELOCATION_INFO_PLIST": "\(examples)/\(name)/Info.plist",
      // Its own for each start: a place that an earlier run has kept is no significant change.
      "XDG_STATE_HOME": NSTemporaryDirectory() + "example-\(UUID().uuidString)",
    ]
    return try StartedProgram(
      [ServiceMachine.built(name)] + arguments, variables: settings.merging(variables) { $1 })
  }

  func test_BackgroundTracker_tracks_from_its_launch_and_tells_how_much_it_found_at_its_end() throws {
    for keeper in ["session", "tasks"] {
      let program = try start("BackgroundTracker", variables: ["CORELOCATION_EXAMPLE_KEEPER": keeper])
      program.output.wait(for: "latitude 47.50000, longitude 19.20000", count: 2)
      program.signal(SIGTERM)
      let text = program.output.all()
      XCTAssertTrue(text.hasSuffix(" locations.\n"), "\(text)\(program.errors.text)")
    }
  }

  func test_GuideListings_print_where_the_device_is() throws {
    // Started for an event it has no arguments.
    for (listing, reason) in [(["standard"], "person"), (["significant"], "person"), ([], "location")] {
      let program = try start("GuideListings", listing, variables: ["CORELOCATION_LAUNCH_REASON": reason])
      program.output.wait(for: "latitude 47.500000, longitude 19.200000")
      program.kill()
    }
  }

  func test_GuideListings_refuse_a_listing_that_they_do_not_know() throws {
    let program = try start("GuideListings", ["other"])
    XCTAssertEqual(program.output.all(), "GuideListings: standard or significant, not other.\n")
  }
}
