import LocationFormats

/// Everything that the parser gave for some bytes.
struct ParsedGPX {
  var points: [TrackPoint] = []
  var complaints = GPXComplaints()
  var error: GPXError?

  init(_ text: String, pieceBytes: Int = GPXParser.pieceBytes) {
    self.init(Array(text.utf8), pieceBytes: pieceBytes)
  }

  init(_ bytes: [UInt8], pieceBytes: Int = GPXParser.pieceBytes, usesShortcut: Bool = true) {
    let parser = GPXParser(usesShortcut: usesShortcut)
    var found: [TrackPoint] = []
    var start = 0
    repeat {
      let end = min(start + pieceBytes, bytes.count)
      let piece = bytes[start..<end]
      error = piece.withUnsafeBytes { parser.error(parsing: $0, isLast: end == bytes.count) }
      parser.takePoints(into: &found)
      points += found
      start = end
    } while start < bytes.count && error == nil
    complaints = parser.complaints
  }

  /// A document around the inside of one segment.
  static func segment(_ inside: String) -> ParsedGPX {
    ParsedGPX("<gpx><trk><trkseg>\n\(inside)\n</trkseg></trk></gpx>")
  }
}

extension GPXParser {
  /// What reading `bytes` throws, if anything.
  func error(parsing bytes: UnsafeRawBufferPointer, isLast: Bool) -> GPXError? {
    do throws(GPXError) {
      try parse(bytes, isLast: isLast)
      return nil
    } catch {
      return error
    }
  }
}
