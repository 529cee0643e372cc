import CExpat
import LocationModel

/// Where the parser stands in the document, and the point that it is filling.
///
/// States: outside a point; inside one (`pointDepth` > 0); inside one of its values (`field` is set, and only then
/// does expat hand over character data). expat calls in through a raw pointer to this struct, so that the hot path
/// has neither reference counting nor exclusivity checks.
struct GPXState {
  /// The value being read: its element is `fieldDepth` deep.
  enum Field: UInt8 {
    case none, elevation, time, speed, speedAccuracy, course, courseAccuracy, geoidHeight
    case horizontalAccuracy, verticalAccuracy
  }

  /// The most bytes that one value may have; a longer one is malformed.
  static let textLengthMax = DecimalNumber.lengthMax
  /// GPX needs about 8 levels; what nests deeper is made to fill memory.
  static let depthMax = 256

  let parser: XML_Parser
  let text: UnsafeMutablePointer<UInt8>
  var textCount = 0
  var points: [TrackPoint] = []
  var complaints = GPXComplaints()
  var failure: GPXError?

  var depth = 0
  var pointDepth = 0
  var extensionsDepth = 0
  var trackPointExtensionDepth = 0
  var fieldDepth = 0
  var field = Field.none
  var segmentCount = 0
  var point = TrackPoint(coordinate: Coordinate(latitude: 0, longitude: 0))
  /// Why the point being read is to be left out.
  var pointFault: String?

  init(parser: XML_Parser) {
    self.parser = parser
    text = .allocate(capacity: Self.textLengthMax + 1)
    points.reserveCapacity(1024)
  }

  func free() {
    text.deallocate()
  }

  /// Where expat stood after the last start of a `trkseg` or end of a track point: its byte, and the depth outside.
  /// Right behind it there is plain element content, where `GPXShortcut` may read.
  var contentStart = 0
  var contentDepth = 0
  /// The line of that byte as expat counts.
  var contentLine = 0
  /// A document type can give attributes to every element.
  var hasDoctype = false
  /// Lines that expat has not seen.
  var skippedLines = 0

  var line: Int { Int(XML_GetCurrentLineNumber(parser)) + skippedLines }

  /// For tags written as `<trkseg>` and `</trkpt>`, 8 bytes and thus no line feed inside, and `<trkpt .../>`, whose end
  /// has none of its own.
  private mutating func noteContentStart(depth: Int) {
    guard XML_GetCurrentByteCount(parser) <= 8 else { return }
    contentStart = Int(XML_GetCurrentByteIndex(parser)) + Int(XML_GetCurrentByteCount(parser))
    contentDepth = depth
    contentLine = Int(XML_GetCurrentLineNumber(parser))
  }

  // MARK: What expat calls

  @inline(__always)
  mutating func elementStarted(_ name: UnsafePointer<UInt8>, _ attributes: GPXAttributes) {
    depth += 1
    if pointDepth > 0 {
      startedInsidePoint(GPXName.local(name))
    } else {
      startedOutsidePoint(GPXName.local(name), attributes)
    }
  }

  @inline(__always)
  mutating func elementEnded() {
    if pointDepth > 0 {
      if field != .none && depth == fieldDepth {
        endField()
      } else if depth == pointDepth {
        endPoint()
      } else if depth == extensionsDepth {
        extensionsDepth = 0
      } else if depth == trackPointExtensionDepth {
        trackPointExtensionDepth = 0
      }
    }
    depth -= 1
  }

  @inline(__always)
  mutating func textFound(_ bytes: UnsafePointer<UInt8>, _ count: Int) {
    let room = Self.textLengthMax + 1 - textCount
    // One byte beyond the most is kept, as the mark of a value that is too long.
    let taken = min(count, room)
    (text + textCount).update(from: bytes, count: taken)
    textCount += taken
  }

  // MARK: Elements

  private mutating func startedOutsidePoint(
    _ name: UnsafePointer<UInt8>, _ attributes: GPXAttributes
  ) {
    switch name[0] {
    case UInt8(ascii: "t") where GPXName.equals(name, "trkpt"):
      beginPoint(.track, attributes)
    case UInt8(ascii: "r") where GPXName.equals(name, "rtept"):
      beginPoint(.route, attributes)
    case UInt8(ascii: "w") where GPXName.equals(name, "wpt"):
      beginPoint(.waypoint, attributes)
    case UInt8(ascii: "t") where GPXName.equals(name, "trkseg"):
      segmentCount += 1
      noteContentStart(depth: depth)
    case UInt8(ascii: "r") where GPXName.equals(name, "rte"):
      segmentCount += 1
    default:
      checkUnknown(name)
    }
  }

  /// The outermost element must be `gpx`, and no element may be deeper than `depthMax`.
  private mutating func checkUnknown(_ name: UnsafePointer<UInt8>) {
    if depth == 1 && !GPXName.equals(name, "gpx") {
      stop(.notGPX, expected: "a GPX file, whose outermost element is <gpx>", found: "<\(GPXName.excerpt(name))>")
    } else if depth > Self.depthMax {
      stop(.beyondLimits, expected: "at most \(Self.depthMax) elements inside each other", found: "more")
    }
  }

