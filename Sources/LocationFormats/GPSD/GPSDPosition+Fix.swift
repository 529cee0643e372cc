import LocationModel

/// TPV to `Fix`.
///
/// gpsd's error estimates hold with 95 %, those of a fix with 68.27 %, one standard deviation of a normal error. Two
/// laws lead from one to the other:
///
/// - `eph` is a radius. Where the errors along both axes are normal, independent and alike with deviation s, the
///   distance from the true place follows Rayleigh's law, P(distance <= r) = 1 - exp(-r^2 / 2 s^2). So the radius of
///   certainty p is s sqrt(-2 ln(1 - p)), and r68 / r95 = sqrt(ln 0.317311 / ln 0.05) = 1.51517 / 2.44775 = 0.619007.
/// - `epv`, `eps` and `epd` lie along one line, where 95 % of a normal error lie within 1.959964 s: e68 / e95 is
///   0.510213.
/// - `epx` and `epy` without `eph` lie along one line each; their two deviations give the radius as GST's do.
enum GPSDCertainty {
  static let radius68From95 = 0.619007
  static let line68From95 = 0.510213
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
      // One height leads to the other where gpsd tells the distance of the two.
      let separation = geoidSeparationMeters
      fix.altitudeMeters =
        altitudeMeters ?? ellipsoidalAltitudeMeters.flatMap { height in separation.map { height - $0 } }
      fix.ellipsoidalAltitudeMeters =
        ellipsoidalAltitudeMeters ?? altitudeMeters.flatMap { height in separation.map { height + $0 } }
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
    return NMEAAccuracy.horizontalMeters(
      latitudeDeviation: north * GPSDCertainty.line68From95, longitudeDeviation: east * GPSDCertainty.line68From95)
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
    return NMEAAccuracy.horizontalMeters(latitudeDeviation: north, longitudeDeviation: east)
  }
}
