import Foundation
import Glibc
import LinuxIO
import XCTest

@testable import LocationService

/// Apps in the hands of a person: the real commands, the real service, real apps. XCTest, since it blocks.
final class AppCommandsTests: XCTestCase {
  private var folder: BundleFolder!

  override func setUpWithError() throws { folder = try BundleFolder() }
  override func tearDown() { folder = nil }

  private static let done = RunningService.Answer(status: 0, output: "", errors: "")

  /// A bundle around supervised-program.
  private func makeBundle(
    _ name: String = "Walk.app", identifier: String = "org.example.walk", keys: String = ""
  ) throws -> String {
    let path = try folder.make(name, identifier: identifier, keys: keys, program: nil)
    let program = path + "/" + name.dropLast(4)
    try FileManager.default.copyItem(atPath: SupervisorBench.program(), toPath: program)
    return path
  }

  func testAppIsInstalledLaunchedAndEndedWithAllThatItHasStarted() throws {
    let service = try RunningService(role: "family")
    let bundle = try makeBundle()
    XCTAssertEqual(
      try service.ask("install", bundle),
      RunningService.Answer(status: 0, output: "org.example.walk is installed.\n", errors: ""))
    XCTAssertTrue(try service.ask("apps").output.contains("org.example.walk"))
    XCTAssertEqual(try service.ask("terminate", "walk").output, "org.example.walk does not run.\n")
    for (name, force) in [("org.example.walk", false), ("walk", true), (bundle, true)] {
      XCTAssertEqual(try service.ask("launch", name), Self.done)
      let family = try service.family()
      XCTAssertEqual(family.count, 3)
      XCTAssertEqual(try service.ask("background", name), Self.done)
      XCTAssertEqual(try service.ask("foreground", name), Self.done)
      XCTAssertEqual(try service.ask("launch", name), Self.done, "it comes to the foreground")
      let end = force ? try service.ask("terminate", name, "--force") : try service.ask("terminate", name)
      XCTAssertEqual(end, Self.done)
      XCTAssertNil(ProcessFamily.process(family[0]), "it has ended when the command returns")
      // The service is the parent of what the app has left, and takes note of its end.
      XCTAssertTrue(comes { family.allSatisfy { ProcessFamily.process($0) == nil } })
    }
    let groups = GroupTree.find(owner: service.socketPath)
    XCTAssertTrue(comes { groups?.leftovers ?? [] == [] }, "no group is left")
  }

  func testServiceKnowsAnAppThatConnectsByItsBundle() throws {
    let service = try RunningService(role: "client")
    let bundle = try makeBundle()
    XCTAssertEqual(try service.ask("install", bundle).status, 0)
    XCTAssertEqual(try service.ask("launch", bundle), Self.done)
    let line = try service.line { $0.contains("is let go") }
    XCTAssertTrue(line.contains("org.example.walk (process "), line)
    XCTAssertEqual(try service.ask("terminate", bundle), Self.done)
  }

  func testAppThatDoesNotRunIsToldFromOneThatIsNotInstalled() throws {
    let service = try RunningService(role: "spin")
    let bundle = try makeBundle()
    let unknown = try service.ask("launch", bundle)
    XCTAssertEqual(unknown.status, 1)
    XCTAssertTrue(unknown.errors.contains("is not installed"))
    XCTAssertEqual(try service.ask("install", bundle).status, 0)
    let idle = try service.ask("foreground", bundle)
    XCTAssertEqual(idle.status, 1)
    XCTAssertTrue(idle.errors.contains("does not run"))
  }

  /// Seed 000: the store keeps apps from devices that lack what they require.
  func testDeviceWithoutWhatAnAppRequiresRefusesIt() throws {
    let service = try RunningService(role: "spin")
    func keys(_ value: String) -> String { "<key>UIRequiredDeviceCapabilities</key>\(value)" }
    let list = keys("<array><string>gps</string><string>location-services</string><string>armv7</string></array>")
    let needsGPS = try makeBundle(keys: list)
    let refused = try service.ask("install", needsGPS)
    XCTAssertEqual(refused.status, 1)
    XCTAssertTrue(refused.errors.contains("lacks what the app requires (UIRequiredDeviceCapabilities): gps."))
    XCTAssertFalse(try service.ask("apps").output.contains("walk"))
    XCTAssertEqual(try service.ask("install", needsGPS, variables: ["CORELOCATION_SOURCE": "fixed:1,2"]).status, 0)
    XCTAssertEqual(try service.ask("uninstall", "walk"), Self.done)
    let assumed = try service.ask("install", needsGPS, "--assume", "gps")
    XCTAssertEqual(
      assumed.output, "org.example.walk is installed.\nNot looked at: armv7 (UIRequiredDeviceCapabilities).\n")
    XCTAssertEqual(try service.ask("install", needsGPS, "--assume", "camera").status, 1)

    let dictionary = keys("<dict><key>location-services</key><false/></dict>")
    let without = try makeBundle("Run.app", identifier: "org.example.run", keys: dictionary)
    let excluded = try service.ask("install", without)
    XCTAssertEqual(excluded.status, 1)
    XCTAssertTrue(excluded.errors.contains("has what the app rules out"))
  }

  func testAppThatRunsIsNeitherReplacedNorUninstalled() throws {
    let service = try RunningService(role: "deaf")
    let bundle = try makeBundle()
    let moved = try makeBundle("Elsewhere.app")
    XCTAssertEqual(try service.ask("install", bundle).status, 0)
    XCTAssertEqual(try service.ask("launch", bundle), Self.done)
    for arguments in [["install", moved], ["uninstall", bundle]] {
      let refused = try service.ask(arguments[0], arguments[1])
      XCTAssertEqual(refused.status, 1)
      XCTAssertTrue(refused.errors.contains("corelocation terminate org.example.walk"), refused.errors)
    }
    XCTAssertEqual(try service.ask("install", bundle).status, 0, "built anew in its place, it is the same app")
    XCTAssertEqual(try service.ask("terminate", bundle, "--force"), Self.done)
    XCTAssertEqual(try service.ask("install", moved).status, 0)
    XCTAssertEqual(try service.ask("uninstall", moved), Self.done)
    XCTAssertFalse(try service.ask("apps").output.contains("walk"))
  }

  func testBundleThatHasBecomeAnotherIsNotLaunched() throws {
    let service = try RunningService(role: "spin")
    let bundle = try makeBundle()
    XCTAssertEqual(try service.ask("install", bundle).status, 0)
    try folder.make(identifier: "org.example.other", program: nil)
    let refused = try service.ask("launch", bundle)
    XCTAssertEqual(refused.status, 1)
    XCTAssertTrue(refused.errors.contains("install it again"))
  }

  func testServiceThatStopsOrIsKilledLeavesNoAppBehind() throws {
    let bundle = try makeBundle()
    let first = try RunningService(role: "family")
    XCTAssertEqual(try first.ask("install", bundle).status, 0)
    XCTAssertEqual(try first.ask("launch", bundle), Self.done)
    let family = try first.family()
    first.kill()
    let second = try RunningService(role: "family", in: first.folder)
    XCTAssertTrue(comes { family.allSatisfy(hasEnded) }, "the next run ends what it cannot watch over")
    XCTAssertEqual(try second.ask("launch", bundle), Self.done, "it is still installed")
    let next = try second.family()
    second.stop()
    XCTAssertTrue(next.allSatisfy(hasEnded), "they have ended before the service has")
    XCTAssertEqual(GroupTree.find(owner: second.socketPath)?.leftovers ?? [], [])
  }
}
