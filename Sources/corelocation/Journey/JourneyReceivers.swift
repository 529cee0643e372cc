import LinuxIO
import LocationEngine
import LocationModel
import LocationProviders
import LocationRuntime

/// The receivers of a modelled device that is carried along a recording.
///
/// Satellites find what was recorded, while they are followed; Wi-Fi and cell towers find where the recording is then,
/// with the model's error; the motion sensor feels whether it moves. The recording plays on once `start` was called,
/// whether or not it is wanted: what nobody received is missed.
///
/// Beacons are heard by its Bluetooth, where it has one.
final class JourneyReceivers: LocationProvider, MotionSensor, BeaconReceiver {
  enum Change: Sendable {
    case switched(from: ReceiverTechnologies, to: ReceiverTechnologies)
    case sensorSwitched(isOn: Bool)
    case felt(DeviceMotion)
    case beaconScanSwitched(isOn: Bool)
    /// Satellites were looked for in vain until now, for such a share of the time.
    case lookedInVain(since: Instant, share: Double)
  }

  typealias Witness = @Sendable (Change, Instant) -> Void

  private struct State {
    var radios: ModelledRadios
    /// Nil where the device has no sensor for it.
    var motion: RecordedMotion?
    var technologies: ReceiverTechnologies = []
    var watchesMotion = false
    var felt = DeviceMotion.unknown
    var scansBeacons = false
    /// Where the recording is.
    var place: Coordinate?
    var events: (@Sendable (ProviderEvent) -> Void)?
    var motionChanged: (@Sendable (DeviceMotion) -> Void)?
    var changed: Witness?
    var radioAlarm: (any Alarm)?
    var motionAlarm: (any Alarm)?
  }

  private let recording: WatchedProvider
  private let beacons: TrackBeacons?
  private let clock: VirtualClock
  private let vainLooks: Locked<VainLooks>
  private let state: Locked<State>

  init(
    _ recording: WatchedProvider, beacons: TrackBeacons?, profile: DeviceProfile, seed: UInt64, clock: VirtualClock,
    vainLooks: Locked<VainLooks>
  ) {
    self.vainLooks = vainLooks
    self.recording = recording
    self.beacons = beacons
    self.clock = clock
    let motion = profile.hasMotionSensor ? RecordedMotion(stillSeconds: profile.energy.motionStillSeconds) : nil
    state = Locked(State(radios: ModelledRadios(profile: profile, seed: seed), motion: motion))
    let radioAlarm = clock.makeAlarm { [weak self] in self?.look() }
    let motionAlarm = clock.makeAlarm { [weak self] in self?.feelMotion() }
    state.withLock { state in
      state.radioAlarm = radioAlarm
      state.motionAlarm = motionAlarm
    }
  }

  func start() {
    recording.setDemand(ReceiverDemand(accuracy: .best))
  }

  /// Called when a receiver or the sensor goes on or off, and when the sensor feels something else.
  func onChange(_ body: @escaping Witness) {
    state.withLock { $0.changed = body }
  }

  var fixCount: Int { recording.fixCount }
  func satelliteSeconds(at now: Instant) -> Double { state.withLock { $0.radios.satelliteSeconds(at: now) } }
  func joules(at now: Instant) -> ReceiverJoules { state.withLock { $0.radios.joules(at: now) } }

  // MARK: Finding

  func connect(_ events: @escaping @Sendable (ProviderEvent) -> Void) {
    state.withLock { $0.events = events }
    recording.connect { [weak self] event in
      if case .fix(let fix) = event, self?.passes(fix) != true { return }
      events(event)
    }
  }

  /// Whether a fix of the recording is received.
  private func passes(_ fix: Fix) -> Bool {
    let now = clock.now
    vainLooks.withLock { $0.begin(at: now) }
    let watchesMotion = state.withLock { state in
      state.place = fix.coordinate
      state.motion?.passed(fix, at: now)
      return state.watchesMotion
    }
    if watchesMotion { feelMotion() }
    return state.withLock { $0.radios.takes(fix, at: now) }
  }

