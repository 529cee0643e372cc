import Foundation
import LinuxIO
import LocationEngine
import LocationModel
import LocationProviders
import LocationRuntime
import XCTest

/// Beacons by BlueZ, on a bus of the test's own. XCTest, since these tests wait for other processes and block their
/// thread meanwhile.
final class BeaconReceiverTests: XCTestCase {
  private static let constraint = BeaconConstraint(uuidHigh: 0x7427_8BDA_B644_4520, uuidLow: 0x8F0C_720E_AF05_9935)

  private static func frame(_ constraint: BeaconConstraint = constraint, minor: UInt16) -> [UInt8] {
    let beacon = BeaconIdentity(
      uuidHigh: constraint.uuidHigh, uuidLow: constraint.uuidLow, major: 7, minor: minor)
    return BeaconFrame(beacon, measuredPower: -59).manufacturerData
  }

  /// What a receiver on the bus says, in words; its clock moves when the test says so.
  private struct Heard {
    let clock = VirtualClock(wallStart: WallTime(secondsSince1970: 1_780_300_800))
    let log = EventLog<String>()
    let receiver: BlueZReceiver

    init(_ bus: PrivateBus, adapterFolder: String = "/nonexistent") {
      var settings = BlueZReceiver.Settings(address: bus.address)
      settings.adapterFolder = adapterFolder
      receiver = BlueZReceiver(clock: clock, settings: settings)
      receiver.connect { [log] event in
        switch event {
        case .packet(let packet):
          log.add("\(packet.frame.beacon.major).\(packet.frame.beacon.minor) \(packet.signalDecibels)")
        case .radio(let radio): log.add("\(radio)")
        case .notice(let sentence): log.add(sentence)
        }
      }
    }

    var packets: [String] { log.all.filter { $0.contains(".") && !$0.contains("Bluetooth") } }
  }

  private func started(
    takesMonitors: Bool = true, refuses: [String] = []
  ) throws -> (PrivateBus, MockedBlueZ) {
    let bus = try PrivateBus()
    let blueZ = try MockedBlueZ(on: bus)
    try blueZ.start(takesMonitors: takesMonitors, refuses: refuses)
    return (bus, blueZ)
  }

  func test_an_advertisement_monitor_listens_while_somebody_does_and_nothing_is_called_before_and_after() throws {
    let (bus, blueZ) = try started()
    blueZ.addAdapter()
    let heard = Heard(bus)
    heard.log.wait(for: "on")
    blueZ.hear("AA:AA:AA:AA:AA:01", Self.frame(minor: 1), signal: -60)
    XCTAssertEqual(blueZ.calls, [])
    heard.receiver.listen(for: [Self.constraint])
    blueZ.wait(for: "activated")
    blueZ.hear("AA:AA:AA:AA:AA:01", Self.frame(minor: 2), signal: -61)
    heard.log.wait(for: "7.2 -61")
    // Another UUID, another kind of Apple's data, another company: BlueZ is not asked to tell of them.
    blueZ.hear("AA:AA:AA:AA:AA:02", Self.frame(BeaconConstraint(uuidHigh: 1, uuidLow: 2), minor: 3), signal: -50)
    blueZ.hear("AA:AA:AA:AA:AA:03", [0x10, 0x05, 1, 2, 3], signal: -50)
    blueZ.hear("AA:AA:AA:AA:AA:04", Self.frame(minor: 4), company: 0x0059, signal: -50)
    blueZ.hear("AA:AA:AA:AA:AA:05", Self.frame(minor: 5), signal: -72)
    heard.log.wait(for: "7.5 -72")
    heard.receiver.listen(for: nil)
    blueZ.wait(for: "UnregisterMonitor")
    XCTAssertEqual(blueZ.calls, ["RegisterMonitor", "activated", "UnregisterMonitor"])
    blueZ.hear("AA:AA:AA:AA:AA:01", Self.frame(minor: 6), signal: -60)
    XCTAssertFalse(heard.packets.contains { $0.hasPrefix("7.3") || $0.hasPrefix("7.4") || $0.hasPrefix("7.6") })
  }

