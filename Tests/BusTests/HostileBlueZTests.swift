import Foundation
import LinuxIO
import LocationModel
import LocationProviders
import LocationRuntime
import XCTest

/// What calls itself BlueZ and is broken, or means harm; and what doctor says of Bluetooth. XCTest, since these tests
/// wait for what comes over a socket and block their thread meanwhile.
final class HostileBlueZTests: XCTestCase {
  private static let constraint = BeaconConstraint(uuidHigh: 1, uuidLow: 2)
  private static let device = "org.bluez.Device1"
  private static let adapterPath = "/org/bluez/hci0"

  private static func frame(_ minor: UInt16) -> [UInt8] {
    BeaconFrame(BeaconIdentity(uuidHigh: 1, uuidLow: 2, major: 7, minor: minor), measuredPower: -59).manufacturerData
  }

  private static func manufacturerData(_ company: BusValue, _ data: BusValue) -> BusValue {
    .array(of: "{\(company.signature)v}", [.entry(key: company, value: .variant(data))])
  }

  private static func bytes(_ bytes: [UInt8]) -> BusValue { .array(of: "y", bytes.map { .byte($0) }) }

  private static func objects(_ key: BusValue, _ interfaces: [String: [String: BusValue]]) -> BusValue {
    let entries = interfaces.map { BusValue.entry(key: .string($0.key), value: .dictionary($0.value)) }
    let signature = "{\(key.signature)a{sa{sv}}}"
    return .array(of: signature, [.entry(key: key, value: .array(of: "{sa{sv}}", entries))])
  }

  private static func adapter(powered: BusValue = .boolean(true), at path: BusValue? = nil) -> BusValue {
    objects(path ?? .objectPath(adapterPath), ["org.bluez.Adapter1": ["Powered": powered]])
  }

  private struct Heard {
    let clock = VirtualClock(wallStart: WallTime(secondsSince1970: 1_780_300_800))
    let log = EventLog<String>()
    let receiver: BlueZReceiver

    init(_ bus: PrivateBus) {
      var settings = BlueZReceiver.Settings(address: bus.address)
      settings.adapterFolder = "/nonexistent"
      receiver = BlueZReceiver(clock: clock, settings: settings)
      receiver.connect { [log] event in
        switch event {
        case .packet(let packet): log.add("\(packet.frame.beacon.minor) \(packet.signalDecibels)")
        case .radio(let radio): log.add("\(radio)")
        case .notice(let sentence): log.add(sentence)
        }
      }
    }
  }

  /// A BlueZ that tells these objects, and these properties of every device; anything else it takes.
  private func fake(
    on bus: PrivateBus, objects: BusValue, device: BusValue = .dictionary([:]), calls: EventLog<String> = EventLog()
  ) throws -> FakeService {
    try FakeService("org.bluez", on: bus.address) { call in
      calls.add(call.member)
      return switch call.member {
      case "GetManagedObjects": .values([objects])
      case "GetAll": .values([device])
      default: .values([])
      }
    }
  }

  func test_objects_that_are_none_are_no_adapter() throws {
    let strange: [BusValue] = [
      .string("nothing"), .boolean(true), .array(of: "s", [.string("hci0")]), .dictionary(["hci0": .boolean(true)]),
      .array(of: "{sa{sv}}", []), Self.objects(.objectPath("/"), [:]),
    ]
    for objects in strange {
      let bus = try PrivateBus()
      let blueZ = try fake(on: bus, objects: objects)
      let heard = Heard(bus)
      heard.log.wait(for: "absent")
      XCTAssertEqual(heard.receiver.standing, .noAdapter)
      withExtendedLifetime(blueZ) {}
    }
    for powered: BusValue in [.string("true"), .int32(1), .variant(.boolean(true))] {
      let bus = try PrivateBus()
      let blueZ = try fake(on: bus, objects: Self.adapter(powered: powered))
      let heard = Heard(bus)
      heard.log.wait(for: "off")
      withExtendedLifetime(blueZ) {}
    }
  }

  func test_an_adapter_whose_path_is_none_does_not_listen_and_that_is_said() throws {
    for path in ["", "hci0", "/org/bluez/it's", "/a//b", String(repeating: "/a", count: 10_000)] {
      let bus = try PrivateBus()
      let blueZ = try fake(on: bus, objects: Self.adapter(at: .string(path)))
      let heard = Heard(bus)
      heard.log.wait(for: "on")
      heard.receiver.listen(for: [Self.constraint])
      if path.hasPrefix("/a/a") { continue }  // It is one, if a long one.
      heard.log.wait(for: "failing")
      XCTAssertEqual(heard.log.all.count { $0.hasPrefix("Bluetooth does not listen") }, 1)
      withExtendedLifetime(blueZ) {}
    }
  }

