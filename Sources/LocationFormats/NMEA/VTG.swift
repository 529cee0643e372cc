extension NMEASentence {
  /// Course and speed over ground.
  package struct VTG {
    package var courseDegrees: Double?
    package var speedMetersPerSecond: Double?
    package var quality: FixQuality?

    /// `T`, `M`, `N` and `K` behind the values. NMEA before 2.0 had no letters and four fields: then the speeds are the
    /// third and fourth.
    init(_ fields: inout NMEAFields) {
      courseDegrees = fields.bearing()
      let reference = fields.peekLetter
      if reference == 0 || reference == UInt8(ascii: "T") || fields.remainingCount > 3 {
        fields.skip(3)
        speedMetersPerSecond = fields.knots()
        fields.skip()
        let fromKilometers = fields.kilometersPerHour()
        speedMetersPerSecond = speedMetersPerSecond ?? fromKilometers
        fields.skip()
        quality = FixQuality(modeLetter: fields.letter())
      } else {
        fields.skip()
        speedMetersPerSecond = fields.knots()
      }
    }
  }
}