  func test_where_there_are_no_monitors_discovery_runs_without_the_filter_of_duplicates() throws {
    let (bus, blueZ) = try started(takesMonitors: false)
    blueZ.addAdapter()
    let heard = Heard(bus)
    heard.log.wait(for: "on")
    heard.receiver.listen(for: [Self.constraint])
    blueZ.wait(for: "StartDiscovery")
    XCTAssertEqual(blueZ.calls, ["SetDiscoveryFilter DuplicateData=1,Transport=le", "StartDiscovery"])
    // The answer to StartDiscovery may still be on its way: the first packet is told as soon as it has come.
    let limit = Date(timeIntervalSinceNow: 10)
    while heard.packets.isEmpty, Date() < limit {
      blueZ.hear("AA:AA:AA:AA:AA:01", Self.frame(minor: 1), signal: -60)
    }
    blueZ.hear("AA:AA:AA:AA:AA:01", Self.frame(minor: 1), signal: -66)
    heard.log.wait(for: "7.1 -66")
    blueZ.hear("AA:AA:AA:AA:AA:02", Self.frame(BeaconConstraint(uuidHigh: 1, uuidLow: 2), minor: 3), signal: -50)
    heard.receiver.listen(for: nil)
    blueZ.wait(for: "StopDiscovery")
    XCTAssertFalse(heard.packets.contains { $0.hasPrefix("7.3") })
  }

  func test_monitors_that_are_refused_or_given_up_leave_discovery() throws {
    let (bus, blueZ) = try started(refuses: ["RegisterMonitor"])
    blueZ.addAdapter()
    let heard = Heard(bus)
    heard.receiver.listen(for: [Self.constraint])
    blueZ.wait(for: "StartDiscovery")
    XCTAssertEqual(blueZ.calls.first, "RegisterMonitor")

    let (otherBus, other) = try started()
    other.addAdapter()
    let listener = Heard(otherBus)
    listener.receiver.listen(for: [Self.constraint])
    other.wait(for: "activated")
    other.releaseMonitors()
    other.wait(for: "StartDiscovery")
    XCTAssertEqual(listener.log.all.last, "on")
  }

  func test_a_monitor_that_is_taken_and_not_used_leaves_discovery_after_three_seconds() throws {
    let (bus, blueZ) = try started(refuses: ["callbacks"])
    blueZ.addAdapter()
    let heard = Heard(bus)
    heard.log.wait(for: "on")
    heard.receiver.listen(for: [Self.constraint])
    let limit = Date(timeIntervalSinceNow: 10)
    while heard.clock.nextDeadline == nil, Date() < limit {}
    XCTAssertEqual(heard.clock.nextDeadline?.seconds(since: .zero), 3)
    while heard.clock.ringNext(until: Instant.zero.advanced(bySeconds: 3)) {}
    blueZ.wait(for: "StartDiscovery")
    XCTAssertEqual(blueZ.calls.prefix(2), ["RegisterMonitor", "UnregisterMonitor"])
  }

  func test_an_adapter_that_refuses_all_says_so_and_is_asked_again_after_a_minute() throws {
    let (bus, blueZ) = try started(takesMonitors: false, refuses: ["StartDiscovery"])
    blueZ.addAdapter()
    let heard = Heard(bus)
    heard.log.wait(for: "on")
    heard.receiver.listen(for: [Self.constraint])
    heard.log.wait(for: "failing")
    let notice = try XCTUnwrap(heard.log.all.first { $0.contains("Bluetooth") })
    XCTAssertTrue(notice.contains("NotPermitted") && notice.contains("bluetoothctl"), notice)
    XCTAssertEqual(heard.clock.nextDeadline?.seconds(since: .zero), 60)
    while heard.clock.ringNext(until: Instant.zero.advanced(bySeconds: 60)) {}
    blueZ.wait(for: "StartDiscovery", count: 2)
  }

  func test_an_adapter_comes_goes_and_is_switched_and_BlueZ_is_started_anew() throws {
    let (bus, blueZ) = try started()
    let heard = Heard(bus)
    heard.log.wait(for: "absent")
    heard.receiver.listen(for: [Self.constraint])
    blueZ.addAdapter()
    blueZ.wait(for: "activated")
    blueZ.setPowered(false)
    heard.log.wait(for: "off")
    blueZ.setPowered(true)
    heard.log.wait(for: "on", count: 2)
    blueZ.removeAdapter()
    heard.log.wait(for: "absent", count: 2)
    blueZ.addAdapter()
    blueZ.wait(for: "activated", count: 2)
    blueZ.hear("AA:AA:AA:AA:AA:01", Self.frame(minor: 1), signal: -60)
    heard.log.wait(for: "7.1 -60")
    blueZ.stop()
    heard.log.wait(for: "absent", count: 3)
    try blueZ.start()
    blueZ.addAdapter()
    blueZ.wait(for: "activated")
    blueZ.hear("AA:AA:AA:AA:AA:01", Self.frame(minor: 2), signal: -60)
    heard.log.wait(for: "7.2 -60")
  }

