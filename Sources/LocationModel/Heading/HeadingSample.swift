/// One measurement of where the device points, as its source gave it. What the source did not say is nil.
package struct HeadingSample: Hashable, Sendable {
  package var measurement: Measurement
  /// How far the direction may be off, in degrees; nil where the source does not say.
  package var accuracyDegrees: Double?
  /// When it was measured, in the session's civil time.
  package var time: WallTime

  package enum Measurement: Hashable, Sendable {
    /// The magnetic field in microtesla, and what the accelerometer shows in m/s²; nil where there is none.
    case field(microteslas: DeviceVector, acceleration: DeviceVector?)
    /// The direction of the device's top edge, or of a vehicle's bow, clockwise from magnetic north.
    case magnetic(degrees: Double)
    /// The same from true north, as satellite and gyro compasses have it.
    case fromTrueNorth(degrees: Double)
  }

  package init(_ measurement: Measurement, accuracyDegrees: Double? = nil, time: WallTime) {
    self.measurement = measurement
    self.accuracyDegrees = accuracyDegrees
    self.time = time
  }

  /// Numbers that mean something: no NaN from a broken device goes any further.
  package var isValid: Bool {
    switch measurement {
    case .field(let field, let acceleration): field.isFinite && acceleration?.isFinite != false
    case .magnetic(let degrees), .fromTrueNorth(let degrees): degrees.isFinite
    }
  }
}
