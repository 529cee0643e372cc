import CoreLocation
import LocationEngine
import LocationModel

extension SimulatedDevice {
  /// Whether the device has an adapter, and whether it is on.
  package func setBluetooth(_ radio: BeaconRadio) {
    host.host.handle(.beaconRadioChanged(radio))
    settle()
  }

  /// A packet of a beacon comes in; delivered at once.
  package func hear(
    _ uuid: UUID, major: UInt16, minor: UInt16, signalDecibels: Int, measuredPower: Int8 = -59
  ) {
    let constraint = BeaconConstraint(CLBeaconIdentityConstraint(uuid: uuid))
    let beacon = BeaconIdentity(
      uuidHigh: constraint.uuidHigh, uuidLow: constraint.uuidLow, major: major, minor: minor)
    host.host.handle(
      .beaconHeard(
        BeaconPacket(
          BeaconFrame(beacon, measuredPower: measuredPower), signalDecibels: signalDecibels,
          time: host.clock.wallTime)))
    settle()
  }

  /// The person looks at the device.
  package func turnDisplayOn() {
    host.host.handle(.displayTurnedOn)
    settle()
  }
}
