extension NMEASentence {
  /// Dilution of precision and the satellites in use.
  package struct GSA {
    package let talker: NMEATalker
    /// 1 no fix, 2 two-dimensional, 3 three-dimensional; -1 for none.
    package var dimension = -1
    /// Numbers of the satellites in use; 0 for an empty place.
    package var satellites: InlineArray<12, UInt16> = .init(repeating: 0)
    package var positionDilution: Double?
    package var horizontalDilution: Double?
    package var verticalDilution: Double?
    /// The system id of NMEA 4.10; nil where the sentence has none.
    package var system: SatelliteSystem?

    @inline(__always)
    init(_ fields: inout NMEAFields, talker: NMEATalker) {
      self.talker = talker
      fields.skip()
      dimension = fields.integer()
      for index in satellites.indices {
        let number = fields.smallNumber()
        satellites[index] = number > 0 && number < 1000 ? UInt16(truncatingIfNeeded: number) : 0
      }
      positionDilution = fields.decimal()
      horizontalDilution = fields.decimal()
      verticalDilution = fields.decimal()
      system = SatelliteSystem(systemIdentifier: fields.letter())
    }
  }
}
