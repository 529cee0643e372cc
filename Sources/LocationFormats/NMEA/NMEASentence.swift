/// The sentences that say something about place, time, motion, direction or satellites, with their values. Every field
/// is optional: empty or missing is no value (case NM-04).
package enum NMEASentence {
  case rmc(RMC)
  case gga(GGA)
  case gns(GNS)
  case gll(GLL)
  case vtg(VTG)
  case gst(GST)
  case gsa(GSA)
  case gsv(GSV)
  case zda(ZDA)
  /// HDT, HDG or HDM.
  case heading(NMEAHeading)

  package enum Kind: UInt8, CaseIterable, Sendable {
    case rmc, gga, gns, gll, vtg, gst, gsa, gsv, zda, hdt, hdg, hdm
  }

  /// Where a sentence that is not used belongs.
  enum Unused {
    case proprietary
    case other
  }

  @inline(__always)
  static func kind(_ line: NMEALine) -> (kind: Kind, talker: NMEATalker)? {
    let start = line.start
    guard line.end - start >= 6, start[5] == UInt8(ascii: ","), !line.isEncapsulated else { return nil }
    let talker = NMEATalker(start[0], start[1])
    let letters = UInt32(start[2]) << 16 | UInt32(start[3]) << 8 | UInt32(start[4])
    guard let kind = Kind(letters: letters) else { return nil }
    // "P" and three letters name a manufacturer, except that Quectel's modules write BeiDou's satellites as "PQ".
    if start[0] == UInt8(ascii: "P") && talker != NMEATalker.quectelBeiDou { return nil }
    return (kind, talker)
  }

  /// Reads a framed sentence; `refusedFields` counts those that could not be read in one that is used.
  package static func decode(_ line: NMEALine) -> (sentence: NMEASentence, refusedFields: Int)? {
    guard let (kind, talker) = kind(line) else { return nil }
    var fields = NMEAFields(line.start + 6, end: line.end)
    guard let sentence = decode(kind, talker, &fields) else { return nil }
    return (sentence, fields.refusedCount)
  }

  @inline(__always)
  static func decode(_ kind: Kind, _ talker: NMEATalker, _ fields: inout NMEAFields) -> NMEASentence? {
    switch kind {
    case .gsv: return .gsv(GSV(&fields, talker: talker))
    case .gsa: return .gsa(GSA(&fields, talker: talker))
    case .rmc: return RMC(&fields).map { .rmc($0) }
    case .gga: return GGA(&fields).map { .gga($0) }
    case .gns: return GNS(&fields).map { .gns($0) }
    case .gll: return GLL(&fields).map { .gll($0) }
    case .vtg: return .vtg(VTG(&fields))
    case .gst: return GST(&fields).map { .gst($0) }
    case .zda: return ZDA(&fields).map { .zda($0) }
    case .hdt: return .heading(NMEAHeading(trueDegrees: heading(&fields, reference: UInt8(ascii: "T"))))
    case .hdm: return .heading(NMEAHeading(magneticDegrees: heading(&fields, reference: UInt8(ascii: "M"))))
    case .hdg: return .heading(sensorHeading(&fields))
    }
  }

  /// Of a line that `kind(_:)` does not know.
  static func unused(_ line: NMEALine) -> Unused {
    !line.isEncapsulated && line.end > line.start && line.start[0] == UInt8(ascii: "P") ? .proprietary : .other
  }
}

extension NMEASentence.Kind {
  @inline(__always)
  init?(letters: UInt32) {
    switch letters {
    case 0x475356: self = .gsv
    case 0x475341: self = .gsa
    case 0x474741: self = .gga
    case 0x565447: self = .vtg
    case 0x524D43: self = .rmc
    case 0x474C4C: self = .gll
    case 0x474E53: self = .gns
    case 0x475354: self = .gst
    case 0x5A4441: self = .zda
    case 0x484454: self = .hdt
    case 0x484447: self = .hdg
    case 0x48444D: self = .hdm
    default: return nil
    }
  }

  /// Can hold a position, so that an epoch with it gives a fix or says that there is none.
  @inline(__always)
  var isPositional: Bool { rawValue <= NMEASentence.Kind.gll.rawValue }

  /// Adds to the fix itself, so that the epoch's end has to wait for it. Date, sky and heading do not.
  @inline(__always)
  var isPartOfFix: Bool { rawValue <= NMEASentence.Kind.gsa.rawValue }
}
