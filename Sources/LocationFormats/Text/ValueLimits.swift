/// What a measurement can be, in a file, a sentence or a report. What lies beyond is a fault of whoever wrote it, and
/// is treated like a value that cannot be read: absent, while the rest of its point counts. An error estimate beyond is
/// none, so that the error is unknown.
package enum ValueLimits {
  /// Metres: from a kilometre below the deepest sea floor (10,935 m, Challenger Deep) to 100,000 km, well beyond the
  /// highest orbit in which receivers of satellite navigation have worked for long (geostationary, 35,786 km).
  package static let heightMeters = -12_000.0...100_000_000.0
  /// Metres a second, up to the speed of light: a rocket's is a speed, and nothing is faster.
  package static let speedMetersPerSecond = 0.0...299_792_458.0
  /// Metres a second, of a receiver that tells it now: up to the speed at which a body leaves Earth for good (escape
  /// velocity at the equator's surface, 11,186 m/s, rounded up).
  package static let receiverSpeedMetersPerSecond = 0.0...11_200.0
  /// Metres, up to half the equator (pi times 6,378,137 m, rounded up): no place is farther from another.
  package static let horizontalAccuracyMeters = 0.0...20_037_509.0
  /// Metres: a height cannot err by more than heights can be.
  package static let verticalAccuracyMeters = 0.0...100_000_000.0
  /// Metres: mean sea level lies within about 110 m of the ellipsoid (EGM2008), and no other geoid is 10 times that.
  package static let geoidHeightMeters = -1_000.0...1_000.0
  package static let courseDegrees = 0.0...360.0
  package static let courseAccuracyDegrees = 0.0...360.0
}
