/// Text of apps before people's eyes.
package enum PlainText {
  /// Without control characters, which could rewrite a terminal, and 500 characters at most.
  package static func printable(_ text: String) -> String {
    let safe = text.unicodeScalars.filter { scalar in
      switch scalar.properties.generalCategory {
      case .control, .format, .lineSeparator, .paragraphSeparator, .surrogate, .privateUse, .unassigned: false
      default: true
      }
    }
    return String(String.UnicodeScalarView(safe.prefix(500)))
  }
}
