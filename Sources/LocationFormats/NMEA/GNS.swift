import LocationModel

extension NMEASentence {
  /// Fix data of several satellite systems together: GGA with a mode letter for each system.
  package struct GNS {
    package var timeOfDayNanoseconds: Int64 = -1
    package var position: NMEAPosition?
    /// The best mode of any system; nil where no known letter stands.
    package var quality: FixQuality?
    package var satellitesUsedCount: Int?
    package var horizontalDilution: Double?
    package var altitudeMeters: Double?
    package var geoidSeparationMeters: Double?

    /// Nil where time or position cannot be read.
    init?(_ fields: inout NMEAFields) {
      timeOfDayNanoseconds = fields.timeOfDay()
      guard fields.refusedCount == 0, NMEAPosition.read(&fields, into: &position) else { return nil }
      quality = fields.bestMode()
      let count = fields.integer()
      satellitesUsedCount = count < 0 ? nil : count
      horizontalDilution = fields.decimal()
      altitudeMeters = fields.decimal(in: ValueLimits.heightMeters)
      geoidSeparationMeters = fields.decimal(in: ValueLimits.geoidHeightMeters)
    }
  }
}

extension NMEAFields {
  /// Letters for GPS, GLONASS and further systems in one field. Best is fixed, float, precise, differential,
  /// autonomous; then what is not measured; then none.
  mutating func bestMode() -> FixQuality? {
    let order: [FixQuality] = [
      .none, .simulated, .manual, .estimated, .autonomous, .differential, .precise, .realTimeKinematicFloat,
      .realTimeKinematicFixed,
    ]
    var best = -1
    while let byte = nextByte() {
      guard let mode = FixQuality(modeLetter: byte), let rank = order.firstIndex(of: mode) else { continue }
      best = max(best, rank)
    }
    return best < 0 ? nil : order[best]
  }
}
