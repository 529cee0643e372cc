import LocationModel

extension NMEASentence {
  /// Fix data: position, quality, satellites in use, HDOP, altitude and the geoid's height.
  package struct GGA {
    package var timeOfDayNanoseconds: Int64 = -1
    package var position: NMEAPosition?
    /// Nil where the field is empty or no digit from 0 to 8.
    package var quality: FixQuality?
    package var satellitesUsedCount: Int?
    package var horizontalDilution: Double?
    /// Above mean sea level.
    package var altitudeMeters: Double?
    /// Height of mean sea level above the WGS84 ellipsoid.
    package var geoidSeparationMeters: Double?

    /// Nil where time or position cannot be read.
    init?(_ fields: inout NMEAFields) {
      timeOfDayNanoseconds = fields.timeOfDay()
      guard fields.refusedCount == 0, NMEAPosition.read(&fields, into: &position) else { return nil }
      let digit = fields.letter()
      quality = digit == 0 ? nil : FixQuality(rawValue: digit &- 0x30)
      let count = fields.integer()
      satellitesUsedCount = count < 0 ? nil : count
      horizontalDilution = fields.decimal()
      altitudeMeters = fields.metersWithUnit(in: ValueLimits.heightMeters)
      geoidSeparationMeters = fields.metersWithUnit(in: ValueLimits.geoidHeightMeters)
    }
  }
}
