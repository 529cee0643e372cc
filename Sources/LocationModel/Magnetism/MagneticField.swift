/// The Earth's magnetic field at a place, in nanotesla: north, east and down.
package struct MagneticField: Hashable, Sendable {
  /// X
  package var northNanoteslas: Double
  /// Y
  package var eastNanoteslas: Double
  /// Z
  package var downNanoteslas: Double

  package init(northNanoteslas: Double, eastNanoteslas: Double, downNanoteslas: Double) {
    self.northNanoteslas = northNanoteslas
    self.eastNanoteslas = eastNanoteslas
    self.downNanoteslas = downNanoteslas
  }

  /// H: the strength along the ground, which is all that turns a compass.
  package var horizontalNanoteslas: Double {
    (northNanoteslas * northNanoteslas + eastNanoteslas * eastNanoteslas).squareRoot()
  }

  /// F: the strength of the whole field.
  package var totalNanoteslas: Double {
    let horizontal = horizontalNanoteslas
    return (horizontal * horizontal + downNanoteslas * downNanoteslas).squareRoot()
  }

  /// D: how far magnetic north lies east of true north, in degrees in [-180, 180].
  package var declinationDegrees: Double {
    arctangentDegrees(y: eastNanoteslas, x: northNanoteslas)
  }

  /// I: how far the field points below the horizon, in degrees in [-90, 90].
  package var inclinationDegrees: Double {
    arctangentDegrees(y: downNanoteslas, x: horizontalNanoteslas)
  }
}

/// How far a compass can be believed near the magnetic poles, by the strength of the field along the ground.
package enum MagneticZone: Hashable, Sendable {
  case reliable
  /// 2000 to 6000 nT: a compass errs.
  case caution
  /// Below 2000 nT: the declination says nothing.
  case blackout

  /// The bounds are those that NOAA and BGS publish with the model (algorithms 4).
  package init(horizontalNanoteslas: Double) {
    self = horizontalNanoteslas < 2_000 ? .blackout : horizontalNanoteslas < 6_000 ? .caution : .reliable
  }
}

extension MagneticField {
  package var zone: MagneticZone { MagneticZone(horizontalNanoteslas: horizontalNanoteslas) }

  /// The model's standard errors (WMM2025's technical report; algorithms 4): crust and currents are not modelled.
  package enum StandardError {
    package static let northNanoteslas = 137.0
    package static let eastNanoteslas = 89.0
    package static let downNanoteslas = 141.0
    package static let horizontalNanoteslas = 133.0
    package static let totalNanoteslas = 138.0
    package static let inclinationDegrees = 0.20
  }

  /// The standard error of the declination: √(0.26² + (5417/H)²) degrees with H in nanotesla; never more than the 180
  /// that a direction can be off (algorithms 4).
  package var declinationErrorDegrees: Double {
    let part = 5_417 / horizontalNanoteslas
    return min(180, (0.26 * 0.26 + part * part).squareRoot())
  }
}