  func test_packets_of_another_form_are_none_and_the_next_good_one_is_heard() throws {
    let bus = try PrivateBus()
    let calls = EventLog<String>()
    let blueZ = try fake(on: bus, objects: Self.adapter(), calls: calls)
    let heard = Heard(bus)
    heard.receiver.listen(for: [Self.constraint])
    calls.wait(for: "StartDiscovery")
    let apple = BusValue.uint16(BeaconFrame.companyIdentifier)
    let good = Self.manufacturerData(apple, Self.bytes(Self.frame(9)))
    let strange: [[BusValue]] = [
      [], [.string(Self.device)], [.string(Self.device), .string("x"), .string("y")],
      told(["RSSI": .int32(-60), "ManufacturerData": good]), told(["RSSI": .string("-60"), "ManufacturerData": good]),
      told(["RSSI": .int16(-60), "ManufacturerData": .array(of: "{qv}", [])]),
      told(["RSSI": .int16(-60), "ManufacturerData": .string("4c00")]),
      told(["RSSI": .int16(-60), "ManufacturerData": Self.manufacturerData(.string("76"), Self.bytes(Self.frame(1)))]),
      told(["RSSI": .int16(-60), "ManufacturerData": Self.manufacturerData(apple, .string("0215"))]),
      told(["RSSI": .int16(-60), "ManufacturerData": Self.manufacturerData(apple, Self.bytes([]))]),
      told(["RSSI": .int16(-60), "ManufacturerData": Self.manufacturerData(apple, Self.bytes([2, 0x15]))]),
      told([
        "RSSI": .int16(-60), "ManufacturerData": Self.manufacturerData(apple, Self.bytes(Self.frame(1) + [0])),
      ]),
    ]
    for (number, values) in strange.enumerated() {
      blueZ.emit(
        "PropertiesChanged", of: "org.freedesktop.DBus.Properties", at: "/org/bluez/hci0/dev_\(number)", values)
    }
    let limit = Date(timeIntervalSinceNow: 10)
    while !heard.log.all.contains("9 -61"), Date() < limit {
      blueZ.emit(
        "PropertiesChanged", of: "org.freedesktop.DBus.Properties", at: "/org/bluez/hci0/dev_good",
        told(["RSSI": .int16(-61), "ManufacturerData": good]))
    }
    XCTAssertEqual(Set(heard.log.all), ["on", "9 -61"])
  }

  func test_a_new_device_that_tells_all_of_itself_is_asked_nothing() throws {
    let bus = try PrivateBus()
    let calls = EventLog<String>()
    let blueZ = try fake(on: bus, objects: Self.adapter(), calls: calls)
    let heard = Heard(bus)
    heard.receiver.listen(for: [Self.constraint])
    calls.wait(for: "StartDiscovery")
    func add(_ name: String, _ properties: [String: BusValue]) {
      let interfaces = BusValue.array(
        of: "{sa{sv}}", [.entry(key: .string(Self.device), value: .dictionary(properties))])
      blueZ.emit(
        "InterfacesAdded", of: "org.freedesktop.DBus.ObjectManager", at: "/",
        [.objectPath("/org/bluez/hci0/\(name)"), interfaces])
    }
    let good = Self.manufacturerData(.uint16(BeaconFrame.companyIdentifier), Self.bytes(Self.frame(9)))
    let limit = Date(timeIntervalSinceNow: 10)
    while !heard.log.all.contains("9 -61"), Date() < limit {
      add("dev_1", ["RSSI": .int16(-50)])
      add("dev_2", ["RSSI": .int16(-61), "ManufacturerData": good])
    }
    XCTAssertTrue(heard.log.all.contains("9 -61"))
    XCTAssertFalse(calls.all.contains("GetAll"))
  }

  private func told(_ properties: [String: BusValue]) -> [BusValue] {
    [.string(Self.device), .dictionary(properties), .array(of: "s", [])]
  }

