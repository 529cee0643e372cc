import CGeographic

/// A circle that is too large for the grid. All of them are tried, one after the other.
///
/// On the sphere of reduced latitudes β (tan β = b/a tan φ) a line element of the ellipsoid is
/// ds² = (a² sin²β + b² cos²β) dβ² + a² cos²β dλ², hence between b and a times the sphere's own. So a geodesic of
/// length s and the great circle of the angle σ between the same places satisfy b σ <= s <= a σ: inside where a σ is
/// at most the radius, outside where b σ is more, and the geodesic itself decides in between (0.34 % of the radius).
struct LargeCircle {
  /// Squares of chords on the unit sphere: of angles, but without their arc sine. Beyond what rounding can do.
  static let roundingSlack = 1e-13

  var direction: UnitVector
  var certainlyInsideSquared: Double
  var possiblyInsideSquared: Double
  var slot: Int32

  init(_ circle: ExactCircle, slot: Int32) {
    direction = UnitVector(latitude: circle.latitude, longitude: circle.longitude)
    certainlyInsideSquared =
      Self.chordSquared(angle: circle.radiusMeters / ChordBound.semiMajorAxisMeters) - Self.roundingSlack
    possiblyInsideSquared =
      Self.chordSquared(angle: circle.radiusMeters / ChordBound.semiMinorAxisMeters) + Self.roundingSlack
    self.slot = slot
  }

  /// For an angle beyond half a turn more than any chord can be.
  private static func chordSquared(angle: Double) -> Double {
    if angle >= .pi { return 5 }
    let half = geographic_sine(angle / 2)
    return 4 * half * half
  }
}

/// A place on the unit sphere at its reduced latitude.
struct UnitVector {
  var x: Double
  var y: Double
  var z: Double

  init(latitude: Double, longitude: Double) {
    var east = 0.0
    var north = 0.0
    var up = 0.0
    geographic_cartesian(latitude, longitude, &east, &north, &up)
    x = east / ChordBound.semiMajorAxisMeters
    y = north / ChordBound.semiMajorAxisMeters
    z = up / ChordBound.semiMinorAxisMeters
  }

  @inline(__always)
  func chordSquared(to other: UnitVector) -> Double {
    let (dx, dy, dz) = (x - other.x, y - other.y, z - other.z)
    return dx * dx + dy * dy + dz * dz
  }
}
