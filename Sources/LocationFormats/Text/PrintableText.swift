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
}
