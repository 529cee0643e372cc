import Foundation
import LinuxIO
import XCTest

/// iio-sensor-proxy's interface on a private bus, by python-dbusmock's template: a process of its own, which may crash
/// and come back.
final class MockedSensorProxy {
  private static let interface = "net.hadess.SensorProxy.Compass"
  private static let path = "/net/hadess/SensorProxy/Compass"
  private let bus: PrivateBus
  private var program: StartedProgram?
  private let queue = DispatchQueue(label: "mocked-sensor-proxy")
  private let connection: BusConnection
  private let owners = EventLog<String>()

  init(on bus: PrivateBus) throws {
    self.bus = bus
    let imported = "/usr/bin/python3 -c 'import dbusmock'"
    let check = try StartedProgram(["sh", "-c", imported])
    if check.waitForStatus() != 0 { try skipOrFail("python3-dbusmock is not installed") }
    // The template has all sensors at one path and claims them through one interface; the proxy's compass has a path
    // and an interface of its own.
    let template = bus.folder.appendingPathComponent("compass.py")
    try """
    import importlib
    globals().update(vars(importlib.import_module('dbusmock.templates.iio-sensors-proxy')))
    MAIN_OBJ = '\(Self.path)'

    @dbus.service.method(COMPASS_IFACE, sender_keyword='sender')
    def ClaimCompass(self, sender):
        register_owner(self, self.compass_owners, sender)

    @dbus.service.method(COMPASS_IFACE, sender_keyword='sender')
    def ReleaseCompass(self, sender):
        unregister_owner(self.compass_owners, sender)
    """.write(to: template, atomically: true, encoding: .utf8)
    connection = try queue.sync { [queue] in
      try BusConnection(address: bus.address, queue: queue) { error in XCTFail("the test's bus ended: \(error)") }
    }
    _ = try queue.sync {
      try connection.watch(name: "net.hadess.SensorProxy") { [owners] in owners.add($0 ?? "gone") }
    }
  }

  deinit {
    program?.kill()
    queue.sync { connection.close() }
  }

  /// Returns when it has its name.
  func start(hasCompass: Bool = true) throws {
    let known = owners.all.count
    let template = bus.folder.appendingPathComponent("compass.py").path
    program = try StartedProgram(
      [
        "/usr/bin/python3", "-m", "dbusmock", "--system", "--template", template, "--parameters",
        "{\"has_compass\": \(hasCompass)}",
      ], environment: ["DBUS_SYSTEM_BUS_ADDRESS": bus.address])
    owners.wait("the mocked proxy on the bus") { $0.count > known && $0.last != "gone" }
  }

  /// As a crash.
  func stop() {
    program?.kill()
    owners.wait("the mocked proxy to be gone") { $0.last == "gone" }
  }

  func point(_ degrees: Double) {
    set("CompassHeading", .double(degrees))
  }

  func set(_ property: String, _ value: BusValue) {
    call("SetInternalProperty", [.string(Self.interface), .string(property), .variant(value)])
  }

  /// Who has claimed the compass now.
  var ownerCount: Int {
    guard case .array(_, let owners) = call("GetInternalProperty", [.string("CompassOwners")])?.outOfVariant else {
      return 0
    }
    return owners.count
  }

  @discardableResult
  private func call(_ member: String, _ arguments: [BusValue]) -> BusValue? {
    let answer = EventLog<Result<BusReply, BusError>>()
    queue.sync {
      connection.call(
        BusCall(
          "net.hadess.SensorProxy", path: Self.path, interface: "org.freedesktop.DBus.Mock", member, arguments),
        timeoutSeconds: 10
      ) { answer.add($0) }
    }
    switch answer.wait("the answer to \(member)", until: { !$0.isEmpty }).first {
    case .success(let reply): return reply.values.first
    case .failure(let error): XCTFail("\(member): \(error)")
    case nil: break
    }
    return nil
  }
}
