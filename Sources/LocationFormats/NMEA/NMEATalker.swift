/// The systems of navigation satellites that a sentence can name.
package enum SatelliteSystem: UInt8, CaseIterable, Sendable {
  case gps = 0
  case glonass = 1
  case galileo = 2
  case beiDou = 3
  case quasiZenith = 4
  case navIC = 5
  /// Satellites of WAAS, EGNOS and their like, numbered among those of GPS.
  case augmentation = 6
  case unknown = 7
}

/// The two letters that say what kind of equipment talks.
package struct NMEATalker: Hashable, Sendable {
  package let code: UInt16

  @inline(__always)
  init(_ first: UInt8, _ second: UInt8) {
    code = UInt16(first) << 8 | UInt16(second)
  }

  package var text: String {
    String(decoding: [UInt8(code >> 8), UInt8(truncatingIfNeeded: code)], as: UTF8.self)
  }

  /// The satellites of a GSV or GSA by this talker; nil for `GN` and others, where the number or the system id tells.
  @inline(__always)
  var system: SatelliteSystem? {
    switch code {
    case 0x4750: .gps  // GP
    case 0x474C: .glonass  // GL
    case 0x4741: .galileo  // GA
    case 0x4742, 0x4244, 0x5051: .beiDou  // GB, BD, and PQ as Quectel's modules write it
    case 0x4751, 0x515A: .quasiZenith  // GQ, QZ
    case 0x4749: .navIC  // GI
    default: nil
    }
  }

  static let quectelBeiDou = NMEATalker(UInt8(ascii: "P"), UInt8(ascii: "Q"))
}

extension SatelliteSystem {
  /// The system id of NMEA 4.10, the last field of GSA.
  @inline(__always)
  init?(systemIdentifier: UInt8) {
    switch systemIdentifier {
    case UInt8(ascii: "1"): self = .gps
    case UInt8(ascii: "2"): self = .glonass
    case UInt8(ascii: "3"): self = .galileo
    case UInt8(ascii: "4"): self = .beiDou
    case UInt8(ascii: "5"): self = .quasiZenith
    case UInt8(ascii: "6"): self = .navIC
    default: return nil
    }
  }

  /// By the ranges that NMEA shares out where one talker speaks for several systems.
  @inline(__always)
  init(number: Int) {
    switch number {
    case 1...32: self = .gps
    case 33...64: self = .augmentation
    case 65...99: self = .glonass
    case 193...202: self = .quasiZenith
    case 201...263, 401...437: self = .beiDou
    case 301...336: self = .galileo
    default: self = .unknown
    }
  }
}
