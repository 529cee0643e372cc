extension NMEASentence {
  /// Time and date in UTC, with a four-digit year. The local zone is passed over.
  package struct ZDA {
    package var timeOfDayNanoseconds: Int64 = -1
    package var daysSince1970: Int64?

    /// Nil where the time cannot be read.
    init?(_ fields: inout NMEAFields) {
      timeOfDayNanoseconds = fields.timeOfDay()
      guard fields.refusedCount == 0 else { return nil }
      let day = fields.integer()
      let month = fields.integer()
      let year = fields.integer()
      daysSince1970 = NMEAFields.days(year: Int64(year), month: Int64(month), day: Int64(day))
      if daysSince1970 == nil && (day >= 0 || month >= 0 || year >= 0) { fields.refuse() }
    }
  }
}
