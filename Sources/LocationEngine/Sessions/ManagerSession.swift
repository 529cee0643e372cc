import LocationModel

/// What one manager wants and what it was sent. Managers of one app are independent (behaviour 2.17).
struct ManagerSession {
  let identifier: ManagerIdentifier
  var configuration = ManagerConfiguration()

  /// Between `startUpdatingLocation` and `stopUpdatingLocation`, whether or not the app may be served now.
  var isUpdating = false
  /// Continuous updates begun in the foreground may carry the app's use into the background (behaviour 1.19, 3.2).
  var startedInForeground = false
  /// Since when updates run without a break; nil where they do not, or may not be served.
  var listensSince: Instant?
  /// Updates have stopped by themselves, since the device rests (behaviour 2.41).
  var pause: Pause?
  /// Updates that may come later, in one array (behaviour 2.50 to 2.57).
  @SeldomBoxed var deferral: Deferral?
  /// The next fresh fix goes out whatever the distance filter says: the initial fix (behaviour 2.3).
  var awaitsInitialFix = false
  /// Where the distance filter measures from: the last delivered fix (behaviour 2.9).
  var lastDelivered: Fix?
  /// When the coarse location was made that this manager got last.
  var lastCoarseMadeAt: Instant?
  /// `locationUnknown` was said and no fix has come since.
  var hasReportedUnknown = false
  /// `denied` was said since the receivers were refused, and no fix has come since.
  var hasReportedRefusal = false
  /// Since when a served manager waits for its first fix; nil when it does not.
  var waitsForFixSince: Instant?
  /// Fixes kept while the app is suspended (behaviour 2.16).
  var heldFixes: [Fix] = []
  /// What else is kept for a frozen app, and the fixes before it, in order.
  var heldEvents: [ManagerEvent] = []
  /// The last delivered fix when the first fix was kept.
  @SeldomBoxed var lastBeforeHeld: Fix?
  /// The newest fix that only a confirmed Always may see (behaviour 1.14).
  @SeldomBoxed var fixAwaitingAlways: (fix: Fix, at: Instant)?
  @SeldomBoxed var locationRequest: LocationRequest?
  /// Nil where this is no iteration of live updates.
  @SeldomBoxed var live: LiveUpdates?
  /// Nil where this manager does not update headings.
  @SeldomBoxed var heading: HeadingUpdates?
  /// What this manager ranges, in the order of its starts.
  var ranging: [RangedBeacons] = []
  /// Nil where this is no `CLBackgroundActivitySession`.
  var activity: BackgroundActivity?
  /// Nil where this is no `CLServiceSession`.
  @SeldomBoxed var service: ServiceSession?
  /// Nil where this manager does not monitor significant changes.
  @SeldomBoxed var significantChanges: SignificantChanges?
  /// The newest change that only a confirmed Always may see (behaviour 1.14).
  @SeldomBoxed var changeAwaitingAlways: (fix: Fix, at: Instant)?

  init(identifier: ManagerIdentifier) {
    self.identifier = identifier
  }

  /// Updates that are wanted and not paused.
  var isListening: Bool {
    isUpdating && pause == nil
  }

  /// Whether this manager is a reason to have receivers on now; what only looks now and then apart.
  var wantsFixes: Bool {
    isListening || locationRequest != nil
  }

  /// Continuous updates that keep the app in use in the background (behaviour 1.19).
  var isBackgroundSession: Bool {
    isUpdating && startedInForeground && configuration.allowsBackgroundUpdates
  }

  /// When a wait for the first fix has been too long.
  func firstFixDeadline(_ policy: Policy) -> Instant? {
    guard let since = waitsForFixSince, !hasReportedUnknown else { return nil }
    return since.advanced(bySeconds: policy.firstFixTimeoutSeconds)
  }

  /// What was kept for a suspended app will not be delivered, so that it does not count as told either.
  ///
  /// - Returns: the numbers of kept events among it.
  mutating func dropHeldFixes() -> [UInt64] {
    if hasHeldFixes { lastDelivered = lastBeforeHeld }
    let kept = heldKeptFixes
    heldFixes = []
    dropHeldFixEvents()
    heldEvents.removeAll { if case .kept(_, .locationsUpdated) = $0 { true } else { false } }
    return kept
  }

  mutating func endUpdates() {
    isUpdating = false
    startedInForeground = false
    listensSince = nil
    pause = nil
    deferral = nil
    awaitsInitialFix = false
    lastDelivered = nil
    hasReportedUnknown = false
    hasReportedRefusal = false
    waitsForFixSince = nil
    heldFixes = []
    dropHeldFixEvents()
    fixAwaitingAlways = nil
  }
}

/// One outstanding `requestLocation` (behaviour 2.30 to 2.33).
struct LocationRequest {
  /// When the best fix so far, or `locationUnknown`, is the answer; nil while a prompt of the app is on screen.
  var deadline: Instant?
  /// The most accurate fix since the request, the newest among equals.
  var best: Fix?

  mutating func consider(_ fix: Fix) {
    guard let best else {
      self.best = fix
      return
    }
    let bestAccuracy = best.horizontalAccuracyMeters ?? .infinity
    if fix.horizontalAccuracyMeters ?? .infinity <= bestAccuracy { self.best = fix }
  }
}
