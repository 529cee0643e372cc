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
    _ name: String = "Walk.app", identifier: String = "org.example.walk", keys: String = "", isDescribed: Bool = true
  ) throws -> String {
    let usage = "<key>NSLocationWhenInUseUsageDescription</key><string>Shows where you are.</string>"
    let path = try folder.make(name, identifier: identifier, keys: keys + (isDescribed ? usage : ""), program: nil)
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

  /// Such an app is installed all the same: it may get its permission from a person's command.
  func testWhatAnInfoPlistLacksForLocationIsSaidWithTheInstallation() throws {
    let service = try RunningService(role: "spin")
    let bundle = try makeBundle(
      keys: "<key>UIBackgroundModes</key><string>location</string>", isDescribed: false)
    XCTAssertEqual(
      try service.ask("install", bundle),
      RunningService.Answer(
        status: 0,
        output: """
          org.example.walk is installed.
          Without a text of NSLocationWhenInUseUsageDescription the app cannot ask under the rules since iOS 11, and \
          has locations only where "corelocation grant" allows it.
          UIBackgroundModes is no array of strings and counts as absent: updates do not go on in the background.

          """, errors: ""))
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
    let garbage = try service.ask("install", needsGPS, variables: ["CORELOCATION_SOURCE": "garbage"])
    XCTAssertEqual(garbage.status, 2)
    XCTAssertTrue(garbage.errors.contains("CORELOCATION_SOURCE: "), garbage.errors)
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

  /// Seed 000, on the other side of the gate.
  func testDeviceWhoseSourceIsAReceiverOrARecordingAcceptsAnAppThatRequiresOneAndRefusesOneThatRulesItOut() throws {
    let pipe = folder.path + "/receiver"
    XCTAssertEqual(mkfifo(pipe, 0o600), 0)
    let recording = URL(fileURLWithPath: #filePath)
      .appendingPathComponent("../../../../Examples/Journeys/commute.gpx").standardized.path
    let needs = try makeBundle(
      keys: "<key>UIRequiredDeviceCapabilities</key><array><string>gps</string></array>")
    let without = try makeBundle(
      "Run.app", identifier: "org.example.run",
      keys: "<key>UIRequiredDeviceCapabilities</key><dict><key>gps</key><false/></dict>")
    for source in ["nmea:\(pipe)", "gpx:\(recording)", "geoclue:"] {
      let service = try RunningService(role: "spin", source: source)
      let (first, second) = (try service.ask("install", needs), try service.ask("install", without))
      let (accepted, refused) = source == "geoclue:" ? (second, first) : (first, second)
      XCTAssertEqual(accepted.status, 0, "\(source): \(accepted.errors)")
      XCTAssertEqual(refused.status, 1, source)
      let words = source == "geoclue:" ? "lacks what the app requires" : "has what the app rules out"
      XCTAssertTrue(refused.errors.contains("\(words) (UIRequiredDeviceCapabilities): gps."), refused.errors)
      let apps = try service.ask("apps").output
      XCTAssertEqual(apps.contains("org.example.walk"), source != "geoclue:", apps)
      XCTAssertEqual(apps.contains("org.example.run"), source == "geoclue:", apps)
    }
  }

  func testBundleThatIsNoneIsRefusedWithWhatHelps() throws {
    let service = try RunningService(role: "spin")
    for (name, text, help) in [
      ("-x", "\u{7F}ELF", "no dash at the beginning"), ("..", "\u{7F}ELF", "such as org.example.walk"),
      ("org.example.walk", "", "is empty"), ("org.example.walk", "walk\n", "no program file of Linux (ELF)"),
    ] {
      let refused = try service.ask("install", try folder.make(identifier: name, text: text))
      XCTAssertEqual(refused.status, 1)
      XCTAssertTrue(refused.errors.contains(help), refused.errors)
    }
    XCTAssertFalse(try service.ask("apps").output.contains("walk"))
  }

  /// Whoever reads a line of the command or of the service's log reads one line.
  func testNewlineInAPathOrANameIsPrintedEscaped() throws {
    let service = try RunningService(role: "spin")
    let inPath = try folder.make("Wa\nlk.app", program: "Wa\nlk")
    let inName = try folder.make("Run.app", identifier: "org\nexample", program: "Run")
    let program = try folder.make("Go.app", keys: "<key>CFBundleExecutable</key><string>a\nb</string>")
    for (arguments, shown) in [
      (["install", inPath], "Wa\\nlk.app"), (["install", inName], "org\\nexample"),
      (["install", program], "Go.app/a\\nb"),
      (["install", "/no\nthing.app"], "/no\\nthing.app"), (["launch", "wa\nlk"], "wa\\nlk"),
      (["launch", "/no\nthing.app"], "/no\\nthing.app"), (["log", "--app", "wa\nlk"], "wa\\nlk"),
    ] {
      let refused = try service.ask(arguments)
      XCTAssertEqual(refused.status, 1, "\(arguments)")
      XCTAssertTrue(refused.errors.contains(shown), refused.errors)
      XCTAssertEqual(refused.errors.split(separator: "\n").count, 1, refused.errors)
    }
    let wrong = try service.ask(["launch", "walk", "a\nb"])
    XCTAssertEqual(wrong.status, 2)
    XCTAssertEqual(
      wrong.errors, "corelocation: unexpected \"a\\nb\"\nTry \"corelocation launch --help\".\n")
    // Decided before its program has ever asked, it stands in the list.
    XCTAssertEqual(try service.ask(["grant", "/usr/bin/wa\nlk", "whenInUse"]).status, 0)
    XCTAssertTrue(try service.ask("apps").output.contains("/usr/bin/wa\\nlk "))
    let line = try service.line { $0.contains("decided for") }
    XCTAssertTrue(line.hasSuffix("decided for /usr/bin/wa\\nlk."), line)
  }

  func testArgumentsAreThoseOfAStartAndNotOfAnAppThatRuns() throws {
    let service = try RunningService(role: "arguments")
    let bundle = try makeBundle()
    XCTAssertEqual(try service.ask("install", bundle).status, 0)
    XCTAssertEqual(try service.ask("launch", "walk", "--", "significant", "--loud", "a b", ""), Self.done)
    let told = try (0..<4).map { _ in try service.line { $0.hasPrefix("argument ") } }
    XCTAssertEqual(told, ["argument significant", "argument --loud", "argument a b", "argument "])
    let again = try service.ask("launch", "walk", "--", "standard")
    XCTAssertEqual(again.status, 1)
    XCTAssertTrue(again.errors.contains("only a start has arguments; end it first"), again.errors)
    XCTAssertEqual(try service.ask("launch", "walk"), Self.done, "it comes to the foreground")
    XCTAssertEqual(try service.ask("terminate", "walk", "--force"), Self.done)
    // Another start has none, and -- ends the options before the bundle, too.
    XCTAssertEqual(try service.ask("launch", "--", "walk"), Self.done)
    XCTAssertEqual(try service.line { $0.hasPrefix("argument") || $0.hasPrefix("ready") }.prefix(5), "ready")
    XCTAssertEqual(try service.ask("launch", "walk", "standard").status, 2)
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

  func testEveryLaunchOfAnAppThatIsBeingEndedOpensItWhenItHasEnded() throws {
    let service = try RunningService(role: "deaf")
    let bundle = try makeBundle()
    XCTAssertEqual(try service.ask("install", bundle).status, 0)
    XCTAssertEqual(try service.ask("launch", bundle), Self.done)
    _ = try service.line { $0.hasPrefix("ready") }
    // Its five seconds for last words pass (applicationWillTerminate(_:)).
    let end = try service.begin(["terminate", bundle])
    XCTAssertTrue(comes { (try? service.ask("foreground", bundle).errors.contains("is being ended")) == true })
    let launches = try (0..<2).map { _ in try service.begin(["launch", bundle]) }
    XCTAssertEqual(end(), Self.done)
    for launch in launches { XCTAssertEqual(launch(), Self.done) }
    XCTAssertEqual(try service.ask("terminate", bundle, "--force"), Self.done)
  }

  func testBundleThatIsGoneIsNamedByTheSamePathAsBefore() throws {
    let service = try RunningService(role: "spin")
    let bundle = try makeBundle()
    XCTAssertEqual(try service.ask(["install", "Walk.app"], in: folder.path).status, 0)
    try FileManager.default.removeItem(atPath: bundle)
    for name in ["Walk.app", "./Walk.app/", "../\((folder.path as NSString).lastPathComponent)/Walk.app"] {
      XCTAssertEqual(
        try service.ask(["terminate", name], in: folder.path).output, "org.example.walk does not run.\n", name)
    }
    let refresh = try service.ask(["refresh", "off", "--app", "Walk.app"], in: folder.path)
    XCTAssertEqual(refresh, Self.done)
    XCTAssertEqual(try service.ask(["uninstall", "Walk.app"], in: folder.path), Self.done)
  }

  func testServiceThatWasKilledLeavesNoFrozenAppForTheNextOneAtAnotherSocket() throws {
    let bundle = try makeBundle()
    let first = try RunningService(role: "family")
    XCTAssertEqual(try first.ask("install", bundle).status, 0)
    XCTAssertEqual(try first.ask("launch", bundle), Self.done)
    let family = try first.family()
    XCTAssertEqual(try first.ask("background", bundle), Self.done)
    XCTAssertTrue(comes { (try? first.ask("apps").output.contains("suspended")) == true })
    first.kill()
    let second = try RunningService(role: "family", in: first.folder, socketName: "other")
    XCTAssertEqual(GroupTree.find(owner: first.socketPath)?.leftovers ?? [], [], "nor its group")
    XCTAssertTrue(comes { family.allSatisfy(hasEnded) })
    XCTAssertEqual(try second.ask("launch", bundle), Self.done)
    second.stop()
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
