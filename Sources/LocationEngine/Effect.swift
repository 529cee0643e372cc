import LocationModel

/// What the host is to do, in order. Long cases are boxed, since the longest makes every effect as long.
package enum Effect: Hashable, Sendable {
  case deliver(ManagerEvent, to: ManagerIdentifier)
  /// What an app may know at once (`snapshot`) is not what it was, its last fix apart: clients that keep a copy, as
  /// those on a socket do, need a new one.
  case snapshotChanged(AppIdentifier)
  indirect case showPrompt(Prompt)
  case withdrawPrompt(PromptIdentifier)
  /// "Turn On Location Services?", once for each client of an app (behaviour 1.31).
  case showLocationServicesAlert(AppIdentifier)
  case storeGrant(Grant, for: AppIdentifier)
  indirect case storeLastFix(Fix, for: AppIdentifier)
  /// All that the app has registered, in place of what is stored of it.
  indirect case storeRegistrations(Registrations, for: AppIdentifier)
  /// Start the app in the background, or, where no supervisor has launched it, let it run again if it is suspended:
  /// the event, and what follows until then, waits for its first manager (behaviour 1.23, 5.23). Said for every event;
  /// an app that is being started needs no second start.
  indirect case launch(AppIdentifier, for: ManagerEvent)
  /// Of a supervised app.
  indirect case life(LifeEffect)
  /// Switch the receivers: nil is off.
  case setReceivers(ReceiverDemand?)
  /// Watch whether the device moves; only on a device that has a sensor for it.
  case setMotionSensor(on: Bool)
  case setHeadingSensor(on: Bool)
  /// Listen for the packets of these beacons, and only for theirs; nil is not at all.
  case setBeaconScan([BeaconConstraint]?)
  /// Tell, or no longer tell, when the screen turns on (`Input.displayTurnedOn`).
  case setDisplayWatch(on: Bool)
  /// Show the person how to calibrate the compass, for an app whose delegate wants it (behaviour 7.7).
  case showHeadingCalibration(AppIdentifier)
  case hideHeadingCalibration(AppIdentifier)
  indirect case note(Notice)
}

/// A line for the log of the app's developer. Never holds a location.
package enum Notice: Hashable, Sendable {
  /// A request did nothing because of keys that the Info.plist lacks (behaviour 1.7, 1.8).
  case requestIgnoredForMissingKeys(AppIdentifier, request: String, keys: [String])
  case requestIgnoredInBackground(AppIdentifier, request: String)
  case requestIgnoredWhilePrompting(AppIdentifier, request: String)
  /// The person has answered before; only Settings can change it (behaviour 1.12).
  case requestIgnoredAsAnswered(AppIdentifier, request: String)
  /// Always is not asked upon a permission that ends with the app's use (behaviour 1.18).
  case requestIgnoredAfterAllowOnce(AppIdentifier, request: String)
  /// A service that this version, or this machine, does not have.
  case serviceUnavailable(AppIdentifier, service: String)
  case tooManyManagers(AppIdentifier, max: Int)
  /// The date is beyond the magnetic model, so that there are no true headings.
  case magneticModelDoesNotHold
  /// One more region than an app may have is not monitored (behaviour 5.1).
  case tooManyRegions(AppIdentifier, max: Int)
  /// Background time was over, and the app did not end its tasks (behaviour 3.7).
  case killedForBackgroundTasks(AppIdentifier, tasks: [String])
  /// Its callback for an event had not returned when the time for it was over.
  case killedForEvent(AppIdentifier)
  case tooManyBackgroundTasks(AppIdentifier, max: Int)
  /// The app ends as soon as it is started for an event.
  case launchesHeldOff(AppIdentifier, starts: Int, couldStart: Bool, forSeconds: Double)
  /// `CLBackgroundActivitySession` needs `location` in `UIBackgroundModes` (behaviour 9.10).
  case sessionWithoutBackgroundMode(AppIdentifier)
  /// Its conditions are not watched while it does not run: Always is not in effect without a session (behaviour 9.23).
  case conditionsWithoutSession(AppIdentifier)
}
