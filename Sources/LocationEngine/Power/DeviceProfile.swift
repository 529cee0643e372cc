import LocationModel

/// Which receivers a device has, and what each costs: what the planner chooses by, and what a simulation is charged by.
package struct DeviceProfile: Hashable, Sendable {
  package var name: String
  package var technologies: ReceiverTechnologies
  /// A sensor that runs for next to nothing and says whether the device rests.
  package var hasMotionSensor: Bool
  /// Bluetooth, which hears beacons.
  package var hasBeaconReceiver: Bool
  package var energy: EnergyModel

  package init(
    name: String, technologies: ReceiverTechnologies, hasMotionSensor: Bool, hasBeaconReceiver: Bool = false,
    energy: EnergyModel = EnergyModel()
  ) {
    self.name = name
    self.technologies = technologies
    self.hasMotionSensor = hasMotionSensor
    self.hasBeaconReceiver = hasBeaconReceiver
    self.energy = energy
  }

  /// Its receivers take orders, and what they do about them is known.
  var isKnown: Bool { energy.satelliteLingerSeconds.isFinite }

  /// One receiver of which nothing is known, and Bluetooth: what a Linux machine has as a rule. gpsd leaves it on
  /// for a minute after its last client has gone, and how long it takes to find itself again nobody knows, so that it
  /// does not sleep between two fixes of a stream.
  package static let receiver: DeviceProfile = {
    var energy = EnergyModel()
    energy.satelliteLingerSeconds = .infinity
    energy.satelliteIndoorMissProbability = 0
    return DeviceProfile(
      name: "receiver", technologies: .satellite, hasMotionSensor: false, hasBeaconReceiver: true, energy: energy)
  }()
}
