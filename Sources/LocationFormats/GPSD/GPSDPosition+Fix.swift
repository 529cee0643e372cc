import LocationModel

/// TPV to `Fix`.
///
/// gpsd's error estimates hold with 95 %, those of a fix with 68 %. Two laws lead from one to the other:
///
/// - `eph` is a radius. Where the errors along both axes are normal, independent and alike with deviation s, the
///   distance from the true place follows Rayleigh's law, P(distance <= r) = 1 - exp(-r^2 / 2 s^2). So the radius of
///   certainty p is s sqrt(-2 ln(1 - p)), and r68 = r95 sqrt(ln 0.32 / ln 0.05) = 0.6167 r95.
/// - `epv`, `eps` and `epd` lie along one line. For a normal error 95 % lie within 1.95996 s and 68 % within
///   0.99446 s, so e68 = 0.5074 e95.
/// - `epx` and `epy` without `eph`: each is 1.95996 times its axis' deviation; both axes get their mean variance, and
///   Rayleigh's law gives the radius, 1.50959 s (an approximation that is exact where the axes are alike).
package enum GPSDCertainty {
  /// sqrt(ln 0.32 / ln 0.05)
  static let radius68From95 = 0.616_727
  /// Normal quantiles of 0.84 and 0.975: 0.994458 / 1.959964
  static let line68From95 = 0.507_386
  /// sqrt(-2 ln 0.32)
  static let radius68FromDeviation = 1.509_592
  /// Normal quantile of 0.975.
  static let line95FromDeviation = 1.959_964

  /// The 68 % radius of two 68.27 % errors along the axes, as GST has them.
  static func radius68(eastDeviation: Double, northDeviation: Double) -> Double {
    radius68FromDeviation * ((eastDeviation * eastDeviation + northDeviation * northDeviation) / 2).squareRoot()
  }
}

extension GPSDPosition {
  /// Where this is a location: mode 2 or 3 with a place on Earth; nil otherwise. Mode 2 has no height. Without a time
  /// of its own it was measured when it arrived (case NM-08).
  package func fix(receivedAt: WallTime, errors: GPSDErrorStatistics? = nil) -> Fix? {
    guard let mode, mode >= 2, let latitude, let longitude else { return nil }
    let coordinate = Coordinate(latitude: latitude, longitude: longitude)
    guard coordinate.isValid else { return nil }
    let statistics = errors.flatMap { $0.time != nil && $0.time == time ? $0 : nil }
    var fix = Fix(
      coordinate: coordinate,
      horizontalAccuracyMeters: horizontalAccuracyMeters ?? statistics?.horizontalAccuracyMeters,
      time: time ?? receivedAt, isSimulated: isSimulated)
    if mode == 3 {
      fix.altitudeMeters = altitudeMeters
      fix.ellipsoidalAltitudeMeters = ellipsoidalAltitudeMeters
      if altitudeMeters != nil || ellipsoidalAltitudeMeters != nil {
        fix.verticalAccuracyMeters =
          Self.positive(verticalErrorMeters).map { $0 * GPSDCertainty.line68From95 }
          ?? Self.positive(statistics?.altitudeErrorMeters)
      }
    }
    if let speed = speedMetersPerSecond, speed >= 0 {
      fix.speedMetersPerSecond = speed
      fix.speedAccuracyMetersPerSecond =
        Self.positive(speedErrorMetersPerSecond).map { $0 * GPSDCertainty.line68From95 }
    }
    if let track = trackDegrees, (0...360).contains(track) {
      fix.courseDegrees = track == 360 ? 0 : track
      fix.courseAccuracyDegrees = Self.positive(trackErrorDegrees).map { $0 * GPSDCertainty.line68From95 }
    }
    return fix
  }

  private var horizontalAccuracyMeters: Double? {
    if let radius = Self.positive(horizontalErrorMeters) { return radius * GPSDCertainty.radius68From95 }
    guard let east = Self.positive(eastErrorMeters), let north = Self.positive(northErrorMeters) else { return nil }
    return GPSDCertainty.radius68(
      eastDeviation: east / GPSDCertainty.line95FromDeviation,
      northDeviation: north / GPSDCertainty.line95FromDeviation)
  }

  /// An error of 0 is an estimate that was not made.
  static func positive(_ value: Double?) -> Double? {
    value.flatMap { $0 > 0 ? $0 : nil }
  }
}

extension GPSDErrorStatistics {
  var horizontalAccuracyMeters: Double? {
    guard let east = GPSDPosition.positive(longitudeErrorMeters), let north = GPSDPosition.positive(latitudeErrorMeters)
    else { return nil }
    return GPSDCertainty.radius68(eastDeviation: east, northDeviation: north)
  }
}
