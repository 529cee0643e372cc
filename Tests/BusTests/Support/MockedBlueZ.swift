import Foundation
import LinuxIO
import XCTest

/// BlueZ's interfaces on a private bus, by python-dbusmock's template of 0.38: a process of its own, which may crash
/// and come back. What the template lacks is added: it looks at a client's monitor as BlueZ does, and tells it of
/// devices that match.
final class MockedBlueZ {
  private static let service = "org.bluez"
  private let bus: PrivateBus
  private let folder: String
  private var program: StartedProgram?
  private let queue = DispatchQueue(label: "mocked-bluez")
  private let connection: BusConnection
  private let owners = EventLog<String>()

  init(on bus: PrivateBus) throws {
    self.bus = bus
    let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent().deletingLastPathComponent()
    folder = root.appendingPathComponent(".build/peers/dbusmock").path
    let program = "import dbusmock.templates.bluez5 as b; b.RegisterMonitor"
    let imported = "PYTHONPATH='\(folder)' /usr/bin/python3 -c '\(program)'"
    let check = try StartedProgram(["sh", "-c", imported])
    if check.waitForStatus() != 0 { try skipOrFail("python-dbusmock 0.38 is not in .build/peers") }
    try Self.template.write(to: bus.folder.appendingPathComponent("bluez.py"), atomically: true, encoding: .utf8)
    connection = try queue.sync { [queue] in
      try BusConnection(address: bus.address, queue: queue) { error in XCTFail("the test's bus ended: \(error)") }
    }
    _ = try queue.sync {
      try connection.watch(name: Self.service) { [owners] in owners.add($0 ?? "gone") }
    }
  }

  deinit {
    program?.kill()
    queue.sync { connection.close() }
  }

  /// - Parameters:
  ///   - takesMonitors: whether its adapters have the interface.
  ///   - refuses: the calls that it answers with an error; with `callbacks` it never looks at a monitor that it took.
  func start(takesMonitors: Bool = true, refuses: [String] = []) throws {
    let known = owners.all.count
    let refused = refuses.map { "\"\($0)\"" }.joined(separator: ", ")
    program = try StartedProgram(
      [
        "/usr/bin/python3", "-m", "dbusmock", "--system", "--template",
        bus.folder.appendingPathComponent("bluez.py").path, "--parameters",
        "{\"monitors\": \(takesMonitors), \"refuses\": [\(refused)]}",
      ], environment: ["DBUS_SYSTEM_BUS_ADDRESS": bus.address, "PYTHONPATH": folder])
    owners.wait("the mocked BlueZ on the bus") { $0.count > known && $0.last != "gone" }
  }

  /// As a crash.
  func stop() {
    program?.kill()
    owners.wait("the mocked BlueZ to be gone") { $0.last == "gone" }
  }

  func addAdapter(_ name: String = "hci0") { mock("AddAdapterAsBlueZ", [.string(name)]) }

  func removeAdapter(_ name: String = "hci0") { mock("RemoveAdapterWithDevices", [.string(name)]) }

  func setPowered(_ isOn: Bool, _ name: String = "hci0") { mock("SetPowered", [.string(name), .boolean(isOn)]) }

  /// The adapter hears a packet of a device: told as BlueZ tells it to those who listen.
  func hear(_ address: String, _ data: [UInt8], company: UInt16 = 0x004C, signal: Int16) {
    mock(
      "Hear",
      [
        .string(address), .uint16(company), .array(of: "y", data.map { .byte($0) }), .int16(signal),
      ])
  }

  /// BlueZ gives up the monitors that it has taken.
  func releaseMonitors() { mock("ReleaseMonitors", []) }

  /// What was called on adapters so far, by name.
  var calls: [String] {
    guard case .array(_, let names) = mock("Calls", []) else { return [] }
    return names.compactMap(\.text)
  }

  /// Waits until a call has come so many times.
  func wait(for call: String, count: Int = 1, file: StaticString = #filePath, line: UInt = #line) {
    let limit = Date(timeIntervalSinceNow: 20)
    while calls.count(where: { $0 == call }) < count, Date() < limit {}
    XCTAssertGreaterThanOrEqual(calls.count { $0 == call }, count, "\(call) in \(calls)", file: file, line: line)
  }

  @discardableResult
  private func mock(_ member: String, _ arguments: [BusValue]) -> BusValue? {
    let answer = EventLog<Result<BusReply, BusError>>()
    queue.sync {
      connection.call(
        BusCall(Self.service, path: "/", interface: "org.bluez.Mock", member, arguments), timeoutSeconds: 20
      ) { answer.add($0) }
    }
    switch answer.wait("the answer to \(member)", seconds: 20, until: { !$0.isEmpty }).first {
    case .success(let reply): return reply.values.first
    case .failure(let error): XCTFail("\(member): \(error)")
    case nil: break
    }
    return nil
  }

