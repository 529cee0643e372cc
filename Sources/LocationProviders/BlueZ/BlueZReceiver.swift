import Dispatch
import LinuxIO
import LocationModel

/// The machine's Bluetooth by BlueZ, `org.bluez` on the system bus.
///
/// Which adapters there are is read once BlueZ is on the bus, and its signals tell what changes. Nothing is asked of an
/// adapter while nobody listens. Then an advertisement monitor is registered, with which BlueZ and the adapter wake
/// nobody for other packets; where there is none, or it is refused, discovery runs, without the filter of duplicates,
/// since a beacon says the same all the time.
package final class BlueZReceiver: BeaconReceiver, @unchecked Sendable {
  package struct Settings: Sendable {
    /// Nil is the machine's system bus.
    package var address: String?
    package var answerSeconds = 10.0
    /// A bus that is not there is tried again while somebody listens: after a second, then twice as long each time.
    package var connectSeconds = 1.0
    package var connectSecondsMax = 60.0
    /// An adapter that refuses is asked again after so long.
    package var refusalSeconds = 60.0
    /// A monitor that BlueZ has taken and does not use for so long is none: its bus may keep them apart.
    package var activationSeconds = 3.0
    /// Where the kernel shows its adapters: whether there is one is known from there until BlueZ has answered.
    package var adapterFolder = "/sys/class/bluetooth"

    package init(address: String? = nil) {
      self.address = address
    }
  }

  let settings: Settings
  let clock: any SessionClock
  private let queue = DispatchQueue(label: "corelocation.bluetooth")

  // MARK: On the queue

  var events: (@Sendable (BeaconEvent) -> Void)?
  var alarm: (any Alarm)?
  private let bus: BusNameWatch
  var connection: BusConnection? { bus.connection }
  var owner: String? { bus.owner }
  private var subscriptions: [BusSubscription] = []
  private(set) var adapters: [String: BlueZAdapter] = [:]
  var devices: [String: BlueZDevice] = [:]
  private(set) var wanted: [BeaconConstraint]?
  var scan = BlueZScan.idle
  var monitor: BusService?
  var discovery: BusSubscription?
  /// BlueZ listens with the monitor.
  var isActivated = false
  /// BlueZ does not take advertisement monitors.
  var isMonitorRefused = false
  var isFailing = false
  var hasAdvised = false
  private var told: BeaconRadio?
  /// Which adapters there are has been said, if only that nobody serves them.
  private var isKnown = false
  /// What BlueZ, or the bus, has answered instead of its objects.
  private var refusal: String?

  private let lastStanding = Locked<BlueZStanding?>(nil)

  package init(clock: any SessionClock, settings: Settings = Settings()) {
    self.clock = clock
    self.settings = settings
    bus = BusNameWatch(
      BlueZ.service,
      settings: BusNameWatch.Settings(
        address: settings.address, answerSeconds: settings.answerSeconds, connectSeconds: settings.connectSeconds,
        connectSecondsMax: settings.connectSecondsMax),
      queue: queue)
    bus.onEvent { [weak self] event in
      switch event {
      case .ownerChanged(let owner): self?.ownerChanged(to: owner)
      case .lost(let pauseSeconds): self?.lostBus(pauseSeconds: pauseSeconds)
      }
    }
  }

  deinit {
    let monitor = monitor
    // Ahead of the connection, which the bus closes behind it.
    queue.async { monitor?.cancel() }
  }

  /// What the kernel shows is told before this returns, what BlueZ says later.
  package func connect(_ events: @escaping @Sendable (BeaconEvent) -> Void) {
    let alarm = clock.makeAlarm { [weak self] in
      guard let self else { return }
      queue.async { self.alarmRang() }
    }
    queue.sync {
      self.events = events
      self.alarm = alarm
      if !Syscalls.names(in: settings.adapterFolder).isEmpty { tell(.starting) }
    }
    queue.async { self.bus.open() }
  }

  /// How it stands, from any thread; nil until that is known.
  package var standing: BlueZStanding? { lastStanding.withLock { $0 } }

  package func listen(for constraints: [BeaconConstraint]?) {
    queue.async {
      // Who asks anew is not told of an old refusal.
      if self.wanted == nil { self.isFailing = false }
      self.wanted = constraints
      if constraints == nil { self.alarm?.set(nil) }
      if constraints != nil, self.connection == nil { return self.bus.open() }
      if constraints != nil, self.refusal != nil { self.askAgainLater() }
      self.reconcile()
    }
  }

  /// How many devices are remembered now; waits until what was asked for has been carried out.
  package var followedDeviceCount: Int { queue.sync { devices.count } }

  private func alarmRang() {
    guard wanted != nil else { return }
    if connection == nil {
      bus.open()
    } else if refusal != nil {
      readObjects()
    } else if isFailing {
      isFailing = false
      reconcile()
    } else {
      giveUpUnusedMonitor()
    }
  }

  // MARK: The bus

  /// A machine without a bus has no BlueZ. It is tried again while somebody listens.
  private func lostBus(pauseSeconds: Double) {
    forget()
    if wanted != nil { alarm?.set(clock.now.advanced(bySeconds: pauseSeconds)) }
    isKnown = true
    tell(.absent, .noBus)
  }

  private func forget() {
    for subscription in subscriptions { subscription.cancel() }
    subscriptions = []
    adapters = [:]
    isMonitorRefused = false
    refusal = nil
    dropScan()
  }

  // MARK: BlueZ

  private func ownerChanged(to newOwner: String?) {
    forget()
    isFailing = false
    isKnown = newOwner == nil
    guard let newOwner, let connection else { return tell(.absent, .noService) }
    do throws(BusError) {
      subscriptions = [
        try connection.listen(
          to: BusSignal(sender: newOwner, path: "/", interface: BlueZ.objectManager, "InterfacesAdded")
        ) { [weak self] event in self?.added(event) },
        try connection.listen(
          to: BusSignal(sender: newOwner, path: "/", interface: BlueZ.objectManager, "InterfacesRemoved")
        ) { [weak self] event in self?.removed(event) },
        try connection.listen(
          to: BusSignal(
            sender: newOwner, path: nil, interface: BlueZ.properties, "PropertiesChanged", subject: BlueZ.adapter)
        ) { [weak self] event in self?.adapterChanged(event) },
      ]
    } catch {
      events?(.notice("Bluetooth cannot be watched: \(error)."))
    }
    readObjects()
  }

  private func readObjects() {
    guard let owner, let connection else { return }
    let call = BusCall(owner, path: "/", interface: BlueZ.objectManager, "GetManagedObjects")
    connection.call(call, timeoutSeconds: settings.answerSeconds) { [weak self] result in
      guard let self, owner == self.owner else { return }
      isKnown = true
      switch result {
      case .success(let reply):
        refusal = nil
        for object in BlueZ.objects(reply.values.first) { take(object.interfaces, of: object.path) }
      case .failure(let error): objectsRefused(error)
      }
      adaptersChanged()
    }
  }

  /// A Bluetooth that this program may not use is none for it. It is asked again while somebody listens.
  private func objectsRefused(_ error: BusError) {
    let reason = Self.short(error)
    if wanted != nil { askAgainLater() }
    if refusal == nil, adapters.isEmpty {
      events?(.notice("BlueZ does not tell which Bluetooth adapters there are: \(reason)."))
    }
    refusal = reason
  }

  func askAgainLater() {
    alarm?.set(clock.now.advanced(bySeconds: settings.refusalSeconds))
  }

  /// Some services answer with all that their program was doing.
  static func short(_ error: BusError) -> String { String(error.description.prefix { !$0.isNewline }.prefix(200)) }

  private func added(_ event: BusEvent) {
    guard event.values.count == 2, let path = event.values[0].text else { return }
    let interfaces = BlueZ.interfaces(event.values[1])
    // An adapter comes interface by interface: all of it is looked at, before anything is begun with it.
    if interfaces[BlueZ.adapter] != nil || interfaces[BlueZ.monitorManager] != nil { readObjects() }
    // All of a device: what is not among it need not be asked for.
    if let properties = interfaces[BlueZ.device] { deviceChanged(path, properties, isAll: true) }
  }

  private func take(_ interfaces: [String: [String: BusValue]], of path: String) {
    if let properties = interfaces[BlueZ.adapter] {
      adapters[path, default: BlueZAdapter()].isPowered = properties["Powered"]?.boolean ?? false
    }
    if interfaces[BlueZ.monitorManager] != nil { adapters[path, default: BlueZAdapter()].hasMonitors = true }
  }

  private func removed(_ event: BusEvent) {
    guard event.values.count == 2, let path = event.values[0].text, case .array(_, let names) = event.values[1] else {
      return
    }
    let interfaces = names.compactMap(\.text)
    if interfaces.contains(BlueZ.device) { devices[path] = nil }
    if interfaces.contains(BlueZ.monitorManager) { adapters[path]?.hasMonitors = false }
    guard interfaces.contains(BlueZ.adapter), adapters.removeValue(forKey: path) != nil else { return }
    if scan.adapter == path { dropScan() }
    isMonitorRefused = false
    adaptersChanged()
  }

  private func adapterChanged(_ event: BusEvent) {
    guard event.values.count > 1, let isPowered = event.values[1].dictionary?["Powered"]?.boolean,
      adapters[event.path] != nil
    else { return }
    adapters[event.path]?.isPowered = isPowered
    // A discovery ends with the power, a monitor waits for it.
    if !isPowered, scan == .running(.discovery, on: event.path) { dropScan() }
    adaptersChanged()
  }

  private func adaptersChanged() {
    isFailing = false
    reconcile()
  }

  /// The first that is on, else the first; nil where there is none.
  var adapter: String? {
    let paths = adapters.keys.sorted()
    return paths.first { adapters[$0]?.isPowered == true } ?? paths.first
  }

  // MARK: What is told

  func tellRadio() {
    // Until BlueZ has answered what the kernel shows counts.
    guard isKnown, owner != nil else { return }
    guard let path = adapter, let adapter = adapters[path] else {
      return tell(.absent, refusal.map { .refused($0) } ?? .noAdapter)
    }
    guard adapter.isPowered else { return tell(.off, .off) }
    if isFailing { return tell(.failing, .failing) }
    tell(.on, .ready(takesMonitors: adapter.hasMonitors && !isMonitorRefused))
  }

  /// The standing is set first, so that whoever is told finds it.
  private func tell(_ radio: BeaconRadio, _ standing: BlueZStanding? = nil) {
    lastStanding.withLock { $0 = standing }
    guard radio != told else { return }
    told = radio
    events?(.radio(radio))
  }
}
