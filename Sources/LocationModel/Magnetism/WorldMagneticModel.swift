/// The World Magnetic Model: spherical harmonics of degree 12 that NOAA and BGS fit to the Earth's main field every
/// five years.
///
/// Follows the model's technical report: Schmidt's semi-normalised functions, a mean radius of 6371.2 km, the WGS84
/// ellipsoid, and coefficients that change evenly in time. Pure, and about a microsecond a call.
package struct WorldMagneticModel: Sendable {
  static let degreeMax = 12
  static let rowCount = degreeMax * (degreeMax + 3) / 2
  /// The mean radius that the coefficients refer to.
  static let referenceRadiusMeters = 6_371_200.0

  package let epochYear: Double
  /// For each degree and order: g, h in nT and their change in a year.
  let coefficients: [Double]
  /// √(n² - m²) and √((n - 1)² - m²) for the same rows, for the recursion of the Legendre functions.
  let roots: [Double]

  /// - Parameter coefficients: four for each of the 90 rows, in the order of the published file.
  init(epochYear: Double, coefficients: [Double]) {
    precondition(coefficients.count == 4 * Self.rowCount, "a model of degree 12 has 90 rows of 4 coefficients")
    self.epochYear = epochYear
    self.coefficients = coefficients
    var roots: [Double] = []
    for degree in 1...Self.degreeMax {
      for order in 0...degree {
        roots.append(Double(degree * degree - order * order).squareRoot())
        roots.append(Double(max(0, (degree - 1) * (degree - 1) - order * order)).squareRoot())
      }
    }
    self.roots = roots
  }

  /// The years for which the model holds: five from its epoch on.
  package var validYears: ClosedRange<Double> { epochYear...(epochYear + 5) }

  /// Heights above the ellipsoid for which it holds: 1 km under to 850 km above (algorithms 4).
  package static let validHeightsMeters = -1_000.0...850_000.0

  /// The field at a place and a time; nil where the model does not hold, or the place is none.
  package func field(at place: Coordinate, heightMeters: Double = 0, decimalYear: Double) -> MagneticField? {
    guard place.isValid, validYears.contains(decimalYear), Self.validHeightsMeters.contains(heightMeters) else {
      return nil
    }
    let point = GeocentricPoint(place, heightMeters: heightMeters)
    let field = geocentricField(at: point, yearsSinceEpoch: decimalYear - epochYear)
    // Turned from the sphere's down to the ellipsoid's.
    return MagneticField(
      northNanoteslas: field.northNanoteslas * point.tiltCosine - field.downNanoteslas * point.tiltSine,
      eastNanoteslas: field.eastNanoteslas,
      downNanoteslas: field.northNanoteslas * point.tiltSine + field.downNanoteslas * point.tiltCosine)
  }

  package func field(at place: Coordinate, heightMeters: Double = 0, time: WallTime) -> MagneticField? {
    field(at: place, heightMeters: heightMeters, decimalYear: time.decimalYear)
  }

  /// The field at a fix's place and height; heights beyond the model count as its nearest, and an unknown one as 0.
  package func field(at fix: Fix, decimalYear: Double) -> MagneticField? {
    let heights = Self.validHeightsMeters
    let height = fix.ellipsoidalAltitudeMeters ?? fix.altitudeMeters ?? 0
    return field(
      at: fix.coordinate, heightMeters: min(max(height, heights.lowerBound), heights.upperBound),
      decimalYear: decimalYear)
  }

  /// The sums over all degrees and orders.
  ///
  /// For orders above 0 the functions are kept divided by the cosine of the latitude: they begin with its powers, so
  /// that nothing is divided by zero at a pole.
  private func geocentricField(at point: GeocentricPoint, yearsSinceEpoch years: Double) -> MagneticField {
    coefficients.withUnsafeBufferPointer { coefficients in
      roots.withUnsafeBufferPointer { roots in
        var sums = HarmonicSums(point: point)
        let radiusRatio = Self.referenceRadiusMeters / point.radiusMeters
        var sectoral = 1.0
        var (sine, cosine) = (0.0, 1.0)
        for order in 0...Self.degreeMax {
          if order > 0 {
            (sine, cosine) = (
              sine * point.longitudeCosine + cosine * point.longitudeSine,
              cosine * point.longitudeCosine - sine * point.longitudeSine
            )
          }
          if order > 1 {
            sectoral *= (Double(2 * order - 1) / Double(2 * order)).squareRoot() * point.latitudeCosine
          }
          sums.add(
            order: order, sectoral: sectoral, sine: sine, cosine: cosine, years: years, radiusRatio: radiusRatio,
            coefficients: coefficients, roots: roots)
        }
        return sums.field
      }
    }
  }
}

