import AppLifecycle
import CoreLocation

/// Listens ten seconds of each minute, in the foreground and the background, so that receivers rest most of the time.
///
/// In the background an app is suspended while nothing keeps it running, and its waits with it. Updates that run keep
/// it; for the rests between them there is a `BackgroundKeeping`.
@MainActor
public final class LocationTracker: NSObject, @preconcurrency CLLocationManagerDelegate {
  /// When it listens.
  public struct Rhythm: Sendable {
    public var restartsEvery: Duration
    public var listensFor: Duration

    public init(restartsEvery: Duration = .seconds(60), listensFor: Duration = .seconds(10)) {
      self.restartsEvery = restartsEvery
      self.listensFor = listensFor
    }
  }

  /// Why it does not track.
  public enum Refusal: Sendable, Hashable {
    /// The person has switched Background App Refresh off, and can switch it on in Settings.
    case backgroundRefreshDenied
    /// It is off, and this person cannot change it.
    case backgroundRefreshRestricted
  }

  public let model: LocationShareModel
  private let keeper: any BackgroundKeeping
  private let clock: any Clock<Duration>
  private let rhythm: Rhythm
  private let manager = CLLocationManager()
  private var work: Task<Void, Never>?

  /// - Parameter clock: what it waits on: a `ContinuousClock` in the product, the device's in a simulation.
  public init(
    model: LocationShareModel, keeper: any BackgroundKeeping, clock: any Clock<Duration> = ContinuousClock(),
    rhythm: Rhythm = Rhythm()
  ) {
    self.model = model
    self.keeper = keeper
    self.clock = clock
    self.rhythm = rhythm
    super.init()
    manager.delegate = self
    manager.desiredAccuracy = kCLLocationAccuracyBestForNavigation
    manager.distanceFilter = kCLDistanceFilterNone
    // The tracker pauses by itself, and knows when to go on.
    manager.pausesLocationUpdatesAutomatically = false
  }

  public var isTracking: Bool { work != nil }

  /// Begins to track, in the foreground, or takes it up again where the app was started in the background. Looks first
  /// whether the app may be refreshed in the background: without that nothing that follows would last.
  ///
  /// - Returns: why it does not begin; nil where it does, or had before.
  @discardableResult
  public func start() -> Refusal? {
    switch UIApplication.shared.backgroundRefreshStatus {
    case .denied: return .backgroundRefreshDenied
    case .restricted: return .backgroundRefreshRestricted
    case .available: break
    }
    guard work == nil else { return nil }
    if manager.authorizationStatus == .notDetermined { manager.requestAlwaysAuthorization() }
    manager.allowsBackgroundLocationUpdates = true
    keeper.trackingBegins()
    work = Task { await listenAndRest() }
    return nil
  }

  public func stop() {
    guard let work else { return }
    work.cancel()
    self.work = nil
    manager.stopUpdatingLocation()
    keeper.trackingEnds()
  }

  /// Until it is cancelled.
  private func listenAndRest() async {
    while !Task.isCancelled {
      keeper.listeningBegins()
      manager.startUpdatingLocation()
      guard await waits(rhythm.listensFor) else { return }
      manager.stopUpdatingLocation()
      guard await waits(rhythm.restartsEvery - rhythm.listensFor) else { return }
    }
  }

  /// False where the wait was cancelled, which is the one way in which a clock's sleep fails.
  private func waits(_ duration: Duration) async -> Bool {
    (try? await clock.sleep(for: duration)) != nil
  }

  // MARK: CLLocationManagerDelegate

  public func locationManager(_ manager: CLLocationManager, didUpdateLocations locations: [CLLocation]) {
    model.add(locations)
  }

  public func locationManager(_ manager: CLLocationManager, didFailWithError error: any Error) {
    // Nothing found in these ten seconds; the next minute tries again. Without permission it need not.
    if (error as? CLError)?.code == .denied { stop() }
  }
}
