import LocationFormats
import LocationModel
import LocationRuntime

/// Pieces of a page that is well-formed as HTML and as XML. Whatever comes from outside goes through `text`.
enum HTML {
  private static let wordsMax = 500

  /// Words between tags, no more of them than anybody reads.
  static func text(_ words: String) -> String { escaped(PrintableText.of(words, scalarsMax: wordsMax)) }

  /// Without what could end an element or an attribute, or turn the line around.
  private static func escaped(_ words: String) -> String {
    var result = ""
    for scalar in PrintableText.of(words, scalarsMax: .max).unicodeScalars {
      switch scalar {
      case "&": result += "&amp;"
      case "<": result += "&lt;"
      case ">": result += "&gt;"
      case "\"": result += "&quot;"
      case "'": result += "&#39;"
      case "\u{FFFE}", "\u{FFFF}": break
      default: result.unicodeScalars.append(scalar)
      }
    }
    return result
  }

  /// `content` is markup; nil makes an element that is closed at once. Values of attributes are escaped here.
  static func element(
    _ name: String, _ attributes: KeyValuePairs<String, String> = [:], _ content: String? = nil
  ) -> String {
    let opening = name + attributes.map { " \($0.key)=\"\(escaped($0.value))\"" }.joined()
    return content.map { "<\(opening)>\($0)</\(name)>" } ?? "<\(opening)/>"
  }

  /// A table whose first column names the rows; all cells are plain words.
  static func table(head: [String], rows: [[String]], kind: String = "numbers") -> String {
    let headRow = element("tr", [:], head.map { element("th", ["scope": "col"], text($0)) }.joined())
    let body = rows.map { cells in
      let line = cells.enumerated().map { column, cell in
        column == 0 ? element("th", ["scope": "row"], text(cell)) : element("td", [:], text(cell))
      }.joined()
      return element("tr", [:], line)
    }.joined(separator: "\n")
    let table = element("table", ["class": kind], element("thead", [:], headRow) + "\n" + element("tbody", [:], body))
    return element("div", ["class": "wide", "tabindex": "0"], table)
  }
}

/// Numbers in drawings and the words beside them.
enum ReportNumber {
  static func percent(_ share: Double) -> String { DecimalText.fixed(share * 100, digits: 3) + "%" }

  static func length(_ meters: Double) -> String {
    if meters < 1_000 { return DecimalText.fixed(meters, digits: 0) + " m" }
    let isRound = (meters / 1_000).rounded() * 1_000 == meters
    return DecimalText.fixed(meters / 1_000, digits: meters < 10_000 && !isRound ? 1 : 0) + " km"
  }

  static func duration(_ seconds: Double) -> String {
    let whole = Int64(min(max(0, seconds), 1e12).rounded())
    if whole >= 172_800 {
      let (days, rest) = ((whole + 1_800) / 3_600).quotientAndRemainder(dividingBy: 24)
      return "\(days) days" + (rest > 0 ? " \(rest) h" : "")
    }
    let (hours, rest) = whole.quotientAndRemainder(dividingBy: 3_600)
    let (minutes, secondsLeft) = rest.quotientAndRemainder(dividingBy: 60)
    let parts = hours > 0 ? [(hours, "h"), (minutes, "min")] : [(minutes, "min"), (secondsLeft, "s")]
    let words = parts.filter { $0.0 > 0 }.map { "\($0.0) \($0.1)" }
    return words.isEmpty ? "0 s" : words.joined(separator: " ")
  }

  static func time(_ time: WallTime) -> String {
    let text = InternetTime.text(time)
    let parts = text.split(separator: "T", maxSplits: 1)
    guard parts.count == 2, text.hasSuffix("Z") else { return text }
    return "\(parts[0]) \(parts[1].dropLast()) UTC"
  }
}