  func test_a_crowd_of_devices_is_forgotten_again_and_a_beacon_among_them_is_heard() throws {
    let bus = try PrivateBus()
    let calls = EventLog<String>()
    // Each is asked what it advertises, and is no beacon.
    let blueZ = try fake(on: bus, objects: Self.adapter(), calls: calls)
    let heard = Heard(bus)
    heard.receiver.listen(for: [Self.constraint])
    calls.wait(for: "StartDiscovery")
    for number in 0..<20_000 {
      blueZ.emit(
        "PropertiesChanged", of: "org.freedesktop.DBus.Properties", at: "/org/bluez/hci0/dev_\(number)",
        told(["RSSI": .int16(-60)]))
    }
    let good = Self.manufacturerData(.uint16(BeaconFrame.companyIdentifier), Self.bytes(Self.frame(9)))
    let limit = Date(timeIntervalSinceNow: 60)
    while !heard.log.all.contains("9 -61"), Date() < limit {
      blueZ.emit(
        "PropertiesChanged", of: "org.freedesktop.DBus.Properties", at: "/org/bluez/hci0/dev_good",
        told(["RSSI": .int16(-61), "ManufacturerData": good]))
    }
    XCTAssertTrue(heard.log.all.contains("9 -61"))
    XCTAssertLessThanOrEqual(heard.receiver.followedDeviceCount, 4_096)
  }

  func test_a_name_that_vanishes_while_it_is_asked_leaves_nothing_behind() throws {
    for silent in ["GetManagedObjects", "SetDiscoveryFilter", "StartDiscovery"] {
      let bus = try PrivateBus()
      let calls = EventLog<String>()
      let blueZ = try FakeService("org.bluez", on: bus.address) { call in
        calls.add(call.member)
        if call.member == silent { return .silence }
        return .values(call.member == "GetManagedObjects" ? [Self.adapter()] : [])
      }
      let heard = Heard(bus)
      heard.receiver.listen(for: [Self.constraint])
      calls.wait(for: silent)
      blueZ.stop()
      heard.log.wait(for: "absent")
      let others = EventLog<String>()
      let next = try fake(on: bus, objects: Self.adapter(), calls: others)
      others.wait(for: "StartDiscovery")
      XCTAssertEqual(heard.log.all.last, "on")
      withExtendedLifetime(next) {}
    }
  }

  func test_a_discovery_whose_answer_was_lost_runs_and_is_listened_to() throws {
    let bus = try PrivateBus()
    let starts = Locked(0)
    let blueZ = try FakeService("org.bluez", on: bus.address) { call in
      switch call.member {
      case "GetManagedObjects": return .values([Self.adapter()])
      case "StartDiscovery":
        let count = starts.withLock { count -> Int in
          count += 1
          return count
        }
        // BlueZ has begun, and its first answer does not come in time.
        return .error(
          count == 1 ? "org.freedesktop.DBus.Error.NoReply" : "org.bluez.Error.InProgress", "one is under way")
      default: return .values([])
      }
    }
    let heard = Heard(bus)
    heard.receiver.listen(for: [Self.constraint])
    heard.log.wait(for: "failing")
    while heard.clock.ringNext(until: Instant.zero.advanced(bySeconds: 60)) {}
    heard.log.wait(for: "on", count: 2)
    let good = Self.manufacturerData(.uint16(BeaconFrame.companyIdentifier), Self.bytes(Self.frame(9)))
    let limit = Date(timeIntervalSinceNow: 10)
    while !heard.log.all.contains("9 -61"), Date() < limit {
      blueZ.emit(
        "PropertiesChanged", of: "org.freedesktop.DBus.Properties", at: "/org/bluez/hci0/dev_good",
        told(["RSSI": .int16(-61), "ManufacturerData": good]))
    }
    XCTAssertTrue(heard.log.all.contains("9 -61"))
  }

  func test_what_BlueZ_began_without_answering_is_ended_so_that_no_radio_listens_for_nobody() throws {
    let bus = try PrivateBus()
    let calls = EventLog<String>()
    let objects = Self.objects(
      .objectPath(Self.adapterPath),
      ["org.bluez.Adapter1": ["Powered": .boolean(true)], "org.bluez.AdvertisementMonitorManager1": [:]])
    let blueZ = try FakeService("org.bluez", on: bus.address) { call in
      calls.add(call.member)
      switch call.member {
      case "GetManagedObjects": return .values([objects])
      case "RegisterMonitor", "StartDiscovery": return .error("org.freedesktop.DBus.Error.NoReply", "too late")
      default: return .values([])
      }
    }
    let heard = Heard(bus)
    heard.receiver.listen(for: [Self.constraint])
    heard.log.wait(for: "failing")
    calls.wait(for: "UnregisterMonitor")
    calls.wait(for: "StopDiscovery")
    withExtendedLifetime(blueZ) {}
  }

