import Dispatch
import LinuxIO
import LocationModel

/// What the machine has: gpsd where it answers and has a receiver, else a serial receiver, else nothing until one of
/// them comes; and the better of the two as soon as it is there.
///
/// Serial ports are opened only while a location is wanted and gpsd does not give one. They are only listened to;
/// nothing is written to what may be no receiver. One that cannot be had or says nothing that is understood makes room
/// for the next, and is looked at again later.
package final class AutomaticProvider: ReceiverProvider, @unchecked Sendable {
  package struct Places: Sendable {
    package var gpsdHost = "localhost"
    package var gpsdPort = LiveSource.gpsdPort
    package var deviceFolder = "/dev"
    /// In this order: names that an administrator gave, then what USB receivers get.
    package var devicePrefixes = ["gps", "ttyACM", "ttyUSB"]

    package init() {}
  }

  /// gpsd, if it is there, has greeted by then; only then serial ports are touched.
  static let graceSeconds = 0.5
  /// A port that was no receiver is looked at again after this.
  static let rejectedSeconds = 30.0

  private enum Choice: Equatable {
    case nothing
    case gpsd
    case serial
  }

  private let places: Places
  private let clock: any SessionClock
  private let queue = DispatchQueue(label: "corelocation.automatic", qos: .userInitiated)
  private let gpsd: StreamProvider
  private let shared: Locked<ProviderStatus>

  // MARK: State, on the queue

  private var events: (@Sendable (ProviderEvent) -> Void)?
  private var demand: ReceiverDemand?
  private var gpsdStatus: ProviderStatus
  private var serial: (path: String, provider: StreamProvider)?
  private var serialStatus: ProviderStatus?
  private var rejected: [String: (until: Instant, problem: String)] = [:]
  private var graceEnds = Instant.zero
  private var choice = Choice.nothing
  private var watch: FolderWatch?
  private var alarm: (any Alarm)?
  private var hasToldUnavailable = false
  private var toldAdvice: String?

  package init(clock: any SessionClock, places: Places = Places()) {
    self.clock = clock
    self.places = places
    gpsd = LiveSource.gpsd(host: places.gpsdHost, port: places.gpsdPort, clock: clock)
    gpsdStatus = gpsd.currentStatus
    shared = Locked(ProviderStatus(name: "the machine's receivers"))
  }

  /// That of the receiver that is listened to, from any thread.
  package var currentStatus: ProviderStatus {
    shared.withLock { $0 }
  }

  package func connect(_ events: @escaping @Sendable (ProviderEvent) -> Void) {
    queue.async { self.events = events }
    gpsd.connect(
      { [weak self] event in self?.later { $0.forward(event, from: .gpsd) } },
      statusChanged: { [weak self] status in self?.later { $0.gpsdChanged(status) } })
  }

  package func setDemand(_ demand: ReceiverDemand?) {
    later { $0.demandChanged(demand) }
  }

  private func later(_ body: @escaping @Sendable (AutomaticProvider) -> Void) {
    queue.async { body(self) }
  }

  private func demandChanged(_ demand: ReceiverDemand?) {
    let wasWanted = self.demand != nil
    self.demand = demand
    guard wasWanted != (demand != nil) else { return }
    gpsd.setDemand(demand)
    if demand != nil {
      hasToldUnavailable = false
      graceEnds = clock.now.advanced(bySeconds: Self.graceSeconds)
      choose()
    } else {
      dropSerial()
      rejected = [:]
      watch = nil
      alarm?.set(nil)
      alarm = nil
      choice = .nothing
      shared.withLock { $0 = ProviderStatus(name: $0.name) }
    }
  }

  // MARK: Choosing

  private func choose() {
    guard demand != nil else { return }
    let now = clock.now
    rejected = rejected.filter { $0.value.until > now }
    if isGPSDUseful {
      dropSerial()
      choice = .gpsd
    } else if graceEnds <= now || gpsdStatus.phase == .absent || gpsdStatus.phase == .lost {
      chooseSerial()
    }
    if choice == .nothing && graceEnds <= now { tellUnavailable() }
    setAlarm(now)
    noteStatus()
  }

  /// It has a position or could soon have one: its receivers are known.
  private var isGPSDUseful: Bool {
    gpsdStatus.isServing || (gpsdStatus.phase == .starting && !gpsdStatus.devices.isEmpty)
  }

  private func chooseSerial() {
    watchFolder()
    if serial == nil, let path = candidates.first(where: { rejected[$0] == nil }) { listen(to: path) }
    choice = serial == nil ? .nothing : .serial
  }

  private var candidates: [String] {
    let names = Syscalls.names(in: places.deviceFolder).sorted()
    return places.devicePrefixes.flatMap { prefix in
      names.filter { $0.hasPrefix(prefix) }.map { "\(places.deviceFolder)/\($0)" }
    }.filter { Syscalls.kind(of: $0) == .characterDevice }
  }

  private func watchFolder() {
    guard watch == nil else { return }
    let prefixes = places.devicePrefixes
    watch = try? FolderWatch(
      folder: places.deviceFolder, queue: queue,
      matches: { name in prefixes.contains { name.hasPrefix($0) } },
      changed: { [weak self] in self?.folderChanged() })
  }

  private func folderChanged() {
    rejected = [:]
    choose()
  }

  private func listen(to path: String) {
    let provider = LiveSource.device(path: path, clock: clock)
    provider.connect(
      { [weak self] event in self?.later { $0.forward(event, from: .serial, path: path) } },
      statusChanged: { [weak self] status in self?.later { $0.serialChanged(status, path: path) } })
    serial = (path, provider)
    serialStatus = nil
    provider.setDemand(demand)
  }

  private func dropSerial() {
    serial?.provider.setDemand(nil)
    serial = nil
    serialStatus = nil
  }

  private func gpsdChanged(_ status: ProviderStatus) {
    gpsdStatus = status
    choose()
  }

  /// A port that cannot be had, is silent or was unplugged makes room for another.
  private func serialChanged(_ status: ProviderStatus, path: String) {
    guard serial?.path == path else { return }
    serialStatus = status
    if status.phase == .absent || status.phase == .lost {
      let until = clock.now.advanced(bySeconds: Self.rejectedSeconds)
      rejected[path] = (until, status.problem ?? "\(path) is no receiver")
      dropSerial()
    }
    choose()
  }

  private func setAlarm(_ now: Instant) {
    if alarm == nil { alarm = clock.makeAlarm { [weak self] in self?.later { $0.choose() } } }
    let grace = choice == .nothing && graceEnds > now ? graceEnds : nil
    alarm?.set(grace ?? (choice == .nothing ? rejected.values.map(\.until).min() : nil))
  }

  // MARK: Telling

  private func forward(_ event: ProviderEvent, from source: Choice, path: String? = nil) {
    guard demand != nil, source == choice, path == serial?.path else { return }
    switch event {
    // Whether there is something else is decided with the status that changes at the same time.
    case .state(.unavailable), .notice: return
    case .fix, .state: break
    }
    hasToldUnavailable = false
    toldAdvice = nil
    noteStatus()
    events?(event)
  }

  private func tellUnavailable() {
    let advice = advice
    if advice != toldAdvice { events?(.notice(advice)) }
    toldAdvice = advice
    if !hasToldUnavailable { events?(.state(.unavailable)) }
    hasToldUnavailable = true
  }

  private var advice: String {
    let ports = rejected.sorted { $0.key < $1.key }.map(\.value.problem)
    let names = places.devicePrefixes.map { "\(places.deviceFolder)/\($0)*" }.joined(separator: ", ")
    let found = ports.isEmpty ? "there is no serial receiver (\(names))" : ports.joined(separator: ", ")
    let daemon =
      gpsdStatus.phase == .starting
      ? "\(gpsdStatus.name) has no receiver" : gpsdStatus.problem ?? "\(gpsdStatus.name) does not answer"
    return "\(daemon), and \(found). A location comes as soon as one of them does."
  }

  private func noteStatus() {
    let name = "the machine's receivers"
    var status: ProviderStatus
    switch choice {
    case .gpsd: status = gpsd.currentStatus
    case .serial: status = serial?.provider.currentStatus ?? ProviderStatus(name: name)
    case .nothing:
      status = ProviderStatus(name: name)
      status.phase = hasToldUnavailable ? .absent : .starting
      status.problem = hasToldUnavailable ? advice : nil
    }
    shared.withLock { $0 = status }
  }
}