  @inline(__always)
  private mutating func beginPoint(_ kind: TrackPoint.Kind, _ attributes: GPXAttributes) {
    guard depth > 1 else { return checkUnknown(attributes.elementName) }
    pointDepth = depth
    point = TrackPoint(
      coordinate: Coordinate(latitude: 0, longitude: 0), kind: kind,
      segment: kind == .waypoint ? 0 : max(segmentCount - 1, 0), line: line)
    let latitude = attributes.coordinate(UInt8(ascii: "a"), UInt8(ascii: "t"), limit: 90)
    let longitude = attributes.coordinate(UInt8(ascii: "o"), UInt8(ascii: "n"), limit: 180)
    if let latitude, let longitude {
      point.coordinate = Coordinate(latitude: latitude, longitude: longitude)
    } else {
      pointFault = latitude == nil ? attributes.fault("lat") : attributes.fault("lon")
    }
  }

  private mutating func startedInsidePoint(_ name: UnsafePointer<UInt8>) {
    if depth > Self.depthMax { checkUnknown(name) }
    guard field == .none else { return }
    let found: Field
    if depth == pointDepth + 1 {
      found = ownField(name)
    } else if (extensionsDepth > 0 && depth == extensionsDepth + 1)
      || (trackPointExtensionDepth > 0 && depth == trackPointExtensionDepth + 1)
    {
      found = extensionField(name)
    } else {
      return
    }
    guard found != .none else { return }
    field = found
    fieldDepth = depth
    textCount = 0
    XML_SetCharacterDataHandler(parser, gpxTextFound)
  }

  /// The elements that GPX itself gives a point; speed and course are those of GPX 1.0.
  private mutating func ownField(_ name: UnsafePointer<UInt8>) -> Field {
    switch name[0] {
    case UInt8(ascii: "e"):
      if GPXName.equals(name, "ele") { return .elevation }
      if GPXName.equals(name, "extensions") { extensionsDepth = depth }
    case UInt8(ascii: "t"): if GPXName.equals(name, "time") { return .time }
    case UInt8(ascii: "s"): if GPXName.equals(name, "speed") { return .speed }
    case UInt8(ascii: "c"): if GPXName.equals(name, "course") { return .course }
    case UInt8(ascii: "g"): if GPXName.equals(name, "geoidheight") { return .geoidHeight }
    default: break
    }
    return .none
  }

  /// What Apple's Health app, Garmin's TrackPointExtension 2 and this project's writer put into `extensions`.
  private mutating func extensionField(_ name: UnsafePointer<UInt8>) -> Field {
    switch name[0] {
    case UInt8(ascii: "s"):
      if GPXName.equals(name, "speed") { return .speed }
      if GPXName.equals(name, "speedAcc") { return .speedAccuracy }
    case UInt8(ascii: "c"):
      if GPXName.equals(name, "course") { return .course }
      if GPXName.equals(name, "courseAcc") { return .courseAccuracy }
    case UInt8(ascii: "h"): if GPXName.equals(name, "hAcc") { return .horizontalAccuracy }
    case UInt8(ascii: "v"): if GPXName.equals(name, "vAcc") { return .verticalAccuracy }
    case UInt8(ascii: "T"):
      if GPXName.equals(name, "TrackPointExtension") { trackPointExtensionDepth = depth }
    default: break
    }
    return .none
  }

  private mutating func endPoint() {
    pointDepth = 0
    if point.kind == .track { noteContentStart(depth: depth - 1) }
    extensionsDepth = 0
    trackPointExtensionDepth = 0
    if let fault = pointFault {
      pointFault = nil
      complain(\.skippedPoints, line: point.line, found: fault)
    } else {
      if let accuracy = point.verticalAccuracyMeters, accuracy <= 0 {
        point.elevationMeters = nil
        point.verticalAccuracyMeters = nil
      }
      points.append(point)
    }
  }

  func complaint(_ kind: GPXComplaints.Kind?, line: Int, found: @autoclosure () -> String) -> GPXComplaints.Kind {
    var kind = kind ?? GPXComplaints.Kind(count: 0, firstLine: line, firstFound: found())
    kind.count += 1
    return kind
  }

  mutating func complain(
    _ path: WritableKeyPath<GPXComplaints, GPXComplaints.Kind?>, line: Int,
    found: @autoclosure () -> String
  ) {
    complaints[keyPath: path] = complaint(complaints[keyPath: path], line: line, found: found())
  }

  mutating func stop(_ reason: GPXError.Reason, expected: String, found: String) {
    guard failure == nil else { return }
    failure = GPXError(reason: reason, line: line, expected: expected, found: found)
    XML_StopParser(parser, XML_Bool(0))
  }
}
