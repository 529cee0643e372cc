import LinuxIO
import LocationEngine
import LocationModel
import LocationProviders
import LocationRuntime

/// The receivers of a simulated device: satellites find where it is once a second while they are followed, Wi-Fi and
/// cell towers as its profile has them, and what a test gives comes besides.
///
/// They find nothing until they have been told where the device is. Satellites are searched for first, as long as the
/// model says (algorithms 1.3); the very first start is taken to be over when the test begins.
package final class SimulatedReceiver: LocationProvider, MotionSensor {
  private struct State {
    var events: (@Sendable (ProviderEvent) -> Void)?
    var demandChanged: (@Sendable (ReceiverDemand?) -> Void)?
    var demand: ReceiverDemand?
    var radios: ModelledRadios
    var scansBeacons = false
    var alarm: (any Alarm)?
    var motion = ModelledMotion()
    var whereabouts: Whereabouts?
    var nextRecorded = 0
    var reception = SimulatedReception.open
    var isSearching = false
    var delaySeconds = 0.0
    var repeatsFixes = false
    var misplacedNext: Coordinate?
    var late: [(due: Instant, fix: Fix)] = []
    var noise: ReceiverNoise?
  }

  /// Where the device is, from a moment on.
  private struct Whereabouts {
    var journey: Journey
    var since: Instant
  }

  private let clock: VirtualClock
  private let state: Locked<State>
  /// What it can have on, as far as airplane mode tells receivers apart.
  package let kinds: ReceiverKinds

  init(clock: VirtualClock, profile: DeviceProfile, noiseSeed: UInt64?) {
    self.clock = clock
    kinds = profile.technologies.kinds
    let radios = ModelledRadios(profile: profile, seed: noiseSeed ?? 0)
    state = Locked(State(radios: radios, noise: noiseSeed.map(ReceiverNoise.init(seed:))))
    let alarm = clock.makeAlarm { [weak self] in self?.look() }
    let motionAlarm = clock.makeAlarm { [weak self] in self?.feelMotion() }
    state.withLock { state in
      state.alarm = alarm
      state.motion.alarm = motionAlarm
    }
  }

  package func connect(_ events: @escaping @Sendable (ProviderEvent) -> Void) {
    state.withLock { $0.events = events }
  }

  /// Told of each demand before it is met.
  func onDemand(_ body: @escaping @Sendable (ReceiverDemand?) -> Void) {
    state.withLock { $0.demandChanged = body }
  }

  package func setDemand(_ demand: ReceiverDemand?) {
    let demand = demand?.allowed
    state.withLock { $0.demandChanged }?(demand)
    let searching = state.withLock { state -> (@Sendable (ProviderEvent) -> Void)? in
      let isLost = demand?.losesPlaces(after: state.demand, reception: state.reception) == true
      let wasOn = state.demand != nil
      state.demand = demand
      let others = state.radios.nextDue
      let wasFollowing = state.radios.isSatelliteOn
      if demand != nil { considerReception(&state) }
      state.radios.setDemand(demand, at: clock.now)
      if (demand != nil) != wasOn || state.radios.nextDue != others || state.radios.isSatelliteOn != wasFollowing {
        schedule(&state, isFirst: true)
      }
      return isLost ? state.events : nil
    }
    searching?(.state(.searching))
  }

  /// What the receiver is wanted for now; nil while it is off.
  package var demand: ReceiverDemand? {
    state.withLock { $0.demand }
  }

  package var joules: ReceiverJoules { state.withLock { $0.radios.joules(at: clock.now) } }
  package var onSeconds: Double { state.withLock { $0.radios.satelliteSeconds(at: clock.now) } }
  package var startCount: Int { state.withLock { $0.radios.satelliteStartCount } }

  // MARK: What a test gives

  package func give(_ fix: Fix) {
    eventsIfOn?(.fix(fix))
  }

  package func say(_ receiverState: ReceiverState) {
    eventsIfOn?(.state(receiverState))
  }

  private var eventsIfOn: (@Sendable (ProviderEvent) -> Void)? {
    state.withLock { $0.demand == nil ? nil : $0.events }
  }

  // MARK: Where the device is

  /// The device goes on this journey from now on, and stays where it ends.
  func begin(_ journey: Journey) {
    state.withLock { state in
      state.whereabouts = Whereabouts(journey: journey, since: clock.now)
      state.nextRecorded = 0
      considerReception(&state)
      schedule(&state, isFirst: true)
      state.motion.begin(journey, at: clock.now, energy: state.radios.profile.energy)
    }
    feelMotion()
  }

  // MARK: Moving

  /// Bluetooth listens from now on, or no more. False where that is nothing new.
  func setBeaconScan(_ isOn: Bool) -> Bool {
    state.withLock { state in
      guard isOn != state.scansBeacons else { return false }
      state.scansBeacons = isOn
      state.radios.setBeaconScan(isOn, at: clock.now)
      return true
    }
  }

  package func connect(_ changed: @escaping @Sendable (DeviceMotion) -> Void) {
    state.withLock { $0.motion.changed = changed }
  }

  package func setMotionWanted(_ isWanted: Bool) {
    state.withLock { state in
      state.radios.setMotionWatched(isWanted, at: clock.now)
      state.motion.isWatched = isWanted
    }
    feelMotion()
  }

  private func feelMotion() {
    let (changed, motion) = state.withLock { state in (state.motion.changed, state.motion.feel(at: clock.now)) }
    if let motion { changed?(motion) }
  }

  var place: Coordinate? { sample?.place }

  /// When the leg is over that is under way; nil while there is none.
  var endOfLeg: Instant? {
    state.withLock { state in
      guard let whereabouts = state.whereabouts,
        let seconds = whereabouts.journey.endOfLegSeconds(at: clock.now.seconds(since: whereabouts.since))
      else { return nil }
      return Instant(
        nanoseconds: whereabouts.since.nanoseconds.addingClamped(nanosecondsClamped(fromSeconds: seconds)))
    }
  }

  /// Where the device is, and how it moves; nil before it has been told.
  var sample: JourneySample? {
    state.withLock { state in
      state.whereabouts.map { $0.journey.sample(after: clock.now.seconds(since: $0.since)) }
    }
  }

  /// Whether its journey is not over.
  var isUnderWay: Bool {
    state.withLock { state in
      state.whereabouts.map { clock.now.seconds(since: $0.since) < $0.journey.duration.inSeconds } ?? false
    }
  }

  /// What may go wrong, from now on.
  func set(reception: SimulatedReception) {
    let (events, isLost, isFound) = state.withLock { state in
      let before = state.reception
      state.reception = reception
      considerReception(&state)
      let isOn = state.demand != nil
      return (
        state.events, isOn && reception == .none && before != .none, isOn && before == .none && reception != .none
      )
    }
    if isLost { events?(.state(.searching)) }
    if isFound { events?(.state(.fixing)) }
  }

  /// What holds where the device is now: what a test says, else the journey.
  private func considerReception(_ state: inout State) {
    let reception = reception(state)
    state.radios.setReception(
      isWeak: reception != .open, isIndoors: reception == .indoors, at: clock.now)
  }

  private func reception(_ state: State) -> SimulatedReception {
    guard state.reception == .open, let whereabouts = state.whereabouts else { return state.reception }
    return whereabouts.journey.isIndoors(after: clock.now.seconds(since: whereabouts.since)) ? .indoors : .open
  }

  var reception: SimulatedReception { state.withLock { $0.reception } }

  /// It has to search before its next fix. How many seconds.
  func restart(_ start: SimulatedStart) -> Double {
    state.withLock { state in
      let seconds = start.seconds(state.radios.profile.energy)
      state.radios.restartSatellites(searchingForSeconds: seconds, at: clock.now)
      return seconds
    }
  }

  func set(delaySeconds: Double) { state.withLock { $0.delaySeconds = delaySeconds } }
  func set(repeatsFixes: Bool) { state.withLock { $0.repeatsFixes = repeatsFixes } }
  func misplaceNext(to place: Coordinate) { state.withLock { $0.misplacedNext = place } }

  // MARK: Finding

  private static let second: Int64 = 1_000_000_000

  /// Whole seconds of the device's clock, or the recording's own moments.
  private func schedule(_ state: inout State, isFirst: Bool) {
    let others = Instant.earlier(state.late.first?.due, state.radios.nextDue)
    guard state.demand != nil, state.radios.isSatelliteOn, let whereabouts = state.whereabouts else {
      state.alarm?.set(others)
      return
    }
    var next: Instant
    let fixes = whereabouts.journey.recording
    if fixes.isEmpty {
      let seconds = clock.now.nanoseconds / Self.second
      next = Instant(nanoseconds: (seconds + 1) * Self.second)
    } else {
      while state.nextRecorded < fixes.count, due(fixes[state.nextRecorded], whereabouts) < clock.now {
        state.nextRecorded += 1
      }
      guard state.nextRecorded < fixes.count else { return scheduleRest(&state) }
      next = due(fixes[state.nextRecorded], whereabouts)
    }
    state.alarm?.set(others.map { min(next, $0) } ?? next)
  }

  /// A recording is over; the device goes on where it ended, by the legs that follow, or stays there.
  private func scheduleRest(_ state: inout State) {
    guard let whereabouts = state.whereabouts else { return }
    let rest = whereabouts.journey.afterRecording
    state.whereabouts = Whereabouts(
      journey: rest.journey,
      since: Instant(nanoseconds: whereabouts.since.nanoseconds.addingClamped(rest.nanoseconds)))
    schedule(&state, isFirst: false)
  }

  private func due(_ fix: ScheduledFix, _ whereabouts: Whereabouts) -> Instant {
    Instant(nanoseconds: whereabouts.since.nanoseconds.addingClamped(fix.offsetNanoseconds))
  }

  private func look() {
    let (events, fixes) = state.withLock { state -> ((@Sendable (ProviderEvent) -> Void)?, [Fix]) in
      var fixes: [Fix] = []
      while let late = state.late.first, late.due <= clock.now {
        fixes.append(late.fix)
        state.late.removeFirst()
      }
      fixes += found(&state)
      let place = state.whereabouts.map { $0.journey.sample(after: clock.now.seconds(since: $0.since)).place }
      fixes += state.radios.found(at: clock.now, place: place, time: clock.wallTime)
      schedule(&state, isFirst: false)
      return (state.demand == nil ? nil : state.events, fixes)
    }
    for fix in fixes { events?(.fix(fix)) }
  }

  private func found(_ state: inout State) -> [Fix] {
    considerReception(&state)
    guard state.demand != nil, state.radios.isSatelliteOn, let fix = measured(&state), state.reception != .none,
      state.radios.takes(fix, at: clock.now)
    else { return [] }
    if state.delaySeconds > 0 {
      state.late.append((clock.now.advanced(bySeconds: state.delaySeconds), fix))
      return []
    }
    return state.repeatsFixes ? [fix, fix] : [fix]
  }

  private func measured(_ state: inout State) -> Fix? {
    guard let whereabouts = state.whereabouts else { return nil }
    var fix: Fix
    let fixes = whereabouts.journey.recording
    if fixes.isEmpty {
      guard clock.now.nanoseconds % Self.second == 0 else { return nil }
      fix = drawnFix(whereabouts, &state)
    } else {
      guard state.nextRecorded < fixes.count, due(fixes[state.nextRecorded], whereabouts) <= clock.now else {
        return nil
      }
      fix = worsened(fixes[state.nextRecorded].fix, &state)
      fix.time = clock.wallTime
      state.nextRecorded += 1
    }
    if let misplaced = state.misplacedNext, state.reception != .none {
      fix.coordinate = misplaced
      state.misplacedNext = nil
    }
    return fix
  }

  /// A recorded fix as the reception of now would have made it: its own errors are in it already, and grow to what the
  /// reception says.
  private func worsened(_ recorded: Fix, _ state: inout State) -> Fix {
    let reception = reception(state)
    let recordedMeters = recorded.horizontalAccuracyMeters ?? 0
    guard reception != .open, reception.accuracyMeters > recordedMeters else { return recorded }
    var fix = recorded
    fix.horizontalAccuracyMeters = reception.accuracyMeters
    let addedMeters = (reception.accuracyMeters * reception.accuracyMeters - recordedMeters * recordedMeters)
      .squareRoot()
    if let place = state.noise?.moved(recorded.coordinate, accuracyMeters: addedMeters, at: clock.now) {
      fix.coordinate = place
    }
    return fix
  }

  private func drawnFix(_ whereabouts: Whereabouts, _ state: inout State) -> Fix {
    let sample = whereabouts.journey.sample(after: clock.now.seconds(since: whereabouts.since))
    let accuracy = reception(state).accuracyMeters
    let place = state.noise?.moved(sample.place, accuracyMeters: accuracy, at: clock.now) ?? sample.place
    var fix = Fix(
      coordinate: place, horizontalAccuracyMeters: accuracy, time: clock.wallTime,
      speedMetersPerSecond: sample.metersPerSecond, courseDegrees: sample.courseDegrees, isSimulated: true)
    fix.speedAccuracyMetersPerSecond = sample.metersPerSecond == nil ? nil : 0.5
    fix.courseAccuracyDegrees = sample.courseDegrees == nil ? nil : 5
    return fix
  }
}
