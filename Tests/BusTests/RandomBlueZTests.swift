import Foundation
import LinuxIO
import LocationModel
import LocationProviders
import LocationRuntime
import XCTest

/// A Bluetooth whose adapter, BlueZ and listeners change at random, and that hears beacons all the same once it is well
/// again. XCTest, since this waits for what comes over a socket and blocks its thread meanwhile.
final class RandomBlueZTests: XCTestCase {
  private static let constraint = BeaconConstraint(uuidHigh: 1, uuidLow: 2)
  private static let other = BeaconConstraint(uuidHigh: 3, uuidLow: 4)

  private struct Chance: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
      state &+= 0x9E37_79B9_7F4A_7C15
      var mixed = state
      mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
      mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
      return mixed ^ (mixed >> 31)
    }
  }

  /// BlueZ with one adapter, as far as a listener sees it.
  private final class Bluetooth: @unchecked Sendable {
    static let path = "/org/bluez/hci0"
    static let adapter = "org.bluez.Adapter1"
    static let manager = "org.bluez.AdvertisementMonitorManager1"

    private struct State {
      var hasAdapter = true
      var isPowered = true
      var takesMonitors: Bool
      var refused: Set<String> = []
      var isDiscovering = false
      /// Who has registered a monitor.
      var listener: String?
    }

    private let bus: PrivateBus
    private let state: Locked<State>
    private var service: FakeService?

    init(on bus: PrivateBus, takesMonitors: Bool) throws {
      self.bus = bus
      state = Locked(State(takesMonitors: takesMonitors))
      try start()
    }

    func start() throws {
      guard service == nil else { return }
      service = try FakeService("org.bluez", on: bus.address) { [weak self] in self?.answer($0) ?? .silence }
    }

    /// Returns when the name is free.
    func stop() {
      guard let service else { return }
      let isFree = EventLog<Bool>()
      service.queue.sync {
        let call = BusCall(
          "org.freedesktop.DBus", path: "/org/freedesktop/DBus", interface: "org.freedesktop.DBus", "ReleaseName",
          [.string("org.bluez")])
        service.connection.call(call, timeoutSeconds: 10) { _ in isFree.add(true) }
      }
      isFree.wait(for: true)
      service.stop()
      self.service = nil
      state.withLock { state in
        state.isDiscovering = false
        state.listener = nil
      }
    }

    private func answer(_ call: FakeCall) -> FakeAnswer {
      state.withLock { state in
        let isOfAdapter = call.interface == Self.adapter || call.interface == Self.manager
        if isOfAdapter, !state.hasAdapter { return .error("org.freedesktop.DBus.Error.UnknownObject", "gone") }
        if state.refused.contains(call.member) { return .error("org.bluez.Error.Failed", "not today") }
        switch call.member {
        case "GetManagedObjects": return .values([Self.objects(state)])
        case "GetAll": return .values([.dictionary(RandomBlueZTests.packet)])
        case "StartDiscovery":
          if !state.isPowered { return .error("org.bluez.Error.NotReady", "off") }
          if state.isDiscovering { return .error("org.bluez.Error.InProgress", "it is discovered for you") }
          state.isDiscovering = true
        case "StopDiscovery": state.isDiscovering = false
        case "RegisterMonitor":
          if state.listener != nil { return .error("org.bluez.Error.AlreadyExists", "it is there") }
          state.listener = call.sender
        case "UnregisterMonitor": state.listener = nil
        default: break
        }
        return .values([])
      }
    }

    private static func interfaces(_ state: State) -> BusValue {
      var all: [(String, BusValue)] = [(adapter, .dictionary(["Powered": .boolean(state.isPowered)]))]
      if state.takesMonitors { all.append((manager, .dictionary([:]))) }
      return .array(of: "{sa{sv}}", all.map { .entry(key: .string($0.0), value: $0.1) })
    }

    private static func objects(_ state: State) -> BusValue {
      let entry = BusValue.entry(key: .objectPath(path), value: interfaces(state))
      return .array(of: "{oa{sa{sv}}}", state.hasAdapter ? [entry] : [])
    }

    func set(powered: Bool) {
      let changes = state.withLock { state -> Bool in
        guard state.hasAdapter, state.isPowered != powered else { return false }
        state.isPowered = powered
        if !powered { state.isDiscovering = false }
        return true
      }
      guard changes else { return }
      service?.emit(
        "PropertiesChanged", of: "org.freedesktop.DBus.Properties", at: Self.path,
        [.string(Self.adapter), .dictionary(["Powered": .boolean(powered)]), .array(of: "s", [])])
    }

    func set(adapter isThere: Bool) {
      let interfaces = state.withLock { state -> BusValue? in
        guard state.hasAdapter != isThere else { return nil }
        state.hasAdapter = isThere
        state.isPowered = true
        state.isDiscovering = false
        state.listener = nil
        return Self.interfaces(state)
      }
      guard let interfaces else { return }
      let names: [BusValue] = [.string(Self.adapter), .string(Self.manager)]
      service?.emit(
        isThere ? "InterfacesAdded" : "InterfacesRemoved", of: "org.freedesktop.DBus.ObjectManager", at: "/",
        [.objectPath(Self.path), isThere ? interfaces : .array(of: "s", names)])
    }

    func setRefused(_ member: String, _ isRefused: Bool) {
      state.withLock { state in
        if isRefused { state.refused.insert(member) } else { state.refused.remove(member) }
      }
    }

    /// BlueZ uses the monitor that it has, gives it up, or tells of a packet.
    func callMonitor(_ member: String, _ arguments: [BusValue] = []) {
      let listener = state.withLock { state -> String? in
        defer { if member == "Release" { state.listener = nil } }
        return state.isPowered ? state.listener : nil
      }
      guard let listener, let service else { return }
      service.queue.sync {
        let call = BusCall(
          listener, path: "/org/corelocation/beacons/monitor", interface: "org.bluez.AdvertisementMonitor1", member,
          arguments)
        service.connection.call(call, timeoutSeconds: 10) { _ in }
      }
    }

    /// The beacon sends, and is told as BlueZ tells it now.
    func send() {
      callMonitor("Activate")
      callMonitor("DeviceFound", [.objectPath("/org/bluez/hci0/dev_1")])
      guard state.withLock({ $0.isDiscovering }) else { return }
      service?.emit(
        "PropertiesChanged", of: "org.freedesktop.DBus.Properties", at: "/org/bluez/hci0/dev_1",
        [.string("org.bluez.Device1"), .dictionary(RandomBlueZTests.packet), .array(of: "s", [])])
    }

    /// As it should be again.
    func mend() throws {
      try start()
      for member in ["StartDiscovery", "RegisterMonitor", "GetManagedObjects"] { setRefused(member, false) }
      set(adapter: true)
      set(powered: true)
    }
  }

  private static let packet: [String: BusValue] = {
    let beacon = BeaconIdentity(uuidHigh: 1, uuidLow: 2, major: 3, minor: 4)
    let bytes = BusValue.array(
      of: "y", BeaconFrame(beacon, measuredPower: -59).manufacturerData.map { .byte($0) })
    let data = BusValue.array(of: "{qv}", [.entry(key: .uint16(0x004C), value: .variant(bytes))])
    return ["RSSI": .int16(-60), "ManufacturerData": data]
  }()

  private func storm(seed: UInt64, takesMonitors: Bool) throws {
    var chance = Chance(state: seed)
    let bus = try PrivateBus()
    let bluetooth = try Bluetooth(on: bus, takesMonitors: takesMonitors)
    let clock = VirtualClock(wallStart: WallTime(secondsSince1970: 1_780_300_800))
    var settings = BlueZReceiver.Settings(address: bus.address)
    settings.adapterFolder = "/nonexistent"
    let receiver = BlueZReceiver(clock: clock, settings: settings)
    let heard = EventLog<String>()
    receiver.connect { event in
      if case .packet(let packet) = event { heard.add("\(packet.frame.beacon.minor)") }
    }
    for _ in 0..<60 {
      switch Int.random(in: 0..<12, using: &chance) {
      case 0: bluetooth.set(powered: .random(using: &chance))
      case 1: bluetooth.set(adapter: .random(using: &chance))
      case 2: bluetooth.setRefused("StartDiscovery", .random(using: &chance))
      case 3: bluetooth.setRefused("RegisterMonitor", .random(using: &chance))
      case 4: bluetooth.setRefused("GetManagedObjects", .random(using: &chance))
      case 5: receiver.listen(for: nil)
      case 6: receiver.listen(for: [Self.constraint])
      case 7: receiver.listen(for: [Self.constraint, Self.other])
      case 8: bluetooth.callMonitor("Release")
      case 9: bluetooth.stop()
      case 10: try bluetooth.start()
      default: _ = clock.ringNext(until: clock.now.advanced(bySeconds: Double.random(in: 0...90, using: &chance)))
      }
      if Bool.random(using: &chance) { bluetooth.send() }
    }
    try bluetooth.mend()
    receiver.listen(for: [Self.constraint])
    let before = heard.all.count
    let limit = Date(timeIntervalSinceNow: 20)
    while heard.all.count == before, Date() < limit {
      bluetooth.send()
      _ = clock.ringNext(until: clock.now.advanced(bySeconds: 61))
    }
    XCTAssertGreaterThan(heard.all.count, before, "no packet after the storm of seed \(seed)")
  }

  func test_whatever_happens_to_adapters_and_BlueZ_beacons_are_heard_once_all_is_well_again() throws {
    let count = ProcessInfo.processInfo.environment["CORELOCATION_PROOF"] == "full" ? 1_000 : 20
    for seed in 1...count { try storm(seed: UInt64(seed), takesMonitors: seed % 2 == 0) }
  }
}
