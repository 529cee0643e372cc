import Dispatch
import LinuxIO
import LocationModel

/// The compass of iio-sensor-proxy, `net.hadess.SensorProxy.Compass` on the system bus.
///
/// Whether there is one is read once the proxy is on the bus, and again when it is started anew; the compass is claimed
/// while headings are wanted and not a moment longer. The proxy's own policy on the bus lets only GeoClue claim it:
/// another program is refused, and told what to do.
package final class SensorProxyCompass: HeadingSensor, @unchecked Sendable {
  package static let serviceName = "net.hadess.SensorProxy"
  static let path = "/net/hadess/SensorProxy/Compass"
  static let interface = "net.hadess.SensorProxy.Compass"

  package struct Settings: Sendable {
    /// Nil is the machine's system bus.
    package var address: String?
    package var answerSeconds = 10.0
    /// A bus that is not there is tried again while headings are wanted: after a second, then twice as long each time.
    package var connectSeconds = 1.0
    package var connectSecondsMax = 60.0
    /// A proxy that refuses is asked again after so long.
    package var refusalSeconds = 60.0

    package init(address: String? = nil) {
      self.address = address
    }
  }

  /// What a person reads whom the proxy has refused.
  package static let refusalAdvice =
    "put share/dbus-1/system.d/corelocation-compass.conf of this installation into /etc/dbus-1/system.d and run "
    + "systemctl reload dbus: then the service, which runs as the user corelocation, may claim the compass"

  private let settings: Settings
  private let clock: any SessionClock
  private let queue = DispatchQueue(label: "corelocation.compass")

  private let lastRefusal = Locked<String?>(nil)
  private let answered = Locked(false)

  // MARK: On the queue

  private var events: (@Sendable (ProviderEvent) -> Void)?
  private var alarm: (any Alarm)?
  private let bus: BusNameWatch
  private var connection: BusConnection? { bus.connection }
  private var owner: String? { bus.owner }
  private var subscription: BusSubscription?
  private var hasCompass = false
  private var isWanted = false
  private var isClaimed = false
  private var isRefused = false
  private var told: Bool?
  private var hasAdvised = false

  package init(clock: any SessionClock, settings: Settings = Settings()) {
    self.clock = clock
    self.settings = settings
    bus = BusNameWatch(
      Self.serviceName,
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

  package func connect(_ events: @escaping @Sendable (ProviderEvent) -> Void) {
    let alarm = clock.makeAlarm { [weak self] in
      guard let self else { return }
      queue.async { self.alarmRang() }
    }
    queue.async {
      self.events = events
      self.alarm = alarm
      self.bus.open()
    }
  }

  /// Why the proxy does not give its compass, from any thread; nil where it does, or was not asked.
  package var refusal: String? { lastRefusal.withLock { $0 } }

  /// Whether it is known, once the compass is wanted, if the proxy gives one; from any thread.
  package var hasAnswered: Bool { answered.withLock { $0 } }

  package func setWanted(_ isWanted: Bool) {
    queue.async { self.want(isWanted) }
  }

  private func want(_ isWanted: Bool) {
    guard isWanted != self.isWanted else { return }
    self.isWanted = isWanted
    guard isWanted else {
      alarm?.set(nil)
      release()
      return
    }
    if isRefused { alarm?.set(clock.now.advanced(bySeconds: settings.refusalSeconds)) }
    if connection == nil { bus.open() } else { claim() }
  }

  private func alarmRang() {
    guard isWanted else { return }
    if connection == nil {
      bus.open()
    } else if isRefused {
      isRefused = false
      claim()
    }
  }

  // MARK: The bus

  /// A machine without a bus has no proxy. It is tried again while headings are wanted.
  private func lostBus(pauseSeconds: Double) {
    forget()
    if isWanted { alarm?.set(clock.now.advanced(bySeconds: pauseSeconds)) }
    tell(false)
  }

  private func forget() {
    hasCompass = false
    isClaimed = false
    isRefused = false
    subscription = nil
  }

  // MARK: The proxy

  private func ownerChanged(to newOwner: String?) {
    subscription?.cancel()
    forget()
    guard let newOwner, let connection else { return tell(false) }
    // Only the proxy's own words count, and only to it is spoken.
    subscription = try? connection.listenToProperties(of: Self.interface, at: Self.path, of: newOwner) {
      [weak self] changed in self?.take(changed, of: newOwner)
    }
    readProperties()
  }

  private func readProperties() {
    guard let owner, let connection else { return }
    connection.getProperties(
      of: Self.interface, at: Self.path, of: owner, timeoutSeconds: settings.answerSeconds
    ) { [weak self] result in
      guard let self, owner == self.owner else { return }
      // A proxy without the interface has no compass.
      take((try? result.get()) ?? [:], of: owner)
      if told == nil { tell(hasCompass) }
    }
  }

  private func take(_ properties: [String: BusValue], of owner: String) {
    guard owner == self.owner else { return }
    if let has = properties["HasCompass"]?.boolean {
      hasCompass = has
      if !has { isClaimed = false }
      if !isRefused { tell(has) }
      if has { claim() }
    }
    // A proxy that has not measured yet says -1, and what is more than a turn is no direction of its.
    guard isClaimed, let degrees = properties["CompassHeading"]?.double, (0...360).contains(degrees) else { return }
    events?(.heading(HeadingSample(.magnetic(degrees: degrees), time: clock.wallTime)))
  }

  private func claim() {
    guard isWanted, hasCompass, !isClaimed, !isRefused, let owner, let connection else { return }
    isClaimed = true
    let call = BusCall(owner, path: Self.path, interface: Self.interface, "ClaimCompass")
    connection.call(call, timeoutSeconds: settings.answerSeconds) { [weak self] result in
      guard let self, owner == self.owner else { return }
      switch result {
      case .success:
        answered.withLock { $0 = true }
        lastRefusal.withLock { $0 = nil }
        tell(true)
        if isWanted { readProperties() }
      case .failure(let error): refused(error)
      }
    }
  }

  private func release() {
    guard isClaimed else { return }
    isClaimed = false
    giveBack()
  }

  private func giveBack() {
    guard let owner, let connection else { return }
    let call = BusCall(owner, path: Self.path, interface: Self.interface, "ReleaseCompass")
    connection.call(call, timeoutSeconds: settings.answerSeconds) { _ in }
  }

  /// A compass that this program may not have is none for it.
  private func refused(_ error: BusError) {
    isClaimed = false
    isRefused = true
    if isWanted { alarm?.set(clock.now.advanced(bySeconds: settings.refusalSeconds)) }
    // The claim may have come and only its answer not: then the sensor would measure for nobody.
    if error.name == BusError.noReply { giveBack() }
    // Some services answer with all that their program was doing.
    let reason = String(error.description.prefix { !$0.isNewline }.prefix(200))
    lastRefusal.withLock { $0 = reason }
    tell(false)
    if !hasAdvised {
      hasAdvised = true
      let advice =
        error.name == BusError.accessDenied
        ? ". iio-sensor-proxy lets only GeoClue claim it; " + Self.refusalAdvice : ""
      events?(.notice("The compass cannot be used: \(reason)\(advice)."))
    }
  }

  private func tell(_ isAvailable: Bool) {
    if !isAvailable { answered.withLock { $0 = true } }
    guard isAvailable != told else { return }
    told = isAvailable
    events?(.headingAvailable(isAvailable))
  }
}
