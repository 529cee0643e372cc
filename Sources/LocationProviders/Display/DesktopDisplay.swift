import Dispatch
import LinuxIO
import LocationModel

/// The screen of this machine, as its desktop and its login manager tell of it: a screen saver or a lock screen goes,
/// the machine wakes from sleep, or its sessions cease to be idle.
///
/// There is no connection to any bus while nobody wants to know. What no service tells, such as a screen that a person
/// has switched off by its own button, is not known.
package final class DesktopDisplay: DisplaySensor, @unchecked Sendable {
  package struct Settings: Sendable {
    /// Nil is the machine's system bus.
    package var systemAddress: String?
    /// Nil is the bus of the person's session, where there is one.
    package var sessionAddress: String?
    package var answerSeconds = 10.0
    /// A bus that is not there is tried again while somebody wants to know: after a second, then twice as long each
    /// time.
    package var connectSeconds = 1.0
    package var connectSecondsMax = 60.0
    /// Chosen: a machine that wakes tells of sleep, of its screen saver and of its idle session one after the other.
    package var settleSeconds = 10.0

    package init(systemAddress: String? = nil, sessionAddress: String? = nil) {
      self.systemAddress = systemAddress
      self.sessionAddress = sessionAddress
    }
  }

  /// One service that is listened to.
  private struct Ear {
    let watch: BusNameWatch
    let alarm: any Alarm
    var subscriptions: [BusSubscription] = []
  }

  private let settings: Settings
  private let clock: any SessionClock
  private let queue = DispatchQueue(label: "corelocation.display")

  // MARK: On the queue

  private var turnedOn: (@Sendable () -> Void)?
  private var ears: [DisplaySign: Ear] = [:]
  private var judgement: DisplayJudgement

  package init(clock: any SessionClock, settings: Settings = Settings()) {
    self.clock = clock
    self.settings = settings
    judgement = DisplayJudgement(settleSeconds: settings.settleSeconds)
  }

  package func connect(_ turnedOn: @escaping @Sendable () -> Void) {
    queue.async { self.turnedOn = turnedOn }
  }

  package func setWanted(_ isWanted: Bool) {
    queue.async {
      guard isWanted == self.ears.isEmpty else { return }
      if isWanted { self.begin() } else { self.end() }
    }
  }

  private func begin() {
    judgement = DisplayJudgement(settleSeconds: settings.settleSeconds)
    for sign in DisplaySign.allCases {
      let address =
        sign.isOfSession ? settings.sessionAddress ?? BusAddress.session : settings.systemAddress ?? BusAddress.system
      guard let address else { continue }
      let watch = BusNameWatch(
        sign.service,
        settings: BusNameWatch.Settings(
          address: address, answerSeconds: settings.answerSeconds, connectSeconds: settings.connectSeconds,
          connectSecondsMax: settings.connectSecondsMax),
        queue: queue)
      let alarm = clock.makeAlarm { [weak self] in
        guard let self else { return }
        queue.async { self.alarmRang(for: sign) }
      }
      ears[sign] = Ear(watch: watch, alarm: alarm)
      watch.onEvent { [weak self] event in self?.heard(event, of: sign) }
      watch.open()
    }
  }

  /// The connections go with those that watch over them.
  private func end() {
    for ear in ears.values { ear.alarm.set(nil) }
    ears = [:]
  }

  private func alarmRang(for sign: DisplaySign) {
    guard let watch = ears[sign]?.watch, watch.connection == nil else { return }
    watch.open()
  }

  private func heard(_ event: BusNameWatch.Event, of sign: DisplaySign) {
    guard let ear = ears[sign] else { return }
    for subscription in ear.subscriptions { subscription.cancel() }
    ears[sign]?.subscriptions = []
    switch event {
    case .ownerChanged(let owner?): listen(to: sign, of: owner, with: ear.watch)
    case .ownerChanged(nil): break
    case .lost(let pauseSeconds): ear.alarm.set(clock.now.advanced(bySeconds: pauseSeconds))
    }
  }

  /// Only the owner's own words count.
  private func listen(to sign: DisplaySign, of owner: String, with watch: BusNameWatch) {
    guard let connection = watch.connection else { return }
    // A bus that refuses it says nothing, and nothing is known then.
    ears[sign]?.subscriptions = sign.signals(from: owner).compactMap { signal in
      try? connection.listen(to: signal) { [weak self] event in self?.take(signal.member, event.values) }
    }
    guard sign == .login else { return }
    connection.getProperties(
      of: DisplaySign.loginManager, at: DisplaySign.loginPath, of: owner, timeoutSeconds: settings.answerSeconds
    ) { [weak self] result in
      guard let isIdle = (try? result.get())?["IdleHint"]?.boolean else { return }
      self?.judgement.note(isIdle: isIdle)
    }
  }

  private func take(_ member: String, _ values: [BusValue]) {
    if judgement.take(member, values, atSeconds: clock.now.seconds(since: .zero)) { turnedOn?() }
  }
}
