import LocationModel

/// One app: its permission, where it stands in its life, and its managers in the order of their making.
struct App {
  var description: AppDescription
  var authorization: AppAuthorization
  /// What the app's managers were told last.
  var told: Authorization
  var state: AppState
  /// Whether the app is in use now: foreground, grace, or a background session (behaviour 1.19).
  var isInUse = false
  /// When the grace after leaving the foreground ends.
  var graceEnds: Instant?
  /// Updates with `allowsBackgroundUpdates` ran when the app left the foreground; holds until they stop or the
  /// app has been in the foreground again (behaviour 3.4).
  var hasBackgroundSession = false
  @Boxed var life = AppLife()
  var clients: [AppClient] = []
  var sessions: [ManagerSession] = []
  @SeldomBoxed var prompt: PendingPrompt?
  var lastFixStoredAt: Instant?
  /// What the app has receivers on for; nil when it has none on.
  var holding: ReceiverHolding?
  /// Since when the radio has listened for beacons of its; nil while it does not.
  var hearsBeaconsSince: Instant?
  /// Significant changes of an installed app that is not running, for which it is started; nil while it runs.
  @SeldomBoxed var absentChanges: SignificantChanges?
  /// What an installed app was told last of them, by whichever run of the service.
  @SeldomBoxed var lastChange: Fix?
  /// Nil where that was before this run of the service.
  var lastChangeToldAt: Instant?
  /// Nil where the app does not monitor visits.
  @SeldomBoxed var visits: VisitMonitoring?
  /// What monitoring finds may be told; to notice when that changes.
  var isServedMonitoring = false
  /// Nil until the app was asked for the first time whether to show how to calibrate the compass.
  @SeldomBoxed var headingCalibration: HeadingCalibration?
  /// Services that this version lacks and that the developer has been told of.
  var servicesNotedAbsent: [String] = []
  /// The grant that the store holds.
  var storedGrant: Grant

  /// In the order of registration.
  var regions: [MonitoredRegion] = []
  /// Their state is being watched: the app is served, or what it may not know yet is held for it.
  var isWatchingRegions = false
  /// What they need of the receivers.
  @SeldomBoxed var regionNeed: ReceiverNeed?
  /// Crossings that the app is to be told once it runs and has a manager.
  var waitingRegionEvents: [ManagerEvent] = []
  /// Of an installed app, in place of those.
  var keptEvents: [KeptEventStanding] = []
  var nextEventNumber: UInt64 = 1
  var monitorsSignificantChanges = false
  var monitorsVisits = false
  /// Of the app's `CLMonitor`s, in the order of their first opening.
  var monitors: [ConditionMonitor] = []
  var isWatchingConditions = false
  /// Conditions were added that have not seen the newest fix.
  var hasNewConditions = false
  /// What they need of the receivers.
  @SeldomBoxed var conditionNeed: ReceiverNeed?
  /// What the store holds of all that.
  @Boxed var storedRegistrations = Registrations()

  init(description: AppDescription, grant: Grant, servicesEnabled: Bool) {
    self.description = description
    authorization = AppAuthorization(grant: grant)
    told = authorization.authorization(servicesEnabled: servicesEnabled)
    state = .notRunning
    storedGrant = grant
  }

  /// The service watches for the app while it does not run.
  var isMonitoredWhileAbsent: Bool { description.isInstalled && (monitorsSignificantChanges || monitorsVisits) }

  var identifier: AppIdentifier { description.identifier }
}

struct AppClient {
  let identifier: ClientIdentifier
  /// "Turn On Location Services?" was shown to this process (behaviour 1.31).
  var hasSeenServicesAlert = false
}

/// A prompt on screen, and what it will mean.
struct PendingPrompt {
  let prompt: Prompt
  /// The manager that asked, whose end takes the prompt down (behaviour 2.18); nil where the service asks itself.
  let asker: ManagerIdentifier?
  /// The app asked for Always.
  let asksForAlways: Bool
  /// Calls that wait for this answer.
  var completions: [(manager: ManagerIdentifier, completion: CompletionIdentifier)] = []
}
