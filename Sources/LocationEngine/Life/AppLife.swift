import LocationModel

/// Where a supervised app stands between being launched and being gone, beside `App.state`.
///
/// States and exits:
/// - `notRunning`: launched by the person (`foreground`) or for an event (`background`)
/// - `foreground`: commanded to the background
/// - `background`: to the foreground by command; `suspended` when nothing is left to run for; killed when a task is not
///   ended after its expiration
/// - `suspended`: to the foreground by command; to `background` for an event of an app with Always
/// - every state: `notRunning` when its process ends
struct AppLife {
  /// A supervisor has launched the app's process, and it has not ended.
  var isSupervised = false
  var cause = LaunchCause.person

  // Reasons to run in the background.

  /// The end of the time that every app has after it left the foreground (behaviour 3.9).
  var graceEnds: Instant?
  /// The end of the time that an app has for the event it was launched or woken for (behaviour 3.6).
  var wakeEnds: Instant?
  /// Open background tasks, in the order of their beginning.
  var tasks: [BackgroundTask] = []
  /// Since when open tasks alone keep the app running.
  var backgroundTimeSince: Instant?
  /// It has been said that these are too many.
  var hasToldOfTooManyTasks = false
  /// When tasks were told first that background time is over.
  var expiredAt: Instant?
  var toldBackgroundTimeEnds: Instant?

  /// It is being ended; nothing else happens to it until it has.
  var isTerminating = false
  /// The person had it ended: what its last process was told of starts no other.
  var wasEndedByPerson = false
  /// As far as the effects have come, the app is frozen: what is delivered to it is kept.
  var isFrozen = false

  // May it be started.

  /// Background App Refresh of this app.
  var allowsRefresh = true
  var toldAllowsRefresh = true
  var wasForceQuit = false
  /// Its newest starts for events, and the failed ones.
  var eventStarts: [Instant] = []
  /// No start for an event until then, since it ends as soon as it is started.
  var heldOffUntil: Instant?
  /// What it is to be started for then.
  var heldOffEvent: ManagerEvent?
  /// Its last start came to nothing.
  var couldNotStart = false

  // Sessions.

  /// A `CLBackgroundActivitySession` of the app is in effect.
  var holdsActivity = false
  var holdsAlways = false
  /// Its developer was told that its conditions lack one; once for each start by the person.
  var isToldOfMissingSession = false
  /// Those that its last process held.
  var hadActivity = false
  var hadAlways = false
  /// It iterated live updates in the background under its session, and nobody ended it (behaviour 9.6).
  var hadLiveUpdates = false
  /// It is to be started when these can be had.
  var awaitsUpdates = false
  /// Until when they may be taken up again; nil while no process could (behaviour 9.26).
  var rememberedUntil: Instant?

  var showsIndicator = false
  /// What the store holds.
  var stored = StoredAppLife()
  /// That was told once.
  var isRestored = false

  /// What kept it from being started is over.
  mutating func openByPerson() {
    wasForceQuit = false
    hadLiveUpdates = false
    endHoldingOff()
  }

  mutating func endHoldingOff() {
    eventStarts = []
    heldOffUntil = nil
    heldOffEvent = nil
    couldNotStart = false
  }

  /// Its process is gone, and with it all that was only the process's.
  mutating func endProcess() {
    isSupervised = false
    graceEnds = nil
    wakeEnds = nil
    tasks = []
    hasToldOfTooManyTasks = false
    backgroundTimeSince = nil
    expiredAt = nil
    toldBackgroundTimeEnds = nil
    isTerminating = false
    isFrozen = false
    rememberedUntil = nil
  }

  var worthStoring: StoredAppLife {
    var stored = StoredAppLife()
    stored.wasForceQuit = wasForceQuit
    stored.hadBackgroundActivity = holdsActivity || hadActivity
    stored.hadAlwaysSession = holdsAlways || hadAlways
    stored.allowsBackgroundRefresh = allowsRefresh
    return stored
  }
}

/// One `beginBackgroundTask` without its end.
struct BackgroundTask {
  let client: ClientIdentifier
  let number: UInt64
  let name: String
  /// The client was told that background time is over.
  var isExpired = false
}