  func setDemand(_ demand: ReceiverDemand?) {
    let now = clock.now
    let (before, after, changed) = state.withLock { state in
      let before = state.technologies
      state.technologies = demand?.technologies ?? []
      state.radios.setDemand(demand, at: now)
      state.radioAlarm?.set(state.radios.nextDue)
      if state.technologies.isEmpty, !before.isEmpty {
        note(endOfLook: now, state.radios)
      }
      return (before, state.technologies, state.changed)
    }
    if before != after { changed?(.switched(from: before, to: after), now) }
  }

  private func look() {
    let (fixes, events) = state.withLock { state in
      let fixes = state.radios.found(at: clock.now, place: state.place, time: clock.wallTime)
      state.radioAlarm?.set(state.radios.nextDue)
      if !fixes.isEmpty { vainLooks.withLock { $0.begin(at: clock.now) } }
      return (fixes, state.events)
    }
    for fix in fixes { events?(.fix(fix)) }
  }

  private func note(endOfLook now: Instant, _ radios: ModelledRadios) {
    vainLooks.withLock {
      $0.ended(at: now, joules: radios.joules(at: now), satelliteSeconds: radios.satelliteSeconds(at: now))
    }
  }

  /// Where the last looks of a long gap were in vain, one like the other, those that are to come before `end`, and
  /// before anything but the next of them is due, are passed over and charged.
  func passVainLooks(before end: Instant) {
    let now = clock.now
    guard let cycle = vainLooks.withLock({ $0.cycle(at: now) }) else { return }
    let limit = min(end, clock.deadlineAfterNext ?? end)
    // The last ones are looked at again, so that what comes then finds everything as it would have been.
    let count = limit.nanoseconds.subtractingClamped(now.nanoseconds) / cycle.nanoseconds - 2
    guard count > 0, limit.nanoseconds < .max else { return }
    let later = Instant(nanoseconds: now.nanoseconds + count * cycle.nanoseconds)
    clock.passOver(to: later)
    let changed = state.withLock { state in
      state.radios.passOver(
        seconds: later.seconds(since: now), satelliteJoules: Double(count) * cycle.joules,
        satelliteSeconds: Double(count) * cycle.satelliteSeconds)
      note(endOfLook: later, state.radios)
      return state.changed
    }
    changed?(.lookedInVain(since: now, share: cycle.satelliteSeconds * 1e9 / Double(cycle.nanoseconds)), later)
  }

  // MARK: Beacons

  func connect(_ events: @escaping @Sendable (BeaconEvent) -> Void) { beacons?.connect(events) }

  func listen(for constraints: [BeaconConstraint]?) {
    let now = clock.now
    let isOn = constraints != nil
    let changed = state.withLock { state -> Witness? in
      guard isOn != state.scansBeacons else { return nil }
      state.scansBeacons = isOn
      state.radios.setBeaconScan(isOn, at: now)
      return state.changed
    }
    changed?(.beaconScanSwitched(isOn: isOn), now)
    beacons?.listen(for: constraints)
  }

  // MARK: Moving

  func connect(_ changed: @escaping @Sendable (DeviceMotion) -> Void) {
    state.withLock { $0.motionChanged = changed }
  }

  func setMotionWanted(_ isWanted: Bool) {
    let now = clock.now
    let changed = state.withLock { state in
      state.radios.setMotionWatched(isWanted, at: now)
      state.watchesMotion = isWanted
      state.felt = .unknown
      return state.changed
    }
    changed?(.sensorSwitched(isOn: isWanted), now)
    feelMotion()
  }

  private func feelMotion() {
    let now = clock.now
    let tell = state.withLock { state -> (() -> Void)? in
      guard state.watchesMotion, let felt = state.motion else {
        state.motionAlarm?.set(nil)
        return nil
      }
      state.motionAlarm?.set(felt.nextChange(after: now))
      let motion = felt.motion(at: now)
      guard motion != state.felt else { return nil }
      state.felt = motion
      return { [changed = state.changed, motionChanged = state.motionChanged] in
        changed?(.felt(motion), now)
        motionChanged?(motion)
      }
    }
    tell?()
  }
}
