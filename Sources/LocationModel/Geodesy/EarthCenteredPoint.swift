import CGeographic

/// A place on the WGS84 ellipsoid as metres along three axes that turn with the Earth, for bounds on distances that
/// cost a few multiplications where a geodesic costs half a microsecond.
package struct EarthCenteredPoint: Hashable, Sendable {
  package var x: Double
  package var y: Double
  package var z: Double

  package init(_ place: Coordinate) {
    x = 0
    y = 0
    z = 0
    geographic_cartesian(place.latitude, place.longitude, &x, &y, &z)
  }

  /// The straight line through the Earth: never longer than the geodesic.
  @inline(__always)
  package func chordMeters(to other: EarthCenteredPoint) -> Double {
    let east = other.x - x
    let north = other.y - y
    let up = other.z - z
    return (east * east + north * north + up * up).squareRoot()
  }

  /// The longest that a geodesic of a chord can be; infinite for chords beyond 2,000 km, where the bound is not proved.
  ///
  /// No geodesic bends more than a circle of the smallest radius of curvature, R = b²/a = 6 335 439 m, so that it is
  /// no longer than that circle's arc c (1 + c²/24R² + 3c⁴/640R⁴ + ...) (Schwarz's theorem on chords); up to 2,000 km
  /// that is less than c (1 + c²/20R²).
  @inline(__always)
  package static func geodesicMetersMax(chordMeters chord: Double) -> Double {
    guard chord <= 2_000_000 else { return .infinity }
    return chord * (1 + chord * chord / (20 * 6_335_439 * 6_335_439))
  }
}
