import LocationModel

/// What happened, in the past tense. The engine knows the world only through these.
package enum Input: Hashable, Sendable {
  /// A process of an app connected. `grant` and `lastFix` are what the store holds for the app; they count only
  /// where the engine does not know the app yet.
  case clientConnected(ClientIdentifier, AppDescription, grant: Grant, lastFix: Fix?)
  case clientDisconnected(ClientIdentifier)
  /// What the store holds of an app's regions and services, before any process of it connects; counts only where the
  /// engine does not know the app yet.
  case appRestored(AppDescription, grant: Grant, registrations: Registrations)
  /// The host drops what the engine knows of an app that has no process; the store still has its grant.
  case appForgotten(AppIdentifier)
  /// The person took the app from the device: nothing is watched for it any more. It has no process.
  case appUninstalled(AppIdentifier)
  case managerCreated(ManagerIdentifier)
  case managerReleased(ManagerIdentifier)
  case requested(Request, by: ManagerIdentifier)
  /// Where an app stands that no supervisor has launched; of one that was this is ignored.
  case appStateChanged(AppIdentifier, AppState)
  case life(LifeInput)

  case promptAnswered(PromptIdentifier, PromptAnswer)
  /// The person chose a level in Settings; `notDetermined` is "Ask Next Time" and Reset (behaviour 1.29).
  case grantChanged(AppIdentifier, Grant.Level)
  case preciseChanged(AppIdentifier, Bool)
  case restrictionChanged(AppIdentifier, Bool)
  case locationServicesSwitched(on: Bool)
  case airplaneModeChanged(isOn: Bool)

  /// The operator has changed the policy. It holds for what happens from now on.
  case policyChanged(Policy)

  case fixReceived(Fix)
  case receiversChanged(ReceiverState)
  case motionChanged(DeviceMotion)
  case headingSampled(HeadingSample)
  /// A compass has come or gone. A sample says that there is one, too.
  case headingAvailabilityChanged(Bool)
  case beaconHeard(BeaconPacket)
  case beaconRadioChanged(BeaconRadio)
  /// The screen lit up: somebody looks at the device (behaviour 6.4).
  case displayTurnedOn
  /// Nothing happened but time: a deadline may have come.
  case timePassed
}
