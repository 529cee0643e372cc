extension NMEASentence {
  /// Error statistics of the position: standard deviations in metres. The ellipse's axes are passed over: receivers in
  /// the field write values there that do not fit their own deviations by a factor of 40.
  package struct GST {
    package var timeOfDayNanoseconds: Int64 = -1
    package var latitudeDeviationMeters: Double?
    package var longitudeDeviationMeters: Double?
    package var altitudeDeviationMeters: Double?

    /// Nil where the time cannot be read: the deviations would belong to no epoch.
    init?(_ fields: inout NMEAFields) {
      timeOfDayNanoseconds = fields.timeOfDay()
      guard fields.refusedCount == 0 else { return nil }
      fields.skip(4)
      latitudeDeviationMeters = fields.decimal(in: 0...1e7)
      longitudeDeviationMeters = fields.decimal(in: 0...1e7)
      altitudeDeviationMeters = fields.decimal(in: 0...1e7)
    }
  }
}
