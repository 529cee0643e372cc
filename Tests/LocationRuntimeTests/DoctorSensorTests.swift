import LinuxIO
import LocationProviders
import LocationRuntime
import Testing

@Suite("What doctor says of the compass and of Bluetooth")
struct DoctorSensorTests {
  typealias Case = DoctorChecksTests.Case

  static let compasses: [Case] = [
    Case("the proxy's compass", .compass, .ok, "iio-sensor-proxy gives the compass") { $0.compass = .sensorProxy },
    Case("a magnetometer", .compass, .ok, "has a magnetometer") { $0.compass = .magnetometer },
    Case(
      "a compass that is refused", .compass, .look, "does not give it to this program (AccessDenied",
      cure: "corelocation-compass.conf"
    ) { $0.compass = .refused("AccessDenied: rules") },
  ]

  private static func bluetooth(
    _ standing: BlueZStanding, change: @Sendable (inout DoctorFindings.Bluetooth) -> Void = { _ in }
  ) -> DoctorFindings.Bluetooth {
    var bluetooth = DoctorFindings.Bluetooth(standing)
    change(&bluetooth)
    return bluetooth
  }

  static let bluetooths: [Case] = [
    Case("by a monitor", .bluetooth, .ok, "advertisement monitor") {
      $0.bluetooth = bluetooth(.ready(takesMonitors: true))
    },
    Case("by discovery", .bluetooth, .ok, "discovery") { $0.bluetooth = bluetooth(.ready(takesMonitors: false)) },
    Case("neither BlueZ nor an adapter", .bluetooth, .ok, "no Bluetooth adapter") {
      $0.bluetooth = bluetooth(.noService) { $0.kernelHasAdapter = false }
    },
    Case("no bus", .bluetooth, .look, "no message bus", cure: "systemctl start dbus") {
      $0.bluetooth = bluetooth(.noBus)
    },
    Case("BlueZ is not on the bus", .bluetooth, .look, "not on the bus", cure: "systemctl start bluetooth") {
      $0.bluetooth = bluetooth(.noService)
    },
    Case("no adapter", .bluetooth, .look, "has no Bluetooth adapter", cure: "plug one in") {
      $0.bluetooth = bluetooth(.noAdapter)
    },
    Case("an adapter that a block has taken away", .bluetooth, .look, "has no", cure: "rfkill unblock bluetooth") {
      $0.bluetooth = bluetooth(.noAdapter) { $0.isBlockedBySoftware = true }
    },
    Case("off", .bluetooth, .look, "is off", cure: "bluetoothctl power on") { $0.bluetooth = bluetooth(.off) },
    Case("blocked", .bluetooth, .look, "is blocked (rfkill)", cure: "rfkill unblock bluetooth") {
      $0.bluetooth = bluetooth(.off) { $0.isBlockedBySoftware = true }
    },
    Case("blocked by its switch", .bluetooth, .look, "is blocked (rfkill)", cure: "the machine's own switch") {
      $0.bluetooth = bluetooth(.off) {
        $0.isBlockedBySoftware = true
        $0.isBlockedByHardware = true
      }
    },
    Case("failing", .bluetooth, .look, "does not listen", cure: "bluetoothctl scan le") {
      $0.bluetooth = bluetooth(.failing)
    },
    Case("forbidden", .bluetooth, .look, "does not tell this program", cure: "bluetooth.conf") {
      $0.bluetooth = bluetooth(.refused("AccessDenied: rules"))
    },
  ]

  @Test("Each finding has its line, its mark and its cure, and none is a cause", arguments: compasses + bluetooths)
  func lines(_ example: Case) throws {
    var findings = DoctorFindings()
    example.change(&findings)
    let line = try #require(DoctorChecks.lines(findings).first { $0.check == example.check })
    #expect(line.mark == example.mark && line.text.contains(example.text), "\(line.text)")
    #expect((line.cure == nil) == (example.cure == nil))
    if let cure = example.cure { #expect(line.cure?.contains(cure) == true, "\(line.cure ?? "no cure")") }
  }

  @Test("What blocks the Bluetooth radios is read of theirs alone")
  func blocks() throws {
    let folder = try TemporaryFolder()
    func radio(_ name: String, _ kind: String, soft: String, hard: String) throws {
      for (file, text) in [("type", kind), ("soft", soft), ("hard", hard)] {
        try folder.write(text + "\n", to: "\(name)/\(file)")
      }
    }
    try radio("rfkill0", "wlan", soft: "1", hard: "1")
    try radio("rfkill1", "bluetooth", soft: "0", hard: "0")
    #expect(RadioSwitches.blocks(ofKind: "bluetooth", folder: folder.path) == (false, false))
    try radio("rfkill2", "bluetooth", soft: "1", hard: "0")
    #expect(RadioSwitches.blocks(ofKind: "bluetooth", folder: folder.path) == (true, false))
    try radio("rfkill3", "bluetooth", soft: "no number", hard: "1")
    try radio("rfkill4", "bluetoothy", soft: "1", hard: "1")
    #expect(RadioSwitches.blocks(ofKind: "bluetooth", folder: folder.path) == (true, true))
    #expect(RadioSwitches.blocks(ofKind: "bluetooth", folder: folder.path + "/nowhere") == (false, false))
  }
}
