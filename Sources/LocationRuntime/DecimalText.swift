/// Numbers for people, with a dot whatever the machine's locale is.
package enum DecimalText {
  /// Rounded to so many digits after the dot, 9 at most, halves away from zero.
  package static func fixed(_ value: Double, digits: Int) -> String {
    let scale = powers[digits]
    let scaled = (value.magnitude * scale).rounded()
    // Beyond 2^53 every double is whole and its own text the best there is.
    guard scaled < 9e15 else { return "\(value)" }
    let (whole, fraction) = Int64(scaled).quotientAndRemainder(dividingBy: Int64(scale))
    let sign = value < 0 && scaled > 0 ? "-" : ""
    guard digits > 0 else { return "\(sign)\(whole)" }
    let fractionText = String(fraction)
    return "\(sign)\(whole)." + String(repeating: "0", count: digits - fractionText.utf8.count) + fractionText
  }

  private static let powers: [Double] = [1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9]
}
