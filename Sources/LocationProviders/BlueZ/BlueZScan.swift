import LinuxIO
import LocationModel

/// What is under way with an adapter, one thing at a time.
enum BlueZScan: Hashable {
  enum Method: Hashable {
    case monitor(BlueZPatterns)
    case discovery
  }

  case idle
  case starting(Method, on: String)
  case running(Method, on: String)
  case stopping(on: String)

  var adapter: String? {
    switch self {
    case .idle: nil
    case .starting(_, let path), .running(_, let path), .stopping(let path): path
    }
  }
}

/// Listening with an adapter: begun, changed and ended by one call after another.
extension BlueZReceiver {
  /// Takes the next step towards what is wanted, and tells how the radio stands.
  func reconcile() {
    tellRadio()
    let path = adapter
    let isOn = path.flatMap { adapters[$0]?.isPowered } == true
    let method: BlueZScan.Method? = wanted.flatMap { constraints in
      guard isOn, !isFailing, let path else { return nil }
      let takesMonitors = adapters[path]?.hasMonitors == true && !isMonitorRefused
      return takesMonitors ? .monitor(BlueZPatterns(constraints)) : .discovery
    }
    switch scan {
    case .idle: if let method, let path { start(method, on: path) }
    case .running(let current, let place):
      // A monitor waits for the power to come back.
      if wanted != nil, !isOn, place == path { return }
      if method != current || place != path { stop(current, on: place) }
    case .starting, .stopping: break
    }
  }

  /// The adapter, or BlueZ, has gone: nothing of it is left to be ended.
  func dropScan() {
    scan = .idle
    monitor?.cancel()
    monitor = nil
    discovery?.cancel()
    discovery = nil
    devices = [:]
  }

  private func start(_ method: BlueZScan.Method, on path: String) {
    scan = .starting(method, on: path)
    switch method {
    case .monitor(let patterns): startMonitor(patterns, on: path)
    case .discovery: startDiscovery(on: path)
    }
  }

  private func call(
    _ member: String, of interface: String, on path: String, _ arguments: [BusValue] = [],
    answer: @escaping (BusError?) -> Void
  ) {
    guard let owner else { return }
    call(BusCall(owner, path: path, interface: interface, member, arguments), answer: answer)
  }

  private func call(_ call: BusCall, answer: @escaping (BusError?) -> Void) {
    connection?.call(call, timeoutSeconds: settings.answerSeconds) { [weak self] result in
      // What was begun with a BlueZ or an adapter that has gone is over.
      guard let self, call.destination == owner, scan.adapter == call.path else { return }
      if case .failure(let error) = result { answer(error) } else { answer(nil) }
    }
  }

  // MARK: Monitors

  private func startMonitor(_ patterns: BlueZPatterns, on path: String) {
    guard let connection else { return }
    let served = BlueZMonitor(patterns: patterns)
    isActivated = false
    do throws(BusError) {
      monitor = try BusService(connection, below: BlueZMonitor.root) { [weak self] request in
        self?.take(request, of: served) ?? .values([])
      }
    } catch {
      return monitorRefused(on: path)
    }
    call("RegisterMonitor", of: BlueZ.monitorManager, on: path, [.objectPath(BlueZMonitor.root)]) {
      [weak self] error in
      guard let self else { return }
      if let error {
        endUnanswered(.monitor(patterns), on: path, after: error)
        return monitorRefused(on: path)
      }
      scan = .running(.monitor(patterns), on: path)
      if !isActivated { alarm?.set(clock.now.advanced(bySeconds: settings.activationSeconds)) }
      reconcile()
    }
  }

  func giveUpUnusedMonitor() {
    guard case .running(.monitor, on: let path) = scan, !isActivated, adapters[path]?.isPowered == true else { return }
    isMonitorRefused = true
    reconcile()
  }

  private func take(_ request: BusRequest, of served: BlueZMonitor) -> BusAnswer {
    guard request.sender == owner else {
      return .error(BusError(name: BusError.accessDenied, text: "only org.bluez may call this"))
    }
    let (answer, news) = served.take(request)
    switch news {
    case .found(let device): found(device)
    case .activated:
      isActivated = true
      alarm?.set(nil)
    case .released:
      isMonitorRefused = true
      // Not from inside of the call that tells it.
      connection?.queue.async { [weak self] in self?.reconcile() }
    case nil: break
    }
    return answer
  }

  /// Discovery is what is left.
  private func monitorRefused(on path: String) {
    isMonitorRefused = true
    dropScan()
    reconcile()
  }

