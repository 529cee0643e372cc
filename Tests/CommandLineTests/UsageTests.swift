import Foundation
import Testing

@Suite("The command line reads its arguments by getopt_long's conventions and says what is wrong", .serialized)
struct UsageTests {
  static let serviceCommands = [
    "apps", "grant", "deny", "reset", "services", "regions", "status", "top", "log", "agent", "install", "uninstall",
    "launch", "foreground", "background", "terminate", "refresh",
  ]

  @Test("help is a result: standard output, status 0, and it names every command")
  func generalHelp() throws {
    let run = try CommandRun("--help")
    #expect(run.status == 0)
    #expect(run.errors.isEmpty)
    for name in ["follow", "record", "locate", "simulate", "compare", "beacons", "distance"] + Self.serviceCommands {
      #expect(run.output.contains(name))
    }
  }

  @Test(
    "every command has help with its options",
    arguments: [
      ("follow", ["--source", "--accuracy", "--distance-filter", "--count", "--duration", "--speed", "--json"]),
      ("locate", ["--source", "--accuracy", "--timeout", "--json"]),
      (
        "simulate",
        [
          "--service", "--accuracy", "--distance-filter", "--activity", "--no-pause", "--policy", "--region",
          "--regions",
          "--compass", "--beacons", "--beacon-seed", "--json", "--report", "--explain", "--profile", "--seed",
        ]
      ),
      ("record", ["--source", "--accuracy", "--distance-filter", "--count", "--duration", "--speed", "--json"]),
      (
        "compare",
        [
          "--distance-filter", "--activity", "--no-pause", "--policy", "--region", "--regions", "--profile", "--seed",
          "--json",
        ]
      ),
      ("heading", ["--source", "--filter", "--count", "--duration", "--json"]), ("distance", ["--json"]),
      ("beacons", ["--major", "--minor", "--count", "--duration", "--json"]),
    ])
  func commandHelp(name: String, options: [String]) throws {
    for help in ["--help", "-h", "--he"] {
      let run = try CommandRun(name, help)
      #expect(run.status == 0 && run.errors.isEmpty)
      for option in options { #expect(run.output.contains("  \(option)")) }
    }
  }

  @Test("every option of simulate and compare stands in docs/recordings.md", arguments: ["simulate", "compare"])
  func documentedOptions(name: String) throws {
    let path = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent().appendingPathComponent("docs/recordings.md").path
    let text = try String(contentsOfFile: path, encoding: .utf8)
    let chapter = try #require(text.components(separatedBy: "\n## ").first { $0.hasPrefix("\(name)\n") })
    let options = try CommandRun(name, "--help").output.matches(of: /\n  (--[a-z-]+)/).map { String($0.1) }
    #expect(options.count > 8)
    for option in options where option != "--help" { #expect(chapter.contains("`\(option)"), "\(option)") }
  }

  @Test("--version prints a name and a version")
  func version() throws {
    let run = try CommandRun("--version")
    #expect(run.status == 0)
    #expect(run.output.wholeMatch(of: /corelocation \d+\.\d+\.\d+\n/) != nil)
  }

  @Test(
    "wrong usage is status 2, with the culprit named and nothing on standard output",
    arguments: [
      ([], "command"), (["fly"], "\"fly\""), (["--fly"], "--fly"), (["simulate"], "TRACK"), (["record"], "FILE"),
      (["simulate", "a", "b"], "\"b\""), (["simulate", "x", "--fly"], "--fly"), (["simulate", "x", "-f"], "-f"),
      (["simulate", "x", "--a", "best"], "--accuracy, --activity"), (["simulate", "x", "--policy"], "--policy"),
      (["simulate", "x", "--policy="], "--policy"), (["simulate", "x", "--report="], "--report"),
      (["simulate", "x", "--json=yes"], "--json"),
      (["simulate", "x", "--profile", "fone"], "receiver, legacy2010, phone, tracker"),
      (["compare", "x", "--profile="], "--profile"), (["compare", "x", "--seed", "-1"], "--seed"),
      (["simulate", "x", "--service", "bus"], "--service"),
      (["simulate", "x", "--service", "visits,bus"], "found \"bus\""),
      (["simulate", "x", "--service", ""], "--service"),
      (["simulate", "x", "--service", "visits", "--service", "none"], "none stands alone"),
      (["simulate", "x", "--activity", "swim"], "--activity"), (["follow", "--accuracy", "5m"], "--accuracy"),
      (["follow", "--source", "walk.gpx"], "gpx:walk.gpx"), (["follow", "--source", "galileo:"], "--source"),
      (["follow", "--source", "fixed:91,0"], "--source"), (["follow", "walk.gpx"], "\"walk.gpx\""),
      (["follow", "--source", "fixed:1,2", "--speed", "2"], "--speed"), (["distance", "1,2"], "LAT,LON"),
      (["distance", "1,2", "91,0"], "91,0"), (["distance", "1,2", "1;2"], "1;2"),
      (["distance", "1,2", "1,2,3"], "1,2,3"),
      (["distance", "nan,2", "1,2"], "nan,2"), (["distance", "", "1,2"], "\"\""),
    ] as [([String], String)])
  func wrongUsage(arguments: [String], culprit: String) throws {
    let run = try CommandRun(arguments: arguments)
    #expect(run.status == 2 && run.output.isEmpty)
    #expect(run.errors.hasPrefix("corelocation: ") && run.errors.contains(culprit), "\(run.errors)")
    #expect(run.errors.contains("--help"))
  }

  @Test(
    "a number that is none, or out of range, is wrong usage that names the option and what was expected",
    arguments: [
      "--distance-filter", "--count", "--duration", "--speed",
    ], ["nan", "inf", "-2", "1e300", "", "five", "0x10", "1,5", "99999999999999999999"])
  func badNumbers(option: String, text: String) throws {
    let run = try CommandRun("follow", "--source", "fixed:1,2", option, text)
    #expect(run.status == 2 && run.output.isEmpty)
    #expect(run.errors.contains(option) && run.errors.contains("expected") && run.errors.contains("\"\(text)\""))
  }

  @Test("the sentence names the whole range that is accepted", arguments: ["--speed", "--duration"])
  func range(option: String) throws {
    let run = try CommandRun("follow", "--source", "gpx:\(Journey.path)", option, "1e-9")
    #expect(run.status == 2 && run.errors.contains("from 0.000001 to 10000"), "\(run.errors)")
    let source = try CommandRun("follow", "--source", "gpx:\(Journey.path)?speed=1e-9")
    #expect(source.status == 2 && source.errors.contains("from 0.000001 to 1000000"), "\(source.errors)")
  }

  @Test("a distance filter of -1, Apple's kCLDistanceFilterNone, is every fix", arguments: ["-1", "-1.0", "0"])
  func noFilter(text: String) throws {
    let run = try CommandRun("simulate", Journey.path, "--json", "--distance-filter", text)
    #expect(run.status == 0)
    #expect(try run.locations().count == (try Journey().points.count))
  }

  @Test("a place whose height cannot be is wrong usage", arguments: ["1e308", "-12001", "100000001"])
  func absurdHeight(text: String) throws {
    let run = try CommandRun("locate", "--source", "fixed:1,2,\(text)")
    #expect(run.status == 2 && run.errors.contains("-12000 to 100000000"), "\(run.errors)")
  }

  @Test("locate's time-out is held to the same rule", arguments: ["nan", "0", "-1", "1e300", ""])
  func badTimeout(text: String) throws {
    let run = try CommandRun("locate", "--source", "fixed:1,2", "--timeout", text)
    #expect(run.status == 2 && run.errors.contains("--timeout") && run.errors.contains("expected"))
  }

  @Test("a permission variable that is not understood never counts as permission")
  func badAuthorization() throws {
    let run = try CommandRun("locate", "--source", "fixed:1,2", authorization: "yes")
    #expect(run.status == 2 && run.output.isEmpty)
    #expect(run.errors.contains("CORELOCATION_AUTHORIZATION") && run.errors.contains("\"yes\""))
  }

  @Test("options and operands stand in any order, names may be cut short, and the last of two counts")
  func conventions() throws {
    let plain = try CommandRun("simulate", Journey.path, "--distance-filter", "500", "--json")
    #expect(plain.status == 0 && !plain.output.isEmpty)
    for arguments in [
      ["--json", "--distance-filter=500", Journey.path], ["--js", Journey.path, "--dist", "500"],
      ["--distance-filter", "7", "--json", "--distance-filter", "500", "--", Journey.path],
    ] {
      let run = try CommandRun(arguments: ["simulate"] + arguments)
      #expect(run.status == 0 && run.output == plain.output)
    }
  }
}
