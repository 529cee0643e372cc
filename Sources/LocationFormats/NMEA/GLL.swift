import LocationModel

extension NMEASentence {
  /// Position and time; the oldest receivers write neither time nor status.
  package struct GLL {
    package var timeOfDayNanoseconds: Int64 = -1
    package var position: NMEAPosition?
    package var isVoid = false
    package var quality: FixQuality?

    /// Nil where time or position cannot be read.
    init?(_ fields: inout NMEAFields) {
      guard NMEAPosition.read(&fields, into: &position) else { return nil }
      timeOfDayNanoseconds = fields.timeOfDay()
      guard fields.refusedCount == 0 else { return nil }
      let status = fields.letter()
      quality = FixQuality(modeLetter: fields.letter())
      isVoid = status == UInt8(ascii: "V") || quality == FixQuality.none
    }
  }
}
