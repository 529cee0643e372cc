import LinuxIO
import LocationEngine
import LocationModel
import LocationRuntime

/// Starts and stops location services for an app and tells its delegate what they find.
///
/// The delegate is called on the thread that made the manager, which must run its run loop or be the main thread
/// (behaviour 2.1). Managers of one app are independent of each other (2.17). A released manager stops its services.
///
///     let manager = CLLocationManager()
///     manager.delegate = self
///     manager.requestWhenInUseAuthorization()
///     manager.startUpdatingLocation()
open class CLLocationManager: NSObject {
  let connection: any LocationConnection
  let settings = Locked(ManagerSettings())
  let inbox = ManagerInbox()

  /// The delegate hears the current status soon after (behaviour 1.25).
  public override init() {
    connection = ServiceLookup.connection()
    super.init()
    inbox.attach(to: self)
  }

  deinit {
    inbox.detach(from: connection)
  }

  /// Not retained (behaviour 2.18).
  open weak var delegate: (any CLLocationManagerDelegate)? {
    didSet { inbox.delegateChanged(of: self) }
  }

  // MARK: What the manager was told last

  /// The delegate's call is for a change of accuracy alone, of which the older method knows nothing.
  var isDeliveringAccuracyChangeAlone = false
  /// The delegate's call is the outcome of `requestLocation()`.
  var isDeliveringAnswer = false
  /// What was delivered before the locations that are being delivered (behaviour 2.8).
  var previousLocationForLegacyDelegates: CLLocation?

  /// The newest location this manager was given, else the newest that the app may see; nil without permission. During
  /// a delegate call it is the last of the delivered locations (behaviour 2.6).
  open var location: CLLocation? {
    let snapshot = connection.snapshot
    guard snapshot.authorization.status.isAuthorized else { return nil }
    return settings.withLock { $0.lastLocation } ?? snapshot.lastFix.map(CLLocation.init)
  }

  // MARK: Authorization

  /// The app's permission now.
  open var authorizationStatus: CLAuthorizationStatus {
    CLAuthorizationStatus(connection.snapshot.authorization.status)
  }

  /// Reads full while nothing is decided; to be read together with the status (behaviour 1.40).
  open var accuracyAuthorization: CLAccuracyAuthorization {
    connection.snapshot.authorization.accuracy == .full ? .fullAccuracy : .reducedAccuracy
  }

  /// True where the app has Always; widgets do not exist here (behaviour 1.34).
  open var isAuthorizedForWidgetUpdates: Bool {
    connection.snapshot.authorization.status == .authorizedAlways
  }

  /// Asks for While Using, if nothing is decided yet, the app is in the foreground and its Info.plist has
  /// `NSLocationWhenInUseUsageDescription`; does nothing otherwise (behaviour 1.5 to 1.7).
  open func requestWhenInUseAuthorization() {
    send(.requestWhenInUseAuthorization)
  }

  /// Asks for Always; an app that has While Using may do so once (behaviour 1.8, 1.13, 1.15).
  open func requestAlwaysAuthorization() {
    send(.requestAlwaysAuthorization)
  }

  // MARK: Standard updates

  /// Metres to be moved between two deliveries, measured from the last one; `kCLDistanceFilterNone` by default
  /// (behaviour 2.9).
  open var distanceFilter: CLLocationDistance {
    get { settings.withLock { $0.distanceFilter } }
    set { configure { $0.distanceFilter = newValue } }
  }

  /// How exact locations should be: a wish, not a filter; `kCLLocationAccuracyBest` by default, as on iOS
  /// (behaviour 2.10).
  open var desiredAccuracy: CLLocationAccuracy {
    get { settings.withLock { $0.desiredAccuracy } }
    set { configure { $0.desiredAccuracy = newValue } }
  }

  /// What the device is used for, as a hint for pausing; `.other` by default (behaviour 2.41).
  open var activityType: CLActivityType {
    get { settings.withLock { $0.activityType } }
    set { configure { $0.activityType = newValue } }
  }

  /// Whether updates pause where the device rests: after 10 minutes, after 15 of car navigation, never in the air; true
  /// by default. A pause ends with the next start or in the foreground (behaviour 2.40 to 2.44).
  open var pausesLocationUpdatesAutomatically: Bool {
    get { settings.withLock { $0.pausesAutomatically } }
    set { configure { $0.pausesAutomatically = newValue } }
  }

