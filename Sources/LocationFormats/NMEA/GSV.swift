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
      sentenceCount = fields.integer()
      sentenceNumber = fields.integer()
      fields.skip()
      for index in 0..<4 {
        if fields.isAtEnd { return }
        // What is left may be the signal id alone: one character that ends the sentence.
        if let last = fields.lastLetter() {
          signal = last
          return
        }
        if let usual = fields.sightingOfUsualWidth() {
          let strength = fields.integer()
          guard usual.number > 0 else { continue }
          sightings[index] = Self.sighting(usual.number, usual.elevation, usual.azimuth, strength)
          continue
        }
        let number = fields.integer()
        let elevation = fields.integer()
        let azimuth = fields.integer()
        let strength = fields.integer()
        guard number > 0 && number < 1000 else { continue }
        sightings[index] = Self.sighting(number, elevation, azimuth, strength)
      }
      signal = fields.lastLetter() ?? 0
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