  func test_only_BlueZ_may_tell_a_monitor_of_devices() throws {
    let bus = try PrivateBus()
    let calls = EventLog<String>()
    let objects = Self.objects(
      .objectPath(Self.adapterPath),
      ["org.bluez.Adapter1": ["Powered": .boolean(true)], "org.bluez.AdvertisementMonitorManager1": [:]])
    let sender = EventLog<String>()
    let good = Self.manufacturerData(.uint16(BeaconFrame.companyIdentifier), Self.bytes(Self.frame(9)))
    let blueZ = try FakeService("org.bluez", on: bus.address) { call in
      calls.add(call.member)
      if call.member == "RegisterMonitor" { sender.add(call.sender) }
      return switch call.member {
      case "GetManagedObjects": .values([objects])
      case "GetAll": .values([.dictionary(["RSSI": .int16(-61), "ManufacturerData": good])])
      default: .values([])
      }
    }
    let other = try FakeService("org.example.other", on: bus.address) { _ in .values([]) }
    let heard = Heard(bus)
    heard.receiver.listen(for: [Self.constraint])
    let receiver = try XCTUnwrap(sender.wait("the monitor") { !$0.isEmpty }.first)
    let strange: [[BusValue]] = [[], [.uint32(1)], [.string("no path")], [.objectPath("/org/bluez/hci0/dev_1")]]
    for (service, arguments) in strange.map({ (blueZ, $0) }).dropLast() + strange.map({ (other, $0) }) {
      let error = try call(service, receiver, "DeviceFound", arguments)
      XCTAssertEqual(error, service === other ? BusError.accessDenied : nil)
    }
    XCTAssertEqual(try call(other, receiver, "Release", []), BusError.accessDenied)
    XCTAssertEqual(heard.log.all, ["on"])
    XCTAssertNil(try call(blueZ, receiver, "DeviceFound", [.objectPath("/org/bluez/hci0/dev_1")]))
    heard.log.wait(for: "9 -61")
    XCTAssertFalse(calls.all.contains("StartDiscovery"))
  }

  /// Calls the receiver's monitor; the name of the error that it answers with.
  private func call(
    _ service: FakeService, _ receiver: String, _ member: String, _ arguments: [BusValue]
  ) throws -> String? {
    let answer = EventLog<String>()
    service.queue.sync {
      let call = BusCall(
        receiver, path: "/org/corelocation/beacons/monitor", interface: "org.bluez.AdvertisementMonitor1", member,
        arguments)
      service.connection.call(call, timeoutSeconds: 10) { result in
        if case .failure(let error) = result { answer.add(error.name) } else { answer.add("") }
      }
    }
    let name = answer.wait("the answer to \(member)") { !$0.isEmpty }.first
    return name?.isEmpty == true ? nil : name
  }

  // MARK: Doctor

  func test_doctor_says_how_Bluetooth_stands_and_asks_nothing_of_an_adapter() throws {
    let bus = try PrivateBus()
    var places = BluetoothExamination.Places()
    places.busAddress = bus.address
    let folder = bus.folder.appendingPathComponent("class")
    places.adapterFolder = folder.path
    places.radioFolder = bus.folder.appendingPathComponent("rfkill").path
    func finding() -> DoctorFindings.Bluetooth? {
      BluetoothExamination(clock: LiveClock.shared, places: places).finding(waitSeconds: 10)
    }
    XCTAssertEqual(finding()?.standing, .noService)
    XCTAssertEqual(finding()?.kernelHasAdapter, false)
    try FileManager.default.createDirectory(
      at: folder.appendingPathComponent("hci0"), withIntermediateDirectories: true)
    XCTAssertEqual(finding()?.kernelHasAdapter, true)
    let calls = EventLog<String>()
    let blueZ = try fake(on: bus, objects: Self.adapter(powered: .boolean(false)), calls: calls)
    XCTAssertEqual(finding()?.standing, .off)
    blueZ.stop()
    let next = try fake(on: bus, objects: Self.adapter(), calls: calls)
    XCTAssertEqual(finding()?.standing, .ready(takesMonitors: false))
    XCTAssertEqual(Set(calls.all), ["GetManagedObjects"])
    next.stop()
    bus.stop()
    XCTAssertEqual(finding()?.standing, .noBus)
  }

  func test_doctor_names_a_policy_that_keeps_this_program_from_BlueZ() throws {
    let bus = try PrivateBus(
      policy: "<policy context=\"default\"><deny send_destination=\"org.bluez\" "
        + "send_interface=\"org.freedesktop.DBus.ObjectManager\"/></policy>")
    let blueZ = try fake(on: bus, objects: Self.adapter())
    var places = BluetoothExamination.Places()
    places.busAddress = bus.address
    places.adapterFolder = "/nonexistent"
    let finding = BluetoothExamination(clock: LiveClock.shared, places: places).finding(waitSeconds: 10)
    guard case .refused(let reason) = finding?.standing else { return XCTFail("\(String(describing: finding))") }
    XCTAssertTrue(reason.contains("AccessDenied"), reason)
    withExtendedLifetime(blueZ) {}
  }
}
