/// How a receiver says that it came to its position: GGA's quality 0 to 8, and the mode letters of the other sentences.
package enum FixQuality: UInt8, Sendable {
  case none = 0
  case autonomous = 1
  case differential = 2
  case precise = 3
  case realTimeKinematicFixed = 4
  case realTimeKinematicFloat = 5
  /// Dead reckoning.
  case estimated = 6
  /// Typed in by a person.
  case manual = 7
  case simulated = 8

  /// From the mode letter of RMC, GLL, VTG and GNS; nil for a letter that is none.
  init?(modeLetter: UInt8) {
    switch modeLetter {
    case UInt8(ascii: "N"): self = .none
    case UInt8(ascii: "A"): self = .autonomous
    case UInt8(ascii: "D"): self = .differential
    case UInt8(ascii: "P"): self = .precise
    case UInt8(ascii: "R"): self = .realTimeKinematicFixed
    case UInt8(ascii: "F"): self = .realTimeKinematicFloat
    case UInt8(ascii: "E"): self = .estimated
    case UInt8(ascii: "M"): self = .manual
    case UInt8(ascii: "S"): self = .simulated
    default: return nil
    }
  }

  /// The position was not measured: it comes from a simulator or a person.
  package var isSimulated: Bool { self == .manual || self == .simulated }
}
