import LocationModel

/// Reads track points of the plainest form straight from the bytes:
///
///     <trkpt lat="47.5" lon="19.25"> <ele>101.5</ele> <time>2026-06-01T08:00:03Z</time> </trkpt>
///
/// with `ele` and `time` in either order, each there or not. Most points of most files look so, and expat spends four
/// fifths of the time on them (Benchmarks/README.md). Such an element is well-formed and complete in itself, so that a
/// document is well-formed with it exactly when it is so without; expat never sees it. Whatever differs by one byte, be
/// it another attribute, a reference, a comment, a value out of range, is left to expat, and a test compares the two.
///
/// May be used only where plain element content begins, in an encoding whose ASCII characters are ASCII bytes.
struct GPXShortcut {
  enum Outcome {
    /// A whole point; `cursor` stands behind it.
    case point
    /// The bytes end before it is clear what comes; `cursor` stands where it stood.
    case incomplete
    /// Something else; `cursor` stands where it stood.
    case other
  }

  /// A longer point is left to expat, so that little is carried from piece to piece.
  static let pointBytesMax = 512

  var cursor: UnsafePointer<UInt8>
  /// Where a zero byte stands.
  let end: UnsafePointer<UInt8>
  /// Line feeds passed so far.
  private(set) var lines = 0

  init(_ start: UnsafePointer<UInt8>, end: UnsafePointer<UInt8>) {
    cursor = start
    self.end = end
  }

  /// Reads one point into `point`, whose `kind` and `segment` stay; its `line` becomes the count of line feeds before.
  mutating func next(_ point: inout TrackPoint) -> Outcome {
    var at = cursor
    var lineFeeds = lines
    guard Self.read(&at, &lineFeeds, &point) else {
      return at == end && end - cursor <= Self.pointBytesMax ? .incomplete : .other
    }
    cursor = at
    lines = lineFeeds
    return .point
  }

  /// False where the bytes are no such point; `at` then stands at the first byte that did not fit.
  @inline(__always)
  private static func read(
    _ at: inout UnsafePointer<UInt8>, _ lineFeeds: inout Int, _ point: inout TrackPoint
  ) -> Bool {
    skipSpace(&at, &lineFeeds)
    point.line = lineFeeds
    guard take("<trkpt", &at), let coordinate = takeCoordinate(&at, &lineFeeds) else { return false }
    point.coordinate = coordinate
    point.elevationMeters = nil
    point.time = nil
    if at[0] == UInt8(ascii: "/") { return take("/>", &at) }
    guard take(">", &at) else { return false }
    skipSpace(&at, &lineFeeds)
    while at[0] == UInt8(ascii: "<") {
      if at[1] == UInt8(ascii: "e"), point.elevationMeters == nil {
        guard take("<ele>", &at), let value = DecimalNumber.scan(&at), take("</ele>", &at),
          ValueLimits.heightMeters.contains(value)
        else { return false }
        point.elevationMeters = value
      } else if at[1] == UInt8(ascii: "t"), point.time == nil {
        guard take("<time>", &at), let time = InternetTime.scan(&at), take("</time>", &at) else { return false }
        point.time = time
      } else {
        break
      }
      skipSpace(&at, &lineFeeds)
    }
    return take("</trkpt>", &at)
  }

  /// Both attributes in either order, and the space around them.
  @inline(__always)
  private static func takeCoordinate(_ at: inout UnsafePointer<UInt8>, _ lineFeeds: inout Int) -> Coordinate? {
    guard isSpace(at[0]) else { return nil }
    skipSpace(&at, &lineFeeds)
    let latitudeIsFirst = at[0] == UInt8(ascii: "l") && at[1] == UInt8(ascii: "a")
    guard let first = takeAttribute(latitudeIsFirst ? "lat=" : "lon=", &at), isSpace(at[0]) else { return nil }
    skipSpace(&at, &lineFeeds)
    guard let second = takeAttribute(latitudeIsFirst ? "lon=" : "lat=", &at) else { return nil }
    skipSpace(&at, &lineFeeds)
    let coordinate = Coordinate(
      latitude: latitudeIsFirst ? first : second, longitude: latitudeIsFirst ? second : first)
    return coordinate.isValid ? coordinate : nil
  }

  @inline(__always)
  private static func takeAttribute(_ name: StaticString, _ at: inout UnsafePointer<UInt8>) -> Double? {
    guard take(name, &at) else { return nil }
    let quote = at[0]
    guard quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'") else { return nil }
    at += 1
    guard let value = DecimalNumber.scan(&at, acceptsComma: true), at[0] == quote else { return nil }
    at += 1
    return value
  }

  @inline(__always)
  private static func take(_ wanted: StaticString, _ at: inout UnsafePointer<UInt8>) -> Bool {
    let bytes = wanted.utf8Start
    for index in 0..<wanted.utf8CodeUnitCount {
      if at[0] != bytes[index] { return false }
      at += 1
    }
    return true
  }

  @inline(__always)
  private static func isSpace(_ byte: UInt8) -> Bool {
    byte == 0x20 || byte == 0x0A || byte == 0x09
  }

  /// A carriage return counts only before its line feed; a lone one is left to expat, which counts it as a line.
  @inline(__always)
  private static func skipSpace(_ at: inout UnsafePointer<UInt8>, _ lineFeeds: inout Int) {
    while isSpace(at[0]) || (at[0] == 0x0D && at[1] == 0x0A) {
      if at[0] == 0x0A { lineFeeds += 1 }
      at += 1
    }
  }
}
