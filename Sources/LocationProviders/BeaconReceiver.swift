import LocationModel

/// What beacons are heard with: the machine's Bluetooth, or a simulated one.
///
/// It watches whether there is an adapter, and listens only for what it is asked for.
package protocol BeaconReceiver: AnyObject, Sendable {
  /// Tells where events go. Called once, before anything else.
  func connect(_ events: @escaping @Sendable (BeaconEvent) -> Void)

  /// Listens for the packets of these beacons from now on; nil is not at all.
  func listen(for constraints: [BeaconConstraint]?)
}

package enum BeaconEvent: Sendable {
  case packet(BeaconPacket)
  case radio(BeaconRadio)
  /// Something a person should hear once, as a whole sentence.
  case notice(String)
}