  func test_other_beacons_are_listened_for_as_soon_as_they_are_wanted() throws {
    let (bus, blueZ) = try started()
    blueZ.addAdapter()
    let heard = Heard(bus)
    let other = BeaconConstraint(uuidHigh: 1, uuidLow: 2)
    heard.receiver.listen(for: [Self.constraint])
    blueZ.wait(for: "activated")
    heard.receiver.listen(for: [Self.constraint, other])
    blueZ.wait(for: "activated", count: 2)
    blueZ.hear("AA:AA:AA:AA:AA:02", Self.frame(other, minor: 3), signal: -50)
    heard.log.wait(for: "7.3 -50")
  }

  func test_the_kernel_says_at_once_that_there_is_an_adapter_and_BlueZ_has_the_last_word() throws {
    let bus = try PrivateBus()
    let folder = bus.folder.appendingPathComponent("class")
    try FileManager.default.createDirectory(
      at: folder.appendingPathComponent("hci0"), withIntermediateDirectories: true)
    let heard = Heard(bus, adapterFolder: folder.path)
    XCTAssertEqual(heard.log.all.first, "starting")
    // Nobody has BlueZ's name here.
    heard.log.wait(for: "absent")
  }

  func test_an_app_ranges_and_monitors_by_BlueZ_and_knows_when_the_adapter_is_gone() throws {
    let (bus, blueZ) = try started()
    blueZ.addAdapter()
    let clock = LiveClock()
    var settings = BlueZReceiver.Settings(address: bus.address)
    settings.adapterFolder = "/nonexistent"
    let host = EngineHost(
      engine: LocationEngine(), clock: clock, provider: AbsentProvider(advice: ""),
      beaconReceiver: BlueZReceiver(clock: clock, settings: settings),
      ports: HostPorts(
        prompter: NobodyToAsk(), store: ForgetfulStore(StoredAppState(grant: Grant(level: .whenInUse))), log: { _ in }))
    let app = AppDescription(identifier: AppIdentifier("org.example.app"))
    let connection = HostConnection(host: host, app: app)
    host.handle(.appStateChanged(app.identifier, .foreground))
    let limit = Date(timeIntervalSinceNow: 10)
    while !connection.snapshot.capabilities.rangesBeacons, Date() < limit {}
    XCTAssertTrue(connection.snapshot.capabilities.monitorsBeaconRegions)
    XCTAssertEqual(blueZ.calls, [])
    let heard = EventLog<String>()
    let manager = connection.addManager { event in
      switch event {
      case .beaconsRanged(let beacons, _):
        for sighting in beacons { heard.add("\(sighting.beacon.minor) \(sighting.proximity)") }
      case .stateDetermined(let state, _): heard.add("\(state)")
      case .rangingFailed(_, let error): heard.add("\(error)")
      default: break
      }
    }
    connection.send(.startRanging(Self.constraint), from: manager)
    connection.send(
      .startMonitoring(Region(identifier: "door", shape: .beacons(Self.constraint))), from: manager)
    blueZ.wait(for: "activated")
    blueZ.hear("AA:AA:AA:AA:AA:01", Self.frame(minor: 9), signal: -59)
    heard.wait(for: "inside")
    heard.wait(for: "9 near")
    blueZ.removeAdapter()
    heard.wait(for: "rangingUnavailable")
    XCTAssertFalse(connection.snapshot.capabilities.rangesBeacons)
  }
}

extension BeaconReceiverTests {
  func test_who_listens_before_BlueZ_has_answered_is_not_told_that_there_is_no_adapter() throws {
    let (bus, blueZ) = try started()
    blueZ.addAdapter()
    let folder = bus.folder.appendingPathComponent("class")
    try FileManager.default.createDirectory(
      at: folder.appendingPathComponent("hci0"), withIntermediateDirectories: true)
    let heard = Heard(bus, adapterFolder: folder.path)
    heard.receiver.listen(for: [Self.constraint])
    heard.log.wait(for: "on")
    XCTAssertEqual(heard.log.all, ["starting", "on"])
  }