  // MARK: Discovery

  private func startDiscovery(on path: String) {
    guard let owner, let connection else { return }
    discovery = try? connection.listen(
      to: BusSignal(sender: owner, path: nil, interface: BlueZ.properties, "PropertiesChanged", subject: BlueZ.device)
    ) { [weak self] event in
      if event.values.count > 1, let changed = event.values[1].dictionary { self?.deviceChanged(event.path, changed) }
    }
    let filter = BusValue.dictionary(["Transport": .string("le"), "DuplicateData": .boolean(true)])
    call("SetDiscoveryFilter", of: BlueZ.adapter, on: path, [filter]) { [weak self] _ in
      // An older BlueZ does not know the filter; what it gives without is better than nothing.
      self?.call("StartDiscovery", of: BlueZ.adapter, on: path) { [weak self] error in
        guard let self else { return }
        // One is under way for this program: the answer to its beginning was lost.
        if let error, error.name != BlueZ.inProgress {
          endUnanswered(.discovery, on: path, after: error)
          return discoveryRefused(error)
        }
        scan = .running(.discovery, on: path)
        reconcile()
      }
    }
  }

  private func discoveryRefused(_ error: BusError) {
    dropScan()
    isFailing = true
    askAgainLater()
    if !hasAdvised {
      hasAdvised = true
      events?(
        .notice(
          "Bluetooth does not listen for beacons: \(Self.short(error)). It is tried again every minute; "
            + "bluetoothctl scan le shows whether it does for others."))
    }
    tellRadio()
  }

  /// What BlueZ has not answered in time it may have begun all the same: it would listen for nobody.
  private func endUnanswered(_ method: BlueZScan.Method, on path: String, after error: BusError) {
    guard error.name == BusError.noReply, let owner, let connection else { return }
    connection.call(Self.end(of: method, on: path, owner: owner), timeoutSeconds: settings.answerSeconds) { _ in }
  }

  private static func end(of method: BlueZScan.Method, on path: String, owner: String) -> BusCall {
    switch method {
    case .monitor:
      BusCall(
        owner, path: path, interface: BlueZ.monitorManager, "UnregisterMonitor", [.objectPath(BlueZMonitor.root)])
    case .discovery: BusCall(owner, path: path, interface: BlueZ.adapter, "StopDiscovery")
    }
  }

  private func stop(_ method: BlueZScan.Method, on path: String) {
    scan = .stopping(on: path)
    guard let owner else { return }
    call(Self.end(of: method, on: path, owner: owner)) { [weak self] _ in
      guard let self else { return }
      dropScan()
      reconcile()
    }
  }

  // MARK: Packets

  /// Devices that are followed at a time; beyond that all are forgotten, and those that are there come back. Phones
  /// take a new address every quarter of an hour.
  private static let devicesMax = 4_096

  /// BlueZ has heard a packet of a beacon that is listened for, and keeps to itself what was in it.
  private func found(_ path: String) {
    guard case .running(.monitor, _) = scan else { return }
    read(path)
  }

  private func read(_ path: String) {
    guard let owner, let connection else { return }
    if devices.count >= Self.devicesMax, devices[path] == nil { devices = [:] }
    // One question at a time: packets that come meanwhile are one with this.
    guard devices[path]?.isAsked != true else { return }
    devices[path, default: BlueZDevice()].isAsked = true
    connection.getProperties(of: BlueZ.device, at: path, of: owner, timeoutSeconds: settings.answerSeconds) {
      [weak self] result in
      guard let self, owner == self.owner, devices[path] != nil else { return }
      devices[path]?.isAsked = false
      devices[path]?.isKnown = true
      if let properties = try? result.get() { deviceChanged(path, properties) }
    }
  }

  /// What BlueZ tells of a device by itself while discovery runs, or has answered.
  func deviceChanged(_ path: String, _ properties: [String: BusValue], isAll: Bool = false) {
    guard case .running = scan, let wanted else { return }
    if devices.count >= Self.devicesMax, devices[path] == nil { devices = [:] }
    if isAll { devices[path, default: BlueZDevice()].isKnown = true }
    guard devices[path, default: BlueZDevice()].take(properties), let device = devices[path] else { return }
    guard let decibels = device.signalDecibels, let frame = device.frame else {
      if !device.isKnown { read(path) }
      return
    }
    guard wanted.contains(where: { $0.matches(frame.beacon) }) else { return }
    events?(.packet(BeaconPacket(frame, signalDecibels: decibels, time: clock.wallTime)))
  }
}
