import LocationModel

/// gpsd's bytes to reports. Pieces of any size; lines end with LF or CRLF. A line of an unknown class is passed over, a
/// malformed one is counted and gives nothing, not even its readable half (case NM-08).
package struct GPSDDecoder: Sendable {
  /// gpsd 3.22's longest line has 10,240 bytes; a longer one than this is no line of gpsd's.
  package static let lineBytesMax = 65_536

  /// Lines that could not be read, over-long ones among them.
  package private(set) var malformedCount = 0
  /// Lines that were read, those of unknown classes among them.
  package private(set) var understoodCount = 0
  /// Lines about other ships (class AIS), which are understood and passed over.
  package private(set) var shipCount = 0
  private var line: [UInt8] = []
  private var isOverlong = false

  package init() {}

  /// Forgets the begun line: the connection is another one.
  package mutating func reset() {
    line.removeAll(keepingCapacity: true)
    isOverlong = false
  }

  package mutating func decode(_ bytes: UnsafeRawBufferPointer, _ report: (GPSDReport) -> Void) {
    var rest = bytes[...]
    while let end = rest.firstIndex(of: 0x0A) {
      append(rest[rest.startIndex..<end])
      finishLine(report)
      rest = rest[(end + 1)...]
    }
    append(rest)
  }

  private mutating func append(_ piece: Slice<UnsafeRawBufferPointer>) {
    guard !isOverlong else { return }
    if line.count + piece.count > Self.lineBytesMax {
      isOverlong = true
      line.removeAll(keepingCapacity: true)
    } else {
      line.append(contentsOf: piece)
    }
  }

  private mutating func finishLine(_ report: (GPSDReport) -> Void) {
    defer { reset() }
    if isOverlong {
      malformedCount += 1
      return
    }
    guard line.contains(where: { !DecimalNumber.isSpace($0) }) else { return }
    // A zero byte inside would end the text early, so that the rest of the line would go unseen.
    guard !line.contains(0) else {
      malformedCount += 1
      return
    }
    line.append(0)
    switch line.withUnsafeBufferPointer({ $0.baseAddress.map(Self.read) ?? .malformed }) {
    case .report(let value):
      understoodCount += 1
      report(value)
    case .ship:
      understoodCount += 1
      shipCount += 1
    case .unknown: understoodCount += 1
    case .malformed: malformedCount += 1
    }
  }

  private enum Outcome {
    case report(GPSDReport)
    case ship
    case unknown
    case malformed
  }

  private static func read(_ text: UnsafePointer<UInt8>) -> Outcome {
    guard let name = className(text) else { return .malformed }
    var reader = JSONReader(terminated: text)
    guard reader.beginObject() else { return .malformed }
    let report: GPSDReport?
    switch name {
    case "VERSION": report = .version(reader.version())
    case "DEVICES": report = .devices(reader.devices())
    case "DEVICE": report = .device(reader.device())
    case "TPV": report = .position(reader.position())
    case "SKY": report = .sky(reader.sky())
    case "GST": report = .errors(reader.errorStatistics())
    case "ATT": report = .attitude(reader.attitude())
    case "ERROR": report = .failure(reader.failure())
    default:
      while reader.nextKey() != nil { reader.skip() }
      report = nil
    }
    guard reader.isAtEnd() else { return .malformed }
    if name == "AIS" { return .ship }
    return report.map(Outcome.report) ?? .unknown
  }

  /// gpsd writes the class first; others' gpsd need not.
  private static func className(_ text: UnsafePointer<UInt8>) -> String? {
    var reader = JSONReader(terminated: text)
    guard reader.beginObject() else { return nil }
    while let key = reader.nextKey() {
      if key == "class" { return reader.string() }
      reader.skip()
    }
    return nil
  }
}
