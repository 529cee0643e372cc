/// Tells when the device's screen turns on: a person looks at it (behaviour 6.4).
///
/// It listens only while somebody wants to know.
package protocol DisplaySensor: AnyObject, Sendable {
  /// Tells where it is told. Called once, before anything else.
  func connect(_ turnedOn: @escaping @Sendable () -> Void)

  func setWanted(_ isWanted: Bool)
}