  func test_a_BlueZ_that_answers_nothing_usable_is_no_adapter_says_so_once_and_is_asked_again() throws {
    let bus = try PrivateBus()
    let isAllowed = Locked(false)
    let blueZ = try FakeService("org.bluez", on: bus.address) { call in
      guard call.member == "GetManagedObjects", isAllowed.withLock({ $0 }) else {
        return .error("org.freedesktop.DBus.Error.AccessDenied", "rules\nand more of them")
      }
      let adapter = BusValue.array(
        of: "{sa{sv}}",
        [.entry(key: .string("org.bluez.Adapter1"), value: .dictionary(["Powered": .boolean(false)]))])
      return .values([.array(of: "{oa{sa{sv}}}", [.entry(key: .objectPath("/org/bluez/hci0"), value: adapter)])])
    }
    let heard = Heard(bus)
    heard.log.wait(for: "absent")
    XCTAssertEqual(
      heard.receiver.standing, .refused("org.freedesktop.DBus.Error.AccessDenied: rules"))
    heard.receiver.listen(for: [Self.constraint])
    let limit = Date(timeIntervalSinceNow: 10)
    while heard.clock.nextDeadline == nil, Date() < limit {}
    XCTAssertEqual(heard.clock.nextDeadline?.seconds(since: .zero), 60)
    isAllowed.withLock { $0 = true }
    while heard.clock.ringNext(until: Instant.zero.advanced(bySeconds: 60)) {}
    heard.log.wait(for: "off")
    XCTAssertEqual(heard.receiver.standing, .off)
    XCTAssertEqual(heard.log.all.count { $0.contains("BlueZ does not tell") }, 1)
    withExtendedLifetime(blueZ) {}
  }

  /// An app that ranges by BlueZ on this bus, which is tried again quickly; what it hears, and the answers that came of
  /// its beacon.
  private func rangingApp(on bus: PrivateBus) -> (app: HostConnection, host: EngineHost, heard: EventLog<String>) {
    let clock = LiveClock()
    var settings = BlueZReceiver.Settings(address: bus.address)
    settings.adapterFolder = "/nonexistent"
    settings.connectSeconds = 0.05
    settings.connectSecondsMax = 0.1
    let host = EngineHost(
      engine: LocationEngine(), clock: clock, provider: AbsentProvider(advice: ""),
      beaconReceiver: BlueZReceiver(clock: clock, settings: settings),
      ports: HostPorts(
        prompter: NobodyToAsk(), store: ForgetfulStore(StoredAppState(grant: Grant(level: .whenInUse))), log: { _ in }))
    let app = AppDescription(identifier: AppIdentifier("org.example.app"))
    let connection = HostConnection(host: host, app: app)
    host.handle(.appStateChanged(app.identifier, .foreground))
    let heard = EventLog<String>()
    let manager = connection.addManager { event in
      switch event {
      case .beaconsRanged(let beacons, _): for sighting in beacons { heard.add("\(sighting.beacon.minor)") }
      case .rangingFailed(_, let error): heard.add("\(error)")
      default: break
      }
    }
    connection.send(.startRanging(Self.constraint), from: manager)
    return (connection, host, heard)
  }

  func test_a_bus_that_comes_later_and_one_that_comes_back_are_found_by_an_app_that_ranges() throws {
    let bus = try PrivateBus()
    bus.stop()
    let (app, host, heard) = rangingApp(on: bus)
    heard.wait(for: "rangingUnavailable")
    try bus.start()
    let blueZ = try MockedBlueZ(on: bus)
    try blueZ.start()
    blueZ.addAdapter()
    blueZ.wait(for: "activated")
    blueZ.hear("AA:AA:AA:AA:AA:01", Self.frame(minor: 1), signal: -59)
    heard.wait(for: "1")
    withExtendedLifetime((app, host)) {}
  }
}

private final class NobodyToAsk: PermissionPrompter {
  func show(_ prompt: Prompt, answer: @escaping @Sendable (PromptAnswer) -> Void) {}
  func withdraw(_ prompt: PromptIdentifier) {}
  func showLocationServicesAlert(for app: AppIdentifier) {}
}
