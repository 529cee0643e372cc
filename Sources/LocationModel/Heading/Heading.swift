/// A heading as an app is told it.
package struct Heading: Hashable, Sendable {
  /// Clockwise from magnetic north in [0, 360).
  package var magneticDegrees: Double
  /// Clockwise from true north in [0, 360); nil where it cannot be told (behaviour 7.1).
  package var trueDegrees: Double?
  /// How far the magnetic heading may be off; nil where it cannot be believed at all (behaviour 7.3).
  package var accuracyDegrees: Double?
  /// The measured field in microtesla, in the device's axes (behaviour 7.9); nil of a source that measures none.
  package var fieldMicroteslas: DeviceVector?
  package var time: WallTime

  package init(
    magneticDegrees: Double, trueDegrees: Double?, accuracyDegrees: Double?, fieldMicroteslas: DeviceVector? = nil,
    time: WallTime
  ) {
    self.magneticDegrees = magneticDegrees
    self.trueDegrees = trueDegrees
    self.accuracyDegrees = accuracyDegrees
    self.fieldMicroteslas = fieldMicroteslas
    self.time = time
  }
}