  /// Whether continuous updates go on in the background; false by default. Setting it to true needs `location` among
  /// the `UIBackgroundModes` of the Info.plist: without it this is a programmer error that ends the program
  /// (behaviour 3.1).
  open var allowsBackgroundLocationUpdates: Bool {
    get { settings.withLock { $0.allowsBackgroundUpdates } }
    set {
      guard !newValue || connection.app.hasLocationBackgroundMode else {
        programmerError(
          "allowsBackgroundLocationUpdates needs \"location\" in the UIBackgroundModes of the Info.plist")
      }
      configure { $0.allowsBackgroundUpdates = newValue }
    }
  }

  /// Kept, and shown by no indicator yet (behaviour 3.5).
  open var showsBackgroundLocationIndicator: Bool {
    get { settings.withLock { $0.showsBackgroundIndicator } }
    set { configure { $0.showsBackgroundIndicator = newValue } }
  }

  /// Returns at once; locations follow through the delegate. A cached one with its own timestamp may come first
  /// (behaviour 2.3 to 2.5).
  open func startUpdatingLocation() {
    settings.withLock {
      $0.acceptsUpdates = true
      $0.acceptsAnswer = false
    }
    send(.startUpdatingLocation)
  }

  /// Ends updates, and a one-time request that is under way (behaviour 2.33). Nothing that is on its way arrives.
  open func stopUpdatingLocation() {
    settings.withLock {
      $0.acceptsUpdates = false
      $0.acceptsAnswer = false
    }
    send(.stopUpdatingLocation)
  }

  /// Delivers one location, or `CLError.locationUnknown`, and stops by itself: as soon as one is as exact as desired,
  /// else the best there is after about 10 s (behaviour 2.30 to 2.33).
  open func requestLocation() {
    settings.withLock { if !$0.acceptsUpdates { $0.acceptsAnswer = true } }
    send(.requestLocation)
  }

  /// Lets updates in the background come later and in one array, until the app has gone so far or so long. Each call is
  /// answered once, by `didFinishDeferredUpdatesWithError` (behaviour 2.50 to 2.57).
  @available(*, deprecated, message: "Deferred updates have no effect on current systems")
  open func allowDeferredLocationUpdates(untilTraveled distance: CLLocationDistance, timeout: TimeInterval) {
    settings.withLock { $0.acceptsAnswer = false }
    send(.allowDeferredUpdates(distanceMeters: distance, timeoutSeconds: timeout))
  }

  @available(*, deprecated, message: "Deferred updates have no effect on current systems")
  /// Ends that with `CLError.deferredCanceled`; what was kept is delivered.
  open func disallowDeferredLocationUpdates() {
    send(.disallowDeferredUpdates)
  }

  // MARK: Accuracy

  /// Asks for full accuracy as long as the app is in use, for the reason that `purposeKey` names in the Info.plist's
  /// `NSLocationTemporaryUsageDescriptionDictionary`. `completion` is always called, on the thread of the delegate's
  /// calls: nil means that the question was answered, not that accuracy was given (behaviour 1.47 to 1.49).
  open func requestTemporaryFullAccuracyAuthorization(
    withPurposeKey purposeKey: String, completion: (@Sendable ((any Error)?) -> Void)? = nil
  ) {
    let identifier = inbox.await(self) { completion?($0) }
    send(.requestTemporaryFullAccuracy(purposeKey: purposeKey, completion: identifier))
  }

  open func requestTemporaryFullAccuracyAuthorization(withPurposeKey purposeKey: String) {
    requestTemporaryFullAccuracyAuthorization(withPurposeKey: purposeKey, completion: nil)
  }

