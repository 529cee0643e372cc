import LocationModel

/// A sensor that says whether the device moves, for next to no energy.
package protocol MotionSensor: AnyObject, Sendable {
  /// Tells where its findings go. Called once, before anything else.
  func connect(_ changed: @escaping @Sendable (DeviceMotion) -> Void)

  /// It says how things stand soon after it is switched on, and each change after that.
  func setMotionWanted(_ isWanted: Bool)
}
