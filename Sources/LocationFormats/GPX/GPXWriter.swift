import LocationModel

/// Writes GPX 1.1: values to bytes, with a dot in every number whatever the locale is (case GX-05).
///
/// Coordinates and heights keep every digit: what is read back is the same double. Speed, course and accuracies go
/// into `extensions` under the names that Apple's Health app uses, and `speedAcc` and `courseAcc`.
///
///     var bytes = GPXWriter.header(creator: "corelocation")
///     bytes += GPXWriter.trackPoint(point)
///     bytes += GPXWriter.footer
package enum GPXWriter {
  /// Opens the document, one track and one segment.
  package static func header(creator: String) -> [UInt8] {
    Array(
      """
      <?xml version="1.0" encoding="UTF-8"?>
      <gpx version="1.1" creator="\(escaped(creator))" xmlns="http://www.topografix.com/GPX/1/1">
      <trk>
      <trkseg>

      """.utf8)
  }

  /// Ends one segment and begins the next.
  package static let segmentBreak = Array("</trkseg>\n<trkseg>\n".utf8)
  package static let footer = Array("</trkseg>\n</trk>\n</gpx>\n".utf8)

  /// One point, one line. A point whose place is not valid writes nothing.
  package static func trackPoint(_ point: TrackPoint) -> [UInt8] {
    guard point.coordinate.isValid else { return [] }
    var text = "<trkpt lat=\"\(number(point.coordinate.latitude))\" lon=\"\(number(point.coordinate.longitude))\">"
    append("ele", point.elevationMeters, to: &text)
    if let time = point.time { text += "<time>\(InternetTime.text(time))</time>" }
    append("geoidheight", point.geoidHeightMeters, to: &text)
    var extensions = ""
    append("speed", point.speedMetersPerSecond, to: &extensions)
    append("course", point.courseDegrees, to: &extensions)
    append("hAcc", point.horizontalAccuracyMeters, to: &extensions)
    append("vAcc", point.verticalAccuracyMeters, to: &extensions)
    append("speedAcc", point.speedAccuracyMetersPerSecond, to: &extensions)
    append("courseAcc", point.courseAccuracyDegrees, to: &extensions)
    if !extensions.isEmpty { text += "<extensions>\(extensions)</extensions>" }
    return Array((text + "</trkpt>\n").utf8)
  }

  private static func append(_ name: String, _ value: Double?, to text: inout String) {
    guard let value, value.isFinite else { return }
    text += "<\(name)>\(number(value))</\(name)>"
  }

  /// The shortest digits that read back as the same double, without an exponent, which XML's decimal does not have.
  static func number(_ value: Double) -> String {
    let shortest = value.description
    guard let mark = shortest.firstIndex(of: "e"),
      let exponent = Int(shortest[shortest.index(after: mark)...])
    else { return shortest.hasSuffix(".0") ? String(shortest.dropLast(2)) : shortest }
    let sign = value < 0 ? "-" : ""
    let mantissa = shortest[..<mark].drop { $0 == "-" }
    let parts = mantissa.split(separator: ".")
    let whole = parts.first ?? "0"
    let fraction = parts.count > 1 && parts[1] != "0" ? parts[1] : ""
    let digits = whole + fraction
    let pointPosition = whole.count + exponent
    if pointPosition <= 0 {
      return sign + "0." + String(repeating: "0", count: -pointPosition) + digits
    }
    let zeros = String(repeating: "0", count: max(0, pointPosition - digits.count))
    let padded = digits + zeros
    let tail = padded.dropFirst(pointPosition)
    return sign + padded.prefix(pointPosition) + (tail.isEmpty ? "" : "." + tail)
  }

  /// Text inside an attribute; characters that XML does not have are left out.
  static func escaped(_ text: String) -> String {
    var result = ""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "&": result += "&amp;"
      case "<": result += "&lt;"
      case ">": result += "&gt;"
      case "\"": result += "&quot;"
      case "\t", "\n", "\r": result += " "
      default:
        let isText = scalar.value >= 0x20 && scalar.value != 0xFFFE && scalar.value != 0xFFFF
        if isText { result.unicodeScalars.append(scalar) }
      }
    }
    return result
  }
}
