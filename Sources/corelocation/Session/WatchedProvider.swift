import LinuxIO
import LocationModel
import LocationProviders

/// A recording's provider, as a command plays it: its fixes are counted, and its end is the session's end, not a loss
/// of reception that the app would hear of.
final class WatchedProvider: LocationProvider {
  private let provider: ReplayProvider
  private let compass: TrackCompass?
  private let beacons: TrackBeacons?
  private let fixCame: @Sendable (Fix) -> Void
  private let count = Locked(0)
  private let fixTaken = Locked<Call?>(nil)

  private struct Call {
    let body: @Sendable () -> Void
  }

  /// - Parameters:
  ///   - compass: that of the device that is carried along the recording, where headings are wanted.
  ///   - beacons: those that stand along the recording.
  ///   - fixCame: is called with each fix before the engine hears of it.
  init(
    _ provider: ReplayProvider, compass: TrackCompass? = nil, beacons: TrackBeacons? = nil,
    fixCame: @escaping @Sendable (Fix) -> Void = { _ in }
  ) {
    self.provider = provider
    self.compass = compass
    self.beacons = beacons
    self.fixCame = fixCame
  }

  /// Called when the engine has heard a fix, before the recording is read on: what came of a fix is not to wait for the
  /// next one, which a pipe may not have.
  func onFixTaken(_ body: @escaping @Sendable () -> Void) {
    fixTaken.withLock { $0 = Call(body: body) }
  }

  var fixCount: Int { count.withLock { $0 } }

  func connect(_ events: @escaping @Sendable (ProviderEvent) -> Void) {
    provider.connect { [count, compass, beacons, fixCame, fixTaken] event in
      switch event {
      case .fix(let fix):
        count.withLock { $0 += 1 }
        fixCame(fix)
        events(event)
        compass?.moved(to: fix)
        beacons?.moved(to: fix)
        fixTaken.withLock { $0 }?.body()
      case .state(.unavailable): break
      case .state, .notice, .heading, .headingAvailable: events(event)
      }
    }
  }

  func setDemand(_ demand: ReceiverDemand?) {
    provider.setDemand(demand)
  }
}
