/// Words of others, such as the names of devices, programs and services, as they may stand in a sentence for a person:
/// without what could rewrite a terminal, and no longer than anybody reads.
package enum PrintableText {
  package static let scalarsMax = 200

  package static func of(_ text: String) -> String {
    of(text, scalarsMax: scalarsMax)
  }

  package static func of(_ text: String, scalarsMax: Int) -> String {
    let safe = text.unicodeScalars.lazy.filter {
      $0.properties.generalCategory != .control && $0.properties.generalCategory != .format
    }
    return String(String.UnicodeScalarView(safe.prefix(scalarsMax)))
  }

  /// Names and paths as they are, with what could rewrite a terminal or pass for another line written out: a newline as
  /// `\n`, the letter that turns writing as `\u{202E}`.
  package static func escaped(_ text: String, scalarsMax: Int = scalarsMax) -> String {
    var safe = ""
    for scalar in text.unicodeScalars.prefix(scalarsMax) {
      switch scalar.properties.generalCategory {
      case .control, .format, .lineSeparator, .paragraphSeparator, .surrogate: safe += scalar.escapedForPeople
      default: safe.unicodeScalars.append(scalar)
      }
    }
    return safe
  }
}

extension Unicode.Scalar {
  fileprivate var escapedForPeople: String {
    switch self {
    case "\n": "\\n"
    case "\r": "\\r"
    case "\t": "\\t"
    default: "\\u{\(String(value, radix: 16, uppercase: true))}"
    }
  }
}
