import Dispatch
import LinuxIO
import LocationModel

/// What the machine has: gpsd where it answers and has a receiver, else a serial receiver, else the desktop's location
/// service, else nothing until one of them comes; and a better one as soon as it is there.
///
/// Serial ports are opened only while a location is wanted and gpsd does not give one. They are only listened to;
/// nothing is written to what may be no receiver. One that cannot be had or says nothing that is understood makes room
/// for the next, and is looked at again later. The location service is asked only while neither gives a location.
package final class AutomaticProvider: ReceiverProvider, @unchecked Sendable {
  package struct Places: Sendable {
    package var gpsdHost = "localhost"
    package var gpsdPort = LiveSource.gpsdPort
    package var deviceFolder = "/dev"
    /// In this order: names that an administrator gave, then what USB receivers get.
    package var devicePrefixes = ["gps", "ttyACM", "ttyUSB"]

    package init() {}

    /// The serial ports that are there, in the order in which they are tried.
    package var ports: [String] {
      let names = Syscalls.names(in: deviceFolder).sorted()
      return devicePrefixes.flatMap { prefix in
        names.filter { $0.hasPrefix(prefix) }.map { "\(deviceFolder)/\($0)" }
      }.filter { Syscalls.kind(of: $0) == .characterDevice }
    }
  }

  /// gpsd, if it is there, has greeted by then; only then serial ports are touched.
  static let graceSeconds = 0.5
  /// A port that was no receiver is looked at again after this.
  static let rejectedSeconds = 30.0
  /// A receiver that is there and gives no location for so long does not keep the location service from being asked.
  static let patienceSeconds = 5.0

  enum Choice: Equatable {
    case nothing
    case gpsd
    case serial
  }

  /// How each stands that was, is or could be listened to.
  package struct Candidates: Sendable {
    package var gpsd: ProviderStatus
    package var serial: ProviderStatus?
    /// Ports that were no receivers, as they stood then.
    package var rejectedPorts: [String: ProviderStatus] = [:]
    package var service: ProviderStatus?
  }

  private struct Shared {
    var status: ProviderStatus
    var serial: StreamProvider?
    var rejectedPorts: [String: ProviderStatus] = [:]
  }

  let places: Places
  let clock: any SessionClock
  private let queue = DispatchQueue(label: "corelocation.automatic")
  private let gpsd: StreamProvider
  let service: (any ReceiverProvider)?
  private let shared: Locked<Shared>
  private static let name = "the machine's receivers"

  // MARK: State, on the queue

  var events: (@Sendable (ProviderEvent) -> Void)?
  var demand: ReceiverDemand?
  var gpsdStatus: ProviderStatus
  private var serial: (path: String, provider: StreamProvider)?
  var serialStatus: ProviderStatus?
  var rejected: [String: (until: Instant, status: ProviderStatus)] = [:]
  var graceEnds = Instant.zero
  var choice = Choice.nothing
  var isServiceWanted = false
  /// What the service has said since it is wanted.
  var serviceState: ReceiverState?
  /// When the service is asked although a receiver is there; nil while one gives locations.
  var patienceEnds: Instant?
  private var watch: FolderWatch?
  private var alarm: (any Alarm)?
  /// That there is nothing, or nothing for this app, where that was the last that was said.
  var told: ReceiverState?
  var toldAdvice: String?

  /// - Parameter service: is asked last.
  package init(clock: any SessionClock, places: Places = Places(), service: (any ReceiverProvider)? = nil) {
    self.clock = clock
    self.places = places
    self.service = service
    gpsd = LiveSource.gpsd(host: places.gpsdHost, port: places.gpsdPort, clock: clock)
    gpsdStatus = gpsd.currentStatus
    shared = Locked(Shared(status: ProviderStatus(name: Self.name)))
  }

  package var kinds: ReceiverKinds { .all }

  /// That of the receiver that is listened to, from any thread.
  package var currentStatus: ProviderStatus {
    shared.withLock { $0.status }
  }

  /// From any thread.
  package var candidates: Candidates {
    let shared = shared.withLock { $0 }
    return Candidates(
      gpsd: gpsd.currentStatus, serial: shared.serial?.currentStatus, rejectedPorts: shared.rejectedPorts,
      service: service?.currentStatus)
  }

  package func connect(_ events: @escaping @Sendable (ProviderEvent) -> Void) {
    queue.async { self.events = events }
    gpsd.connect(
      { [weak self] event in self?.later { $0.forward(event, from: .gpsd) } },
      statusChanged: { [weak self] status in self?.later { $0.gpsdChanged(status) } })
    service?.connect { [weak self] event in self?.later { $0.serviceSaid(event) } }
  }

  package func setDemand(_ demand: ReceiverDemand?) {
    later { $0.demandChanged(demand) }
  }

  private func later(_ body: @escaping @Sendable (AutomaticProvider) -> Void) {
    queue.async { body(self) }
  }

  private func demandChanged(_ demand: ReceiverDemand?) {
    let previous = self.demand
    guard demand != previous else { return }
    self.demand = demand
    if demand != nil && previous != nil {
      if isServiceWanted { service?.setDemand(demand) }
      // Who was told that there is nothing now asks for something else.
      if demand?.kinds != previous?.kinds { told = nil }
      choose()
      return
    }
    gpsd.setDemand(demand)
    if demand != nil {
      told = nil
      graceEnds = clock.now.advanced(bySeconds: Self.graceSeconds)
      choose()
    } else {
      dropSerial()
      leaveService()
      patienceEnds = nil
      rejected = [:]
      watch = nil
      alarm?.set(nil)
      alarm = nil
      choice = .nothing
      shared.withLock { $0 = Shared(status: ProviderStatus(name: Self.name)) }
    }
  }

  // MARK: Choosing

  func choose() {
    guard demand != nil else { return }
    let now = clock.now
    rejected = rejected.filter { $0.value.until > now }
    if isGPSDUseful {
      dropSerial()
      choice = .gpsd
    } else if graceEnds <= now || gpsdStatus.phase == .absent || gpsdStatus.phase == .lost {
      chooseSerial()
    }
    chooseService(now)
    if choice == .nothing && graceEnds <= now { tellNothing() }
    setAlarm(now)
    noteStatus()
  }

  /// It has a position or could soon have one: its receivers are known.
  private var isGPSDUseful: Bool {
    gpsdStatus.isServing || (gpsdStatus.phase == .starting && !gpsdStatus.devices.isEmpty)
  }

  private func chooseSerial() {
    watchFolder()
    if serial == nil, let path = places.ports.first(where: { rejected[$0] == nil }) { listen(to: path) }
    choice = serial == nil ? .nothing : .serial
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
      rejected[path] = (until, status)
      dropSerial()
    }
    choose()
  }

  private func setAlarm(_ now: Instant) {
    if alarm == nil { alarm = clock.makeAlarm { [weak self] in self?.later { $0.choose() } } }
    let grace = choice == .nothing && graceEnds > now ? graceEnds : nil
    let again = choice == .nothing ? rejected.values.map(\.until).min() : nil
    alarm?.set(grace ?? Instant.earlier(again, serviceDue))
  }

  // MARK: Telling

  private func forward(_ event: ProviderEvent, from source: Choice, path: String? = nil) {
    guard demand != nil, source == choice, path == serial?.path else { return }
    switch event {
    // Whether there is something else is decided with the status that changes at the same time.
    case .state(.unavailable), .notice: return
    case .heading, .headingAvailable:
      events?(event)
      return
    case .fix, .state: break
    }
    if case .state(.searching) = event, isServiceWanted, serviceState == .fixing {
      // Locations come all the same.
      noteStatus()
      return
    }
    told = nil
    toldAdvice = nil
    noteStatus()
    events?(event)
  }

  func noteStatus() {
    var status = ProviderStatus(name: Self.name)
    if isServiceWanted, serviceState == .fixing || (choice == .nothing && serviceState == .searching), let service {
      status = service.currentStatus
    } else {
      switch choice {
      case .gpsd: status = gpsd.currentStatus
      case .serial: status = serial?.provider.currentStatus ?? status
      case .nothing:
        status.phase = told == nil ? .starting : told == .refused ? .refused : .absent
        status.problem = told == nil ? nil : advice
      }
    }
    let shared = Shared(status: status, serial: serial?.provider, rejectedPorts: rejected.mapValues(\.status))
    self.shared.withLock { $0 = shared }
  }
}
