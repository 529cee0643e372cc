import Foundation
import Glibc
import LinuxIO
import LocationModel
import XCTest

/// `corelocation beacons` and `heading` on a terminal of the test's own. XCTest, since these tests wait for what
/// another process prints and block their thread meanwhile.
final class LiveTableTests: XCTestCase {
  private static let uuid = "74278BDA-B644-4520-8F0C-720EAF059935"

  /// What a program prints on a terminal, until it is as the test waits for.
  private final class Terminal {
    private var master: Int32 = -1
    private var program: StartedProgram?
    private(set) var output = ""

    init(
      _ arguments: [String], rows: UInt16 = 24, columns: UInt16 = 80, environment: [String: String]
    ) throws {
      var slave: Int32 = -1
      var size = winsize(ws_row: rows, ws_col: columns, ws_xpixel: 0, ws_ypixel: 0)
      try XCTSkipIf(openpty(&master, &slave, nil, nil, &size) != 0, "there are no pseudo-terminals here")
      let tests = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
      let command = tests.deletingLastPathComponent().appendingPathComponent("corelocation").path
      program = try StartedProgram(
        [command] + arguments,
        environment: ["TERM": "xterm", "CORELOCATION_AUTHORIZATION": "whenInUse"].merging(environment) { $1 },
        output: slave)
      close(slave)
    }

    deinit {
      program?.kill()
      close(master)
    }

    /// Reads on, and lets something happen before each look.
    @discardableResult
    func wait(
      _ what: String, file: StaticString = #filePath, line: UInt = #line, each: () -> Void = {},
      until isEnough: (String) -> Bool
    ) -> String {
      let limit = Date(timeIntervalSinceNow: 30)
      while !isEnough(output), Date() < limit {
        each()
        var poll = pollfd(fd: master, events: Int16(POLLIN), revents: 0)
        guard Glibc.poll(&poll, 1, 200) > 0 else { continue }
        var bytes = [UInt8](repeating: 0, count: 4_096)
        let count = read(master, &bytes, bytes.count)
        guard count > 0 else { break }
        output += String(decoding: bytes[..<count], as: UTF8.self)
      }
      XCTAssertTrue(isEnough(output), "waited in vain for \(what): \(output)", file: file, line: line)
      return output
    }

    func status() -> Int32 { program?.waitForStatus() ?? -1 }
  }

  private static func frame(_ minor: UInt16) -> [UInt8] {
    let beacon = BeaconIdentity(
      uuidHigh: 0x7427_8BDA_B644_4520, uuidLow: 0x8F0C_720E_AF05_9935, major: 7, minor: minor)
    return BeaconFrame(beacon, measuredPower: -59).manufacturerData
  }

  /// The last drawing, row by row.
  private static func rows(_ output: String) -> [String] {
    let last = output.components(separatedBy: "\u{1B}[J").last ?? ""
    let rows = last.replacingOccurrences(of: "\r", with: "").split(separator: "\n").map(String.init)
    // Until BlueZ has answered there is no adapter on a machine whose kernel shows none.
    return rows.filter { !$0.contains("ranging failed") }
  }

  func test_beacons_are_a_table_that_is_drawn_in_its_place_nearest_first() throws {
    let bus = try PrivateBus()
    let blueZ = try MockedBlueZ(on: bus)
    try blueZ.start()
    blueZ.addAdapter()
    let terminal = try Terminal(
      ["beacons", Self.uuid],
      environment: [
        "DBUS_SYSTEM_BUS_ADDRESS": bus.address, "CORELOCATION_SOURCE": "fixed:48,68",
        "XDG_STATE_HOME": bus.folder.path,
      ])
    blueZ.wait(for: "activated")
    let output = terminal.wait(
      "a table of two",
      each: {
        blueZ.hear("AA:AA:AA:AA:AA:01", Self.frame(1), signal: -80)
        blueZ.hear("AA:AA:AA:AA:AA:02", Self.frame(2), signal: -50)
      }
    ) { output in
      let rows = Self.rows(output)
      return rows.count == 4 && output.contains("\u{1B}[4A\u{1B}[J")
    }
    let rows = Self.rows(output)
    XCTAssertTrue(rows[0].hasPrefix("\(Self.uuid) any any  2"), rows[0])
    XCTAssertEqual(
      rows[1].split(separator: " "), ["proximity", "accuracy", "rssi", "major", "minor"])
    // 0.19 m and 9.52 m by the field's curve, of the signal of one metre (docs/beacons.md).
    XCTAssertEqual(rows[2].split(separator: " "), ["immediate", "0.19", "m", "-50", "dBm", "7", "2"])
    XCTAssertEqual(rows[3].split(separator: " "), ["far", "9.52", "m", "-80", "dBm", "7", "1"])
    XCTAssertEqual(Set(rows[1...].map(\.count)).count, 1, "the columns stand below each other: \(rows)")
  }

