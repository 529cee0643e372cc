import LinuxIO
import LocationEngine
import LocationModel
import LocationProviders

/// A recording's provider, as a command plays it: its fixes are counted, and its end is the session's end, not a loss
/// of reception that the app would hear of.
final class WatchedProvider: LocationProvider {
  private let provider: ReplayProvider
  private let meter: Locked<GNSSMeter>?
  private let clock: (any SessionClock)?
  private let compass: TrackCompass?
  private let beacons: TrackBeacons?
  private let fixCame: @Sendable (Fix) -> Void
  private let count = Locked(0)
  private let fixTaken = Locked<(@Sendable () -> Void)?>(nil)
  private let switched = Locked<(@Sendable (Bool, Instant) -> Void)?>(nil)

  /// - Parameters:
  ///   - modelledBy: the recording plays on once `start` was called, whether or not it is wanted; what a modelled
  ///     receiver would have missed, being off or searching, is counted and not given.
  ///   - compass: that of the device that is carried along the recording, where headings are wanted.
  ///   - beacons: those that stand along the recording.
  ///   - fixCame: is called with each fix before the engine hears of it.
  init(
    _ provider: ReplayProvider, modelledBy clock: (any SessionClock)? = nil, compass: TrackCompass? = nil,
    beacons: TrackBeacons? = nil, fixCame: @escaping @Sendable (Fix) -> Void = { _ in }
  ) {
    self.provider = provider
    self.clock = clock
    self.compass = compass
    self.beacons = beacons
    meter = clock == nil ? nil : Locked(GNSSMeter())
    self.fixCame = fixCame
  }

  /// Called when the engine has heard a fix, before the recording is read on: what came of a fix is not to wait for the
  /// next one, which a pipe may not have.
  func onFixTaken(_ body: @escaping @Sendable () -> Void) {
    fixTaken.withLock { $0 = body }
  }

  /// Called when the modelled receiver goes on or off.
  func onSwitch(_ body: @escaping @Sendable (Bool, Instant) -> Void) {
    switched.withLock { $0 = body }
  }

  var fixCount: Int { count.withLock { $0 } }

  func start() {
    provider.setDemand(ReceiverDemand(accuracy: .best))
  }

  func connect(_ events: @escaping @Sendable (ProviderEvent) -> Void) {
    provider.connect { [count, compass, beacons, fixCame, fixTaken, meter, clock] event in
      switch event {
      case .fix(let fix):
        count.withLock { $0 += 1 }
        fixCame(fix)
        let isTaken = clock.map { now in meter?.withLock { $0.takesFix(at: now.now) } ?? true } ?? true
        if isTaken { events(event) }
        compass?.moved(to: fix)
        beacons?.moved(to: fix)
        fixTaken.withLock { $0 }?()
      case .state(.unavailable): break
      case .state, .notice, .heading, .headingAvailable: events(event)
      }
    }
  }

  func setDemand(_ demand: ReceiverDemand?) {
    guard let meter, let clock else { return provider.setDemand(demand) }
    meter.withLock { $0.setOn(demand != nil, at: clock.now) }
    switched.withLock { $0 }?(demand != nil, clock.now)
  }

  /// What the modelled receiver has done so far.
  var measured: GNSSMeter { meter?.withLock { $0 } ?? GNSSMeter() }
}
