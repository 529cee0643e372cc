/// From what a receiver says of its errors to the 68 % figures of `Fix`.
///
/// First choice is GST, the receiver's own standard deviations. Else dilution of precision times a user equivalent
/// range error (UERE) by the fix's quality. Else nothing: unknown stays unknown, and is never 0 (behaviour 10.4).
///
/// The UERE is that of gpsd 3.22 (gpsd/libgpsd_core.c), stated there for 95 %: horizontally 15 m and with differential
/// corrections 3.75 m, vertically 23 m and 5.75 m. Both are brought to 68.27 % for normal errors:
///
/// - horizontally, equal and independent in two axes, so that the radius is Rayleigh's: r(p) = s sqrt(-2 ln(1 - p)),
///   and r(68.27 %) / r(95 %) = sqrt(ln(1 - 0.6827) / ln(1 - 0.95)) = 1.51517 / 2.44775 = 0.619007
/// - vertically one axis: 1 / 1.959964 = 0.510213
enum NMEAAccuracy {
  /// sqrt(-2 ln(1 - 0.682689)) squared: how far the circle of 68.27 % reaches in two equal axes, in variances.
  static let circularVarianceFactor = 2.295749
  static let horizontalFrom95 = 0.619007
  static let verticalFrom95 = 0.510213

  /// Metres at 68 % for a dilution of 1; nil where dilution says nothing: dead reckoning, a typed-in position, a
  /// simulator.
  ///
  /// Real-time kinematic fixes, fixed or float: 0.62 m. That is what the open Mountain View drive of 2020-02-06 gives
  /// (u-blox F9K against a NovAtel SPAN reference): of 500 fixed and 324 float epochs, 68.27 % have a horizontal error
  /// below 0.61 and 0.62 m for each unit of HDOP. Centimetres, which such receivers claim, hold only against their own
  /// base station. Vertically the same times gpsd's proportion of the two at 68 %, 11.735 / 9.285.
  static func rangeErrorMeters(_ quality: FixQuality?) -> (horizontal: Double, vertical: Double)? {
    switch quality {
    case .autonomous, .precise, nil: (15 * horizontalFrom95, 23 * verticalFrom95)
    case .differential: (3.75 * horizontalFrom95, 5.75 * verticalFrom95)
    case .realTimeKinematicFixed, .realTimeKinematicFloat:
      (0.62, 0.62 * (23 * verticalFrom95) / (15 * horizontalFrom95))
    case .some(.none), .estimated, .manual, .simulated: nil
    }
  }

  /// The radius that holds 68.27 % of a two-dimensional normal error with these standard deviations, the larger one a
  /// and the smaller one b: sqrt(a² + 1.295749 b²). Exact for b = a and for b = 0; in between within 0.9 % of the
  /// numerical integral (the plain root of a² + b² holds only 63.2 % where both are equal).
  static func horizontalMeters(latitudeDeviation: Double, longitudeDeviation: Double) -> Double? {
    let larger = max(latitudeDeviation, longitudeDeviation)
    let smaller = min(latitudeDeviation, longitudeDeviation)
    guard larger > 0 else { return nil }
    return (larger * larger + (circularVarianceFactor - 1) * smaller * smaller).squareRoot()
  }

  /// A dilution that means something. Receivers write 0, 99.9 and the like where they know none.
  static func meaningful(_ dilution: Double?) -> Double? {
    guard let dilution, dilution > 0, dilution < 99 else { return nil }
    return dilution
  }

  static func horizontalMeters(dilution: Double?, quality: FixQuality?) -> Double? {
    guard let dilution = meaningful(dilution), let error = rangeErrorMeters(quality) else { return nil }
    return dilution * error.horizontal
  }

  static func verticalMeters(dilution: Double?, quality: FixQuality?) -> Double? {
    guard let dilution = meaningful(dilution), let error = rangeErrorMeters(quality) else { return nil }
    return dilution * error.vertical
  }
}