  func test_a_small_terminal_gets_what_fits_and_a_dumb_one_lines() throws {
    let bus = try PrivateBus()
    let blueZ = try MockedBlueZ(on: bus)
    try blueZ.start()
    blueZ.addAdapter()
    let environment = [
      "DBUS_SYSTEM_BUS_ADDRESS": bus.address, "CORELOCATION_SOURCE": "fixed:48,68", "XDG_STATE_HOME": bus.folder.path,
    ]
    func hear() {
      for minor in UInt16(1)...5 { blueZ.hear("AA:AA:AA:AA:AA:0\(minor)", Self.frame(minor), signal: -60) }
    }
    let small = try Terminal(["beacons", Self.uuid], rows: 5, columns: 20, environment: environment)
    blueZ.wait(for: "activated")
    let output = small.wait("five beacons", each: hear) { Self.rows($0).last == "and 4 more" }
    XCTAssertEqual(Self.rows(output).count, 4, output.debugDescription)
    XCTAssertTrue(Self.rows(output).allSatisfy { $0.count <= 20 }, output.debugDescription)
    let dumb = try Terminal(
      ["beacons", Self.uuid], environment: environment.merging(["TERM": "dumb"]) { $1 })
    let lines = dumb.wait("lines", each: hear) { $0.contains(" dBm  \(Self.uuid) 7 5") }
    XCTAssertFalse(lines.contains("\u{1B}"))
  }

  func test_a_heading_is_a_line_in_its_place_with_accuracy_and_field_and_the_last_one_stays() throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("sensors-\(UUID().uuidString)")
    let device = folder.appendingPathComponent("iio:device0")
    try FileManager.default.createDirectory(at: device, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    for (name, text) in [
      ("in_magn_x_raw", "-2304"), ("in_magn_y_raw", "0"), ("in_magn_z_raw", "-4120"), ("in_magn_scale", "0.0001"),
      ("in_accel_x_raw", "0"), ("in_accel_y_raw", "0"), ("in_accel_z_raw", "981"), ("in_accel_scale", "0.01"),
    ] {
      try Data((text + "\n").utf8).write(to: device.appendingPathComponent(name))
    }
    let environment = [
      "CORELOCATION_SENSORS": folder.path, "XDG_STATE_HOME": folder.path,
      "DBUS_SYSTEM_BUS_ADDRESS": "unix:path=/nonexistent/bus",
    ]
    let arguments = ["heading", "--source", "fixed:37.3349,-122.0090", "--filter", "-1"]
    let terminal = try Terminal(arguments + ["--duration", "2.5"], environment: environment)
    XCTAssertEqual(terminal.status(), 0)
    let output = terminal.wait("the line again") { $0.contains("\u{1B}[1A\u{1B}[J") }
    // Ten come in a second, and one drawing.
    XCTAssertLessThanOrEqual(output.components(separatedBy: "\u{1B}[1A\u{1B}[J").count, 4)
    let line = try XCTUnwrap(Self.rows(output).last)
    XCTAssertTrue(line.hasPrefix("heading 90.0 magnetic, 102."), line)
    XCTAssertTrue(line.hasSuffix("  x -23.0  y 0.0  z -41.2 uT") && line.contains(" +/- "), line)
    let json = try Terminal(arguments + ["--count", "3", "--json"], environment: environment)
    XCTAssertEqual(json.status(), 0)
    let objects = json.wait("three objects") { $0.utf8.count { $0 == UInt8(ascii: "\n") } == 3 }
    XCTAssertFalse(objects.contains("\u{1B}"))
  }
}
