import CGeographic

/// What the straight line between two places on the WGS84 ellipsoid, the chord, says about the geodesic between them.
///
/// A geodesic of length s has the normal curvature of the ellipsoid everywhere, at most κ = a / b² = 1 / 6,335,439 m
/// (along the meridian at the equator). By Schur's comparison theorem its ends lie no nearer to each other than those
/// of an arc of s metres on a circle of that curvature, and no line is shorter than the straight one, so
///
///     s - κ² s³ / 24  <=  2 sin(κ s / 2) / κ  <=  chord  <=  s
///
/// For a circle of radius r this gives: outside where the chord is longer than r, inside where it is no longer than
/// r - κ² r³ / 24. Between the two lie 1.04 µm at 1 km, 66 µm at 4 km, 0.27 m at 64 km; there only the geodesic
/// itself decides.
enum ChordBound {
  /// The largest normal curvature of the ellipsoid, in 1/m.
  static let greatestCurvature = semiMajorAxisMeters / (semiMinorAxisMeters * semiMinorAxisMeters)
  static let semiMajorAxisMeters = 6_378_137.0
  /// b = a (1 - f), rounded down.
  static let semiMinorAxisMeters = 6_356_752.314_245_1

  /// Half of what lies between the bounds, in metres: the chord belongs to the radius less this, give or take this.
  static func halfWidthMeters(radiusMeters: Double) -> Double {
    greatestCurvature * greatestCurvature * radiusMeters * radiusMeters * radiusMeters / 48
  }
}

/// A place in the Earth's frame in whole units of 1/256 m: three 32-bit numbers that float arithmetic loses nothing of,
/// for differences of two near places are exact before they are rounded.
///
/// Rounding moves the distance of two of them by at most √3 / 256 m, 6.8 mm.
struct GridPosition {
  static let unitsPerMeter = 256.0
  static let roundingMeters = 0.0068

  var x: Int32
  var y: Int32
  var z: Int32

  /// Coordinates on the ellipsoid are below 6,378,138 m, so 1.64e9 units: an Int32 holds them.
  init(latitude: Double, longitude: Double) {
    var east = 0.0
    var north = 0.0
    var up = 0.0
    geographic_cartesian(latitude, longitude, &east, &north, &up)
    x = Self.units(east)
    y = Self.units(north)
    z = Self.units(up)
  }

  /// To the nearest; the conversion cuts towards zero.
  private static func units(_ meters: Double) -> Int32 {
    let units = meters * unitsPerMeter
    return Int32(units < 0 ? units - 0.5 : units + 0.5)
  }
}
