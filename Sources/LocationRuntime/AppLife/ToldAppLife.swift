import LinuxIO
import LocationEngine
import LocationModel

/// An app's life as the engine tells it, whichever way its words come: over a socket, or from a host in this process.
///
/// Until the first word it stands as it was launched: for an event it has the time of one, which is counted from here
/// until its host tells the rest. A process that no supervisor has launched hears none, and is in
/// use until it ends.
package final class ToldAppLife: AppLifeConnection {
  /// What an app says of its life.
  package enum Word: Hashable, Sendable {
    case taskBegun(UInt64, name: String)
    case taskEnded(UInt64)
    case settingsWished(UInt64)
  }

  private struct State {
    var life: AppLife
    var allowsBackgroundRefresh = true
    /// That it is off is not for this person to change.
    var isRefreshRestricted = false

    var backgroundRefresh: BackgroundRefresh {
      if allowsBackgroundRefresh { return .available }
      return isRefreshRestricted ? .restricted : .denied
    }

    /// Whether it was told, or the app has read it; else the first standing is no change, but what the app finds.
    var isRefreshKnown = false

    /// Nil while the time is unlimited.
    var backgroundTimeEnds: Instant?
    var openTasks: [(number: UInt64, name: String)] = []
    /// Who waits to hear whether the app's entry is shown, by the numbers of the wishes.
    var settingsWishes: [UInt64: @Sendable (Bool) -> Void] = [:]
    var settingsWishCount: UInt64 = 0
    var events: (@Sendable (AppLifeEvent) -> Void)?
    var say: (@Sendable (Word) -> Void)?
  }

  package let launchReason: LaunchReason
  package let delivery: DeliveryKind
  /// What the process has made of itself: an app on a simulated device is another one with each start.
  package let application = Locked<(any Sendable)?>(nil)
  private let now: @Sendable () -> Instant
  private let state: Locked<State>

  /// - Parameters:
  ///   - wakeSeconds: the time for an event, as far as this process knows before it is told (behaviour 3.6).
  ///   - now: the engine's clock.
  package init(
    launchReason: LaunchReason, delivery: DeliveryKind = .creatingThread,
    wakeSeconds: Double = Policy().wakeWindowSeconds, now: @escaping @Sendable () -> Instant
  ) {
    self.launchReason = launchReason
    self.delivery = delivery
    self.now = now
    var initial = State(life: launchReason == .location ? .background : .active)
    if launchReason == .location { initial.backgroundTimeEnds = now().advanced(bySeconds: wakeSeconds) }
    state = Locked(initial)
  }

  /// Where the app's words go to; called once. A word is said again by `standingWords` where its way is lost.
  package func attach(_ say: @escaping @Sendable (Word) -> Void) {
    state.withLock { $0.say = say }
  }

  /// The process is gone: nobody hears or says anything.
  package func end() {
    state.withLock { state in
      state.events = nil
      state.say = nil
    }
    application.withLock { $0 = nil }
    refuseSettings()
  }

  /// What a service that has come back has to hear again.
  package var standingWords: [Word] {
    state.withLock { state in
      state.openTasks.map { .taskBegun($0.number, name: $0.name) }
        + state.settingsWishes.keys.sorted().map { .settingsWished($0) }
    }
  }

  // MARK: Hearing

  /// One at a time, in order.
  package func heard(_ event: LifeEvent) {
    let (events, told) = state.withLock { state in (state.events, Self.take(event, &state)) }
    for event in told { events?(event) }
  }

  private static func take(_ event: LifeEvent, _ state: inout State) -> [AppLifeEvent] {
    switch event {
    case .began(let standing):
      state.backgroundTimeEnds = standing.backgroundTimeEnds
      let refresh = change(refresh: standing.allowsBackgroundRefresh, &state)
      return change(life: standing.state == .foreground ? .active : .background, &state) + refresh
    case .enteredForeground: return change(life: .active, &state)
    case .enteredBackground: return change(life: .background, &state)
    case .willBeSuspended: return []
    case .willTerminate: return [.terminating]
    case .backgroundTaskExpired(let number): return [.taskExpired(number)]
    case .backgroundTimeChanged(let ends):
      state.backgroundTimeEnds = ends
      return []
    case .backgroundRefreshChanged(let isOn): return change(refresh: isOn, &state)
    }
  }

  /// Counts while background refresh is off: on a simulated device, where there are parental controls.
  package func setRefreshRestricted(_ isRestricted: Bool, tells: Bool = true) {
    let events = state.withLock { state in
      let before = state.backgroundRefresh
      state.isRefreshRestricted = isRestricted
      return state.backgroundRefresh == before ? nil : state.events
    }
    if tells { events?(.backgroundRefreshChanged) }
  }

  private static func change(life: AppLife, _ state: inout State) -> [AppLifeEvent] {
    guard life != state.life else { return [] }
    state.life = life
    return [.lifeChanged(life)]
  }

  private static func change(refresh isOn: Bool, _ state: inout State) -> [AppLifeEvent] {
    let (wasKnown, wasOn) = (state.isRefreshKnown, state.allowsBackgroundRefresh)
    state.isRefreshKnown = true
    state.allowsBackgroundRefresh = isOn
    return wasKnown && isOn != wasOn ? [.backgroundRefreshChanged] : []
  }

  // MARK: AppLifeConnection

  package var snapshot: AppLifeSnapshot {
    state.withLock { state in
      AppLifeSnapshot(
        life: state.life, backgroundRefresh: state.backgroundRefresh,
        backgroundSecondsRemaining: state.backgroundTimeEnds.map { max(0, $0.seconds(since: now())) })
    }
  }

  package func readBackgroundRefresh() -> BackgroundRefresh {
    state.withLock { state in
      state.isRefreshKnown = true
      return state.backgroundRefresh
    }
  }

  package func connect(_ events: @escaping @Sendable (AppLifeEvent) -> Void) {
    state.withLock { $0.events = events }
  }

  /// Open tasks of one process: as many as a service keeps by its policy. A bound against runaway programs.
  private static let openTasksMax = 1_000
  /// The name is for a log.
  private static let taskNameCharactersMax = 200

  package func beginTask(_ number: UInt64, named name: String?) -> Bool {
    let name = String((name ?? "").prefix(Self.taskNameCharactersMax))
    let (isBegun, say) = state.withLock { state in
      guard state.openTasks.count < Self.openTasksMax else { return (false, nil as (@Sendable (Word) -> Void)?) }
      state.openTasks.append((number, name))
      return (true, state.say)
    }
    guard isBegun else { return false }
    say?(.taskBegun(number, name: name))
    return true
  }

  package func endTask(_ number: UInt64) {
    let say = state.withLock { state in
      state.openTasks.removeAll { $0.number == number }
      return state.say
    }
    say?(.taskEnded(number))
  }

  /// Nobody waits for it: how long an app has for a change of its life is the policy's, and not the app's.
  package func settled(_ life: AppLife) {}

  package func openSettings(_ done: @escaping @Sendable (Bool) -> Void) {
    let (say, number) = state.withLock { state in
      state.settingsWishCount += 1
      if state.say != nil { state.settingsWishes[state.settingsWishCount] = done }
      return (state.say, state.settingsWishCount)
    }
    guard let say else { return done(false) }
    say(.settingsWished(number))
  }

  /// Whether somebody shows the app's entry.
  package func settingsOpened(_ number: UInt64, _ isShown: Bool) {
    state.withLock { $0.settingsWishes.removeValue(forKey: number) }?(isShown)
  }

  /// There is nobody who could ask a person.
  package func refuseSettings() {
    let wishes = state.withLock { state in
      defer { state.settingsWishes = [:] }
      return state.settingsWishes
    }
    for (_, done) in wishes.sorted(by: { $0.key < $1.key }) { done(false) }
  }
}
