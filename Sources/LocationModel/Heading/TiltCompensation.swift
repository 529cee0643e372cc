/// How the device lies in the Earth's field, from what its magnetometer and its accelerometer measure (algorithms 4).
package struct TiltCompensation: Hashable, Sendable {
  /// Horizontal magnetic east and north, in the device's axes.
  private let east: DeviceVector
  private let north: DeviceVector
  /// How far the field points below the horizon.
  package let dipDegrees: Double

  /// - Parameters:
  ///   - field: the magnetic field.
  ///   - up: the way up, of any length: what an accelerometer at rest shows.
  ///
  /// Nil where no direction follows: a vector without length, or a field that points straight down or up.
  package init?(field: DeviceVector, up: DeviceVector) {
    guard let up = up.unit, field.isFinite, field.length > 0 else { return nil }
    let across = field.cross(up)
    // Within a thousandth of straight down a direction is noise.
    guard across.length > 1e-3 * field.length, let east = across.unit else { return nil }
    self.east = east
    north = up.cross(east)
    dipDegrees = arctangentDegrees(y: -field.dot(up), x: across.length)
  }

  /// The direction of one of the device's edges, clockwise from magnetic north in [0, 360); nil where it points
  /// straight up or down.
  package func headingDegrees(of front: DeviceVector) -> Double? {
    let eastward = east.dot(front)
    let northward = north.dot(front)
    guard eastward * eastward + northward * northward > 1e-6 else { return nil }
    return CircleAngle.normalized(arctangentDegrees(y: eastward, x: northward))
  }
}
