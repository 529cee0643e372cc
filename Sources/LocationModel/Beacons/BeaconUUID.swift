/// The UUID of beacons as text: 32 hexadecimal digits in five groups.
package enum BeaconUUID {
  private static let groups = [8, 4, 4, 4, 12]

  /// In capitals, as Foundation writes it.
  package static func text(high: UInt64, low: UInt64) -> String {
    let digits = [high, low].map { half in
      let text = String(half, radix: 16, uppercase: true)
      return String(repeating: "0", count: 16 - text.count) + text
    }.joined()
    var rest = digits[...]
    return groups.map { count in
      defer { rest = rest.dropFirst(count) }
      return String(rest.prefix(count))
    }.joined(separator: "-")
  }

  /// Nil for what is none.
  package static func halves(_ text: String) -> (high: UInt64, low: UInt64)? {
    let parts = text.split(separator: "-", omittingEmptySubsequences: false)
    guard parts.map(\.utf8.count) == groups, parts.allSatisfy({ $0.allSatisfy { $0.isASCII && $0.isHexDigit } }) else {
      return nil
    }
    let digits = parts.joined()
    guard let high = UInt64(digits.prefix(16), radix: 16), let low = UInt64(digits.suffix(16), radix: 16) else {
      return nil
    }
    return (high, low)
  }
}

extension BeaconConstraint {
  package var uuidText: String { BeaconUUID.text(high: uuidHigh, low: uuidLow) }
}

extension Proximity {
  /// As Core Location names it.
  package var name: StaticString {
    switch self {
    case .unknown: "unknown"
    case .immediate: "immediate"
    case .near: "near"
    case .far: "far"
    }
  }
}