  private static let template = """
    import dbus
    import dbusmock
    from dbusmock import mockobject
    from dbusmock.templates import bluez5
    globals().update({k: v for k, v in vars(bluez5).items() if not k.startswith('__')})

    MANAGER = 'org.bluez.AdvertisementMonitorManager1'
    state = {'calls': [], 'monitors': {}, 'discovering': False, 'refuses': [], 'takes': True}

    def load(mock, parameters):
        bluez5.load(mock, {'enable_monitor_api': False})
        state['refuses'] = list(parameters.get('refuses', []))
        state['takes'] = bool(parameters.get('monitors', True))

    def called(name):
        state['calls'].append(name)
        if name in state['refuses']:
            raise dbus.exceptions.DBusException('not today', name='org.bluez.Error.NotPermitted')

    def StartDiscovery(adapter):
        called('StartDiscovery')
        state['discovering'] = True

    def StopDiscovery(adapter):
        called('StopDiscovery')
        state['discovering'] = False

    def SetDiscoveryFilter(adapter, filter):
        called('SetDiscoveryFilter ' + ','.join(sorted('%s=%s' % (k, v) for k, v in filter.items())))

    # What the template makes an adapter of.
    bluez5.StartDiscovery, bluez5.StopDiscovery = StartDiscovery, StopDiscovery
    bluez5.SetDiscoveryFilter = SetDiscoveryFilter

    @dbus.service.method(MANAGER, in_signature='o', out_signature='', sender_keyword='sender')
    def RegisterMonitor(adapter, root, sender):
        called('RegisterMonitor')
        if 'callbacks' in state['refuses']:
            return
        bus = adapter.connection
        def objects(found):
            for path, interfaces in found.items():
                monitor = interfaces.get('org.bluez.AdvertisementMonitor1')
                if monitor is not None:
                    patterns = [(int(p[0]), int(p[1]), bytes(p[2])) for p in monitor['Patterns']]
                    assert str(monitor['Type']) == 'or_patterns'
                    state['monitors'][(sender, str(root))] = (str(path), patterns)
                    bus.call_async(sender, path, 'org.bluez.AdvertisementMonitor1', 'Activate', '', (), None, None)
                    state['calls'].append('activated')
        bus.call_async(sender, root, 'org.freedesktop.DBus.ObjectManager', 'GetManagedObjects', '', (), objects,
                       lambda error: state['calls'].append('no objects: %s' % error))

    @dbus.service.method(MANAGER, in_signature='o', out_signature='', sender_keyword='sender')
    def UnregisterMonitor(adapter, root, sender):
        called('UnregisterMonitor')
        state['monitors'].pop((sender, str(root)), None)

    @dbus.service.method('org.bluez.Mock', in_signature='s', out_signature='')
    def AddAdapterAsBlueZ(self, name):
        path = self.AddAdapter(name, 'test')
        adapter = mockobject.objects[path]
        adapter.props['org.bluez.Adapter1']['Powered'] = dbus.Boolean(True)
        adapter.EmitSignal('org.freedesktop.DBus.Properties', 'PropertiesChanged', 'sa{sv}as',
                           ['org.bluez.Adapter1', {'Powered': dbus.Boolean(True)}, []])
        if state['takes']:
            adapter.AddProperties(MANAGER, {'SupportedMonitorTypes': dbus.Array(['or_patterns'])})
            mockobject.objects['/'].EmitSignal(
                'org.freedesktop.DBus.ObjectManager', 'InterfacesAdded', 'oa{sa{sv}}',
                [dbus.ObjectPath(path), {MANAGER: {'SupportedMonitorTypes': dbus.Array(['or_patterns'])}}])

    @dbus.service.method('org.bluez.Mock', in_signature='sb', out_signature='')
    def SetPowered(self, name, isOn):
        adapter = mockobject.objects['/org/bluez/' + name]
        adapter.props['org.bluez.Adapter1']['Powered'] = dbus.Boolean(isOn)
        if not isOn:
            state['discovering'] = False
        adapter.EmitSignal('org.freedesktop.DBus.Properties', 'PropertiesChanged', 'sa{sv}as',
                           ['org.bluez.Adapter1', {'Powered': dbus.Boolean(isOn)}, []])

    @dbus.service.method('org.bluez.Mock', in_signature='sqayn', out_signature='')
    def Hear(self, address, company, data, signal):
        path = '/org/bluez/hci0/dev_' + address.replace(':', '_')
        values = dbus.Dictionary({dbus.UInt16(company): dbus.Array([dbus.Byte(b) for b in data], signature='y',
                                                                   variant_level=1)}, signature='qv')
        told = {'RSSI': dbus.Int16(signal), 'ManufacturerData': values}
        if path not in mockobject.objects:
            self.AddDevice('hci0', address, 'beacon')
        device = mockobject.objects[path]
        device.props['org.bluez.Device1'].update(told)
        if state['discovering']:
            device.EmitSignal('org.freedesktop.DBus.Properties', 'PropertiesChanged', 'sa{sv}as',
                              ['org.bluez.Device1', told, []])
        advertised = bytes([company & 0xff, company >> 8]) + bytes(data)
        for (sender, root), (monitor, patterns) in list(state['monitors'].items()):
            if any(k == 0xff and advertised[s:s + len(b)] == b for s, k, b in patterns):
                self.connection.call_async(sender, monitor, 'org.bluez.AdvertisementMonitor1', 'DeviceFound', 'o',
                                           (dbus.ObjectPath(path),), None, None)

    @dbus.service.method('org.bluez.Mock', in_signature='', out_signature='')
    def ReleaseMonitors(self):
        for (sender, root), (monitor, patterns) in list(state['monitors'].items()):
            self.connection.call_async(sender, monitor, 'org.bluez.AdvertisementMonitor1', 'Release', '', (),
                                       None, None)
        state['monitors'].clear()

    @dbus.service.method('org.bluez.Mock', in_signature='', out_signature='as')
    def Calls(self):
        return dbus.Array(state['calls'], signature='s')
    """
}
