extension NMEASentence {
  /// Up to four satellites in view; several sentences make the sky of one system and signal.
  package struct GSV {
    package struct Sighting {
      /// 0 for an empty place.
      package var number: UInt16 = 0
      /// -1 for none, as below.
      package var elevationDegrees: Int16 = -1
      package var azimuthDegrees: Int16 = -1
      package var signalDecibelHertz: Int16 = -1
    }

    package let talker: NMEATalker
    package var sentenceCount = -1
    package var sentenceNumber = -1
    package var sightings: InlineArray<4, Sighting> = .init(repeating: Sighting())
    /// The signal id of NMEA 4.10 as written (a hexadecimal digit); 0 where the sentence has none.
    package var signal: UInt8 = 0

    @inline(__always)
    init(_ fields: inout NMEAFields, talker: NMEATalker) {
      self.talker = talker
      sentenceCount = fields.smallNumber()
      sentenceNumber = fields.smallNumber()
      _ = fields.smallNumber()
      var index = 0
      while index < 4, let usual = fields.sightingOfUsualWidth() {
        sightings[index] = Self.sighting(usual.number, usual.elevation, usual.azimuth, fields.smallNumber())
        index += 1
      }
      if index < 4 { readRest(&fields, from: index) }
      signal = fields.hasOneLetterLeft ? fields.letter() : 0
    }

    /// Satellites from the first on that is written in other widths than the usual ones.
    @inline(never)
    private mutating func readRest(_ fields: inout NMEAFields, from start: Int) {
      for index in start..<4 {
        // What is left may be the signal id alone.
        if fields.isAtEnd || fields.hasOneLetterLeft { return }
        let number = fields.smallNumber()
        let elevation = fields.smallNumber()
        let azimuth = fields.smallNumber()
        let strength = fields.smallNumber()
        guard number > 0 && number < 1000 else { continue }
        sightings[index] = Self.sighting(number, elevation, azimuth, strength)
      }
    }

    /// Values out of range are none.
    @inline(__always)
    private static func sighting(_ number: Int, _ elevation: Int, _ azimuth: Int, _ strength: Int) -> Sighting {
      Sighting(
        number: UInt16(truncatingIfNeeded: number),
        elevationDegrees: elevation <= 90 ? Int16(truncatingIfNeeded: elevation) : -1,
        azimuthDegrees: azimuth <= 360 ? Int16(truncatingIfNeeded: azimuth) : -1,
        signalDecibelHertz: strength <= 99 ? Int16(truncatingIfNeeded: strength) : -1)
    }
  }
}