  nonisolated(nonsending) open func requestTemporaryFullAccuracyAuthorization(
    withPurposeKey purposeKey: String
  ) async throws {
    try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Void, any Error>) in
      requestTemporaryFullAccuracyAuthorization(withPurposeKey: purposeKey) { error in
        if let error { continuation.resume(throwing: error) } else { continuation.resume() }
      }
    }
  }

  // MARK: What this device can do

  /// Whether location services are on for the whole device (behaviour 1.3).
  open class func locationServicesEnabled() -> Bool {
    ServiceLookup.connection().snapshot.locationServicesEnabled
  }

  @available(*, deprecated, message: "Use the property authorizationStatus")
  open class func authorizationStatus() -> CLAuthorizationStatus {
    CLAuthorizationStatus(ServiceLookup.connection().snapshot.authorization.status)
  }

  open class func significantLocationChangeMonitoringAvailable() -> Bool {
    ServiceLookup.connection().snapshot.capabilities.monitorsSignificantChanges
  }

  open class func headingAvailable() -> Bool {
    ServiceLookup.connection().snapshot.capabilities.hasHeading
  }

  /// About hardware only, not about permission (behaviour 5.22).
  open class func isMonitoringAvailable(for regionClass: AnyClass) -> Bool {
    let capabilities = ServiceLookup.connection().snapshot.capabilities
    if regionClass is CLCircularRegion.Type { return capabilities.monitorsCircularRegions }
    if regionClass is CLBeaconRegion.Type { return capabilities.monitorsBeaconRegions }
    return false
  }

  open class func isRangingAvailable() -> Bool {
    ServiceLookup.connection().snapshot.capabilities.rangesBeacons
  }

  @available(*, deprecated, message: "Deferred updates have no effect on current systems")
  open class func deferredLocationUpdatesAvailable() -> Bool {
    ServiceLookup.connection().snapshot.capabilities.defersUpdates
  }

  // MARK: Significant changes and visits

  /// Locations 500 m and five minutes apart, through `didUpdateLocations`; filter and accuracy do not count. The first
  /// one is a cached one (behaviour 4.1 to 4.3). Goes on until stopped, also for an app that is not running.
  open func startMonitoringSignificantLocationChanges() {
    settings.withLock { $0.acceptsSignificantChanges = true }
    send(.startMonitoringSignificantChanges)
  }

  open func stopMonitoringSignificantLocationChanges() {
    settings.withLock { $0.acceptsSignificantChanges = false }
    send(.stopMonitoringSignificantChanges)
  }

  /// Turns visits on for every manager of the app, now and at its next starts, until any of them stops them
  /// (behaviour 8.1).
  open func startMonitoringVisits() {
    send(.startMonitoringVisits)
  }

  open func stopMonitoringVisits() {
    send(.stopMonitoringVisits)
  }

  // MARK: Regions

  /// The greatest radius of a monitored region in metres; -1 where regions cannot be monitored (behaviour 5.19).
  open var maximumRegionMonitoringDistance: CLLocationDistance {
    connection.snapshot.capabilities.maximumRegionRadiusMeters ?? -1
  }

  /// The regions that the app has monitored, through whichever manager (behaviour 5.1).
  open var monitoredRegions: Set<CLRegion> {
    Set(connection.snapshot.monitoredRegions.map(CLRegion.make))
  }

  /// Watches the edge of a region, beyond this process's life (behaviour 5.6). A region of the same identifier is
  /// replaced; the 21st of an app, one whose place is none, and one that is too large fail through the delegate
  /// (5.1, 5.3, 5.19).
  open func startMonitoring(for region: CLRegion) {
    guard let watched = Region(region) else {
      inbox.postOwn(.monitoringFailed(nil, .regionMonitoringFailure))
      return
    }
    send(.startMonitoring(watched))
  }

  open func stopMonitoring(for region: CLRegion) {
    send(.stopMonitoring(regionIdentifier: region.identifier))
  }

  /// Answered once through `locationManager(_:didDetermineState:for:)` (behaviour 5.9).
  open func requestState(for region: CLRegion) {
    guard let watched = Region(region) else { return }
    send(.requestState(watched))
  }

  // MARK: Beacons

  /// The regions that this manager ranges by the older method.
  @available(*, deprecated, renamed: "rangedBeaconConstraints")
  open var rangedRegions: Set<CLRegion> {
    settings.withLock { Set($0.rangedRegions) }
  }

  /// The constraints that this manager ranges (behaviour 6.13).
  open var rangedBeaconConstraints: Set<CLBeaconIdentityConstraint> {
    settings.withLock { Set($0.rangedConstraints) }
  }

  @available(*, deprecated, renamed: "startRangingBeacons(satisfying:)")
  open func startRangingBeacons(in region: CLBeaconRegion) {
    settings.withLock { settings in
      settings.rangedRegions.removeAll { $0.identifier == region.identifier }
      settings.rangedRegions.append(region)
    }
    send(.startRanging(BeaconConstraint(region.beaconIdentityConstraint)))
  }

  @available(*, deprecated, renamed: "stopRangingBeacons(satisfying:)")
  open func stopRangingBeacons(in region: CLBeaconRegion) {
    settings.withLock { $0.rangedRegions.removeAll { $0.identifier == region.identifier } }
    stopRangingUnlessWanted(BeaconConstraint(region.beaconIdentityConstraint))
  }

  open func startRangingBeacons(satisfying constraint: CLBeaconIdentityConstraint) {
    settings.withLock { settings in
      if !settings.rangedConstraints.contains(constraint) { settings.rangedConstraints.append(constraint) }
    }
    send(.startRanging(BeaconConstraint(constraint)))
  }

  open func stopRangingBeacons(satisfying constraint: CLBeaconIdentityConstraint) {
    settings.withLock { $0.rangedConstraints.removeAll { $0 == constraint } }
    stopRangingUnlessWanted(BeaconConstraint(constraint))
  }

  /// Another region, or the other method, may still range the same beacons.
  private func stopRangingUnlessWanted(_ constraint: BeaconConstraint) {
    guard !settings.withLock({ $0.ranges(constraint) }) else { return }
    send(.stopRanging(constraint))
  }

  // MARK: Heading

  /// The newest heading that this manager was given; nil until heading updates have given one (behaviour 7.10).
  open var heading: CLHeading? { settings.withLock { $0.lastHeading } }

  /// Degrees between two headings; 1 by default, `kCLHeadingFilterNone` gives all (behaviour 7.4).
  open var headingFilter: CLLocationDegrees {
    get { settings.withLock { $0.headingFilter } }
    set { configure { $0.headingFilter = newValue } }
  }

  /// Which edge of the device is the front; unknown, face up and face down change nothing (behaviour 7.5).
  open var headingOrientation: CLDeviceOrientation {
    get { settings.withLock { $0.headingOrientation } }
    set {
      switch newValue {
      case .unknown, .faceUp, .faceDown: break
      default: configure { $0.headingOrientation = newValue }
      }
    }
  }

  /// Kept; nothing on Linux reads it yet.
  open var headingBody: (any CLBodyIdentifiable)? {
    get { settings.withLock { $0.headingBody } }
    set { settings.withLock { $0.headingBody = newValue } }
  }

  /// Headings follow through `didUpdateHeading`; they need no permission, but true north needs a location that the app
  /// may see (behaviour 7.1). Does nothing without a compass (7.6); a repeated start gives no new heading (7.8).
  open func startUpdatingHeading() {
    settings.withLock { $0.acceptsHeadings = true }
    send(.startUpdatingHeading)
  }

  /// Nothing that is on its way arrives.
  open func stopUpdatingHeading() {
    settings.withLock { $0.acceptsHeadings = false }
    send(.stopUpdatingHeading)
  }

  /// Takes down what the delegate's `locationManagerShouldDisplayHeadingCalibration` has let come up (behaviour 7.7).
  open func dismissHeadingCalibrationDisplay() {
    send(.dismissHeadingCalibration)
  }

  // MARK: Location pushes

  /// Fails with `CLLocationPushServiceError.unsupportedPlatform`: there is no push service on Linux.
  open func startMonitoringLocationPushes(completion: (@Sendable (Data?, (any Error)?) -> Void)? = nil) {
    inbox.postOwn(
      .temporaryFullAccuracyAnswered(
        inbox.await(self) { _ in completion?(nil, CLLocationPushServiceError(.unsupportedPlatform)) }, nil))
  }

  nonisolated(nonsending) open func startMonitoringLocationPushes() async throws -> Data {
    throw CLLocationPushServiceError(.unsupportedPlatform)
  }

  open func stopMonitoringLocationPushes() {}

  // MARK: To the service

  func send(_ request: Request) {
    guard let identifier = inbox.identifier else { return }
    connection.send(request, from: identifier)
  }

  private func configure(_ change: (inout ManagerSettings) -> Void) {
    let configuration = settings.withLock { settings -> ManagerConfiguration in
      change(&settings)
      return settings.configuration
    }
    send(.configure(configuration))
  }
}
