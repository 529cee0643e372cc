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
  private let state: Locked<State>

  init(
    _ recording: WatchedProvider, beacons: TrackBeacons?, profile: DeviceProfile, seed: UInt64, clock: VirtualClock
  ) {
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
      return (before, state.technologies, state.changed)
    }
    if before != after { changed?(.switched(from: before, to: after), now) }
  }

  private func look() {
    let (fixes, events) = state.withLock { state in
      let fixes = state.radios.found(at: clock.now, place: state.place, time: clock.wallTime)
      state.radioAlarm?.set(state.radios.nextDue)
      return (fixes, state.events)
    }
    for fix in fixes { events?(.fix(fix)) }
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
