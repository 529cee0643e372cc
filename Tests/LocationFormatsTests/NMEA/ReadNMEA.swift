import LocationFormats
import LocationModel

/// What a text of NMEA gives, fed in pieces.
struct ReadNMEA {
  var epochs: [NMEAEpoch] = []
  var counts: NMEACounts
  var satellites: [SatelliteView]

  var fixes: [Fix] { epochs.compactMap(\.fix) }

  init(
    _ bytes: [UInt8], pieceBytes: Int = .max, dating: NMEADating = .recorded, clock: WallTime? = nil,
    finishes: Bool = true
  ) {
    let reader = NMEAReader(dating)
    var taken: [NMEAEpoch] = []
    var position = 0
    while position < bytes.count {
      let end = pieceBytes < bytes.count - position ? position + pieceBytes : bytes.count
      reader.feed(Array(bytes[position..<end]), clock: clock)
      reader.takeEpochs(into: &taken)
      epochs += taken
      position = end
    }
    if finishes {
      reader.finish(clock: clock)
      reader.takeEpochs(into: &taken)
      epochs += taken
    }
    counts = reader.counts
    satellites = reader.satellites
  }

  init(
    _ text: String, pieceBytes: Int = .max, dating: NMEADating = .recorded, clock: WallTime? = nil,
    finishes: Bool = true
  ) {
    self.init(Array(text.utf8), pieceBytes: pieceBytes, dating: dating, clock: clock, finishes: finishes)
  }
}

/// `$`, the text, its checksum and CRLF.
func sentence(_ text: String, start: String = "$", end: String = "\r\n") -> String {
  let sum = text.utf8.reduce(0, ^)
  return "\(start)\(text)*\(hexadecimal(sum))\(end)"
}

func hexadecimal(_ byte: UInt8) -> String {
  let digits = Array("0123456789ABCDEF")
  return String([digits[Int(byte >> 4)], digits[Int(byte & 15)]])
}

/// 2026-06-01T08:00:03Z and the like.
func moment(_ text: String) -> WallTime? {
  InternetTime.parse(text)
}