/// What the terms of all degrees add up to.
private struct HarmonicSums {
  let point: GeocentricPoint
  var field = MagneticField(northNanoteslas: 0, eastNanoteslas: 0, downNanoteslas: 0)

  init(point: GeocentricPoint) {
    self.point = point
  }

  /// All degrees of one order.
  ///
  /// - Parameters:
  ///   - sectoral: the function of degree and order `order`, divided by the cosine of the latitude where that is not 0.
  ///   - sine: sine of `order` times the longitude, and `cosine` its cosine.
  mutating func add(
    order: Int, sectoral: Double, sine: Double, cosine: Double, years: Double, radiusRatio: Double,
    coefficients: UnsafeBufferPointer<Double>, roots: UnsafeBufferPointer<Double>
  ) {
    let z = point.latitudeSine
    let orderNumber = Double(order)
    var previous = 0.0
    var current = sectoral
    var power = radiusRatio * radiusRatio
    for _ in 0..<order { power *= radiusRatio }
    for degree in order...WorldMagneticModel.degreeMax {
      defer { power *= radiusRatio }
      guard degree > 0 else { continue }
      let row = (degree - 1) * (degree + 2) / 2 + order
      let root = roots[2 * row]
      if degree > order {
        (previous, current) = (
          current, (Double(2 * degree - 1) * z * current - roots[2 * row + 1] * previous) / root
        )
      }
      let g = coefficients[4 * row] + years * coefficients[4 * row + 2]
      let h = coefficients[4 * row + 1] + years * coefficients[4 * row + 3]
      let along = g * cosine + h * sine
      let degreeNumber = Double(degree)
      if order == 0 {
        field.downNanoteslas -= (degreeNumber + 1) * power * along * current
      } else {
        field.northNanoteslas += power * along * (degreeNumber * z * current - root * previous)
        field.eastNanoteslas += power * orderNumber * (g * sine - h * cosine) * current
        field.downNanoteslas -= (degreeNumber + 1) * power * along * current * point.latitudeCosine
      }
      if order == 1 {
        // The slope of order 0 is the function of order 1, but for a factor.
        let zonal = coefficients[4 * (row - 1)] + years * coefficients[4 * (row - 1) + 2]
        let factor = (degreeNumber * (degreeNumber + 1) / 2).squareRoot()
        field.northNanoteslas -= power * zonal * factor * current * point.latitudeCosine
      }
    }
  }
}

/// A place on the sphere that the model is written for, and how the ellipsoid's down leans against the sphere's.
private struct GeocentricPoint {
  var radiusMeters: Double
  var latitudeSine: Double
  var latitudeCosine: Double
  var longitudeSine: Double
  var longitudeCosine: Double
  /// Of the geocentric less the geodetic latitude.
  var tiltSine: Double
  var tiltCosine: Double

  init(_ place: Coordinate, heightMeters: Double) {
    let semiMajorAxisMeters = 6_378_137.0
    let flattening = 1 / 298.257_223_563
    let eccentricitySquared = flattening * (2 - flattening)
    let (sine, cosine) = sineAndCosineOfDegrees(place.latitude)
    (longitudeSine, longitudeCosine) = sineAndCosineOfDegrees(place.longitude)
    let normal = semiMajorAxisMeters / (1 - eccentricitySquared * sine * sine).squareRoot()
    let across = (normal + heightMeters) * cosine
    let along = (normal * (1 - eccentricitySquared) + heightMeters) * sine
    radiusMeters = (across * across + along * along).squareRoot()
    latitudeSine = along / radiusMeters
    latitudeCosine = across / radiusMeters
    tiltSine = latitudeSine * cosine - latitudeCosine * sine
    tiltCosine = latitudeCosine * cosine + latitudeSine * sine
  }
}
