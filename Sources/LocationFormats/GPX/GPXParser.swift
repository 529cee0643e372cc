import CExpat
import LocationModel

/// Reads GPX 1.0 and 1.1 as it comes, in pieces of any size: bytes in, points out, nothing kept.
///
/// Takes UTF-8, UTF-16, ISO-8859-1 and ASCII, with or without byte order mark, any namespace and prefix, and files
/// without version or creator. A malformed point is left out and counted, a malformed date is counted and its point
/// kept; broken XML ends the reading with a `GPXError`, after the points before it have been given out.
///
/// Memory does not grow with the file: entity expansion, nesting and the length of one token are limited.
///
///     let room = try parser.buffer()
///     try parser.parseBuffer(count: bytesPutThere, isLast: false)
///     parser.takePoints(into: &points)
package final class GPXParser {
  /// How much is read at a time. Larger pieces are no faster and delay a pipe's first point.
  package static let pieceBytes = 65_536
  /// One tag or text run of a file of points has less than 1 KiB; expat holds an unfinished one in memory.
  package static let tokenBytesMax = 4 * 1024 * 1024

  private let parser: XML_Parser
  private let state: UnsafeMutablePointer<GPXState>
  /// What was carried over from the last piece, the piece, and a zero byte.
  private let storage: UnsafeMutablePointer<UInt8>
  private var carriedCount = 0
  private var bytesGiven = 0
  /// Of these, what expat has been given.
  private var bytesParsed = 0
  private var usesShortcut: Bool
  private var isFinished = false
  private var failure: GPXError?

  /// Without the shortcut expat reads every byte: slower, and the same in every result.
  package init(usesShortcut: Bool = true) {
    // Nil only where memory has run out, when nothing else would work either.
    guard let parser = XML_ParserCreate(nil) else { preconditionFailure("no memory for an XML parser") }
    self.parser = parser
    self.usesShortcut = usesShortcut
    storage = .allocate(capacity: GPXShortcut.pointBytesMax + Self.pieceBytes + 1)
    state = .allocate(capacity: 1)
    state.initialize(to: GPXState(parser: parser))
    XML_SetUserData(parser, state)
    XML_SetElementHandler(parser, gpxElementStarted, gpxElementEnded)
    XML_SetStartDoctypeDeclHandler(parser, gpxDoctypeStarted)
    // The library's own limits are 8 MiB and a factor of 100; no file of points uses entities at all.
    XML_SetBillionLaughsAttackProtectionActivationThreshold(parser, 1024 * 1024)
    XML_SetBillionLaughsAttackProtectionMaximumAmplification(parser, 10)
  }

  deinit {
    XML_ParserFree(parser)
    state.pointee.free()
    state.deinitialize(count: 1)
    state.deallocate()
    storage.deallocate()
  }

  package var complaints: GPXComplaints { state.pointee.complaints }

  /// Room for the next `pieceBytes` bytes; good until the next call of this object.
  package func buffer() throws(GPXError) -> UnsafeMutableRawBufferPointer {
    if let failure { throw failure }
    return UnsafeMutableRawBufferPointer(start: storage + carriedCount, count: Self.pieceBytes)
  }

  /// Reads the `count` bytes that now stand in `buffer()`. Where it throws, the points before the fault wait in
  /// `takePoints(into:)` all the same; every later call throws the same error.
  package func parseBuffer(count: Int, isLast: Bool) throws(GPXError) {
    precondition(count >= 0 && count <= Self.pieceBytes, "more bytes than the buffer holds")
    if let failure { throw failure }
    if isFinished { return }
    if bytesGiven < 4 && count > 0 { checkEncoding(storage + carriedCount, count) }
    bytesGiven += count
    isFinished = isLast
    var start = UnsafePointer(storage)
    let end = start + carriedCount + count
    storage[carriedCount + count] = 0
    carriedCount = 0
    var misses = 0
    while start < end {
      if misses < Self.missesMax && isInPlainContent {
        let before = start
        let outcome = takePlainPoints(&start, end)
        if outcome == .incomplete && !isLast { return carry(start, end) }
        misses = start == before ? misses + 1 : 0
      }
      let mayTakePoints = misses < Self.missesMax && usesShortcut && !state.pointee.hasDoctype
      let next = mayTakePoints ? endOfElement(start, end) : end
      try parse(start, next - start, isLast: false)
      start = next
    }
    if isLast { try parse(end, 0, isLast: true) }
  }

  /// After so many points in one piece that are not plain, the rest of the piece is expat's.
  private static let missesMax = 16

  /// The shortcut reads ASCII; UTF-16 shows by its mark or by zero bytes.
  private func checkEncoding(_ bytes: UnsafePointer<UInt8>, _ count: Int) {
    for index in 0..<min(count, 4) where bytes[index] == 0 || bytes[index] >= 0xFE { usesShortcut = false }
  }

  /// Nothing but a `trkseg`'s content can come next, and expat waits for nothing.
  private var isInPlainContent: Bool {
    usesShortcut && !state.pointee.hasDoctype && bytesParsed > 0 && state.pointee.contentStart == bytesParsed
      && state.pointee.contentDepth == state.pointee.depth && state.pointee.pointDepth == 0
  }

  private func takePlainPoints(
    _ start: inout UnsafePointer<UInt8>, _ end: UnsafePointer<UInt8>
  ) -> GPXShortcut.Outcome {
    var shortcut = GPXShortcut(start, end: end)
    let firstLine = state.pointee.contentLine + state.pointee.skippedLines
    var point = TrackPoint(
      coordinate: Coordinate(latitude: 0, longitude: 0), segment: max(state.pointee.segmentCount - 1, 0))
    var outcome = GPXShortcut.Outcome.point
    while true {
      outcome = shortcut.next(&point)
      if outcome != .point { break }
      point.line += firstLine
      state.pointee.points.append(point)
    }
    start = shortcut.cursor
    state.pointee.skippedLines += shortcut.lines
    return outcome
  }

  private func carry(_ start: UnsafePointer<UInt8>, _ end: UnsafePointer<UInt8>) {
    carriedCount = end - start
    storage.update(from: start, count: carriedCount)
  }

  /// Behind the next `</trkpt>` or `<trkseg>`, after which plain points may come; `end` where none is left.
  private func endOfElement(_ start: UnsafePointer<UInt8>, _ end: UnsafePointer<UInt8>) -> UnsafePointer<UInt8> {
    var at = start
    while at < end {
      if at[0] == UInt8(ascii: ">"), at - start >= 7,
        GPXName.endsWith(at, "/trkpt") || GPXName.endsWith(at, "<trkseg")
      {
        return at + 1
      }
      at += 1
    }
    return end
  }

  private func parse(_ bytes: UnsafePointer<UInt8>, _ count: Int, isLast: Bool) throws(GPXError) {
    bytesParsed += count
    let characters = UnsafeRawPointer(bytes).assumingMemoryBound(to: CChar.self)
    guard XML_Parse(parser, characters, Int32(count), isLast ? 1 : 0) == XML_STATUS_OK else {
      throw fail(state.pointee.failure ?? libraryError())
    }
    if bytesParsed - Int(XML_GetCurrentByteIndex(parser)) > Self.tokenBytesMax {
      throw fail(
        error(
          expected: "a tag or text of less than \(Self.tokenBytesMax) bytes", found: "a longer one",
          .beyondLimits))
    }
  }

  /// Reads bytes that are in memory already.
  package func parse(_ bytes: UnsafeRawBufferPointer, isLast: Bool) throws(GPXError) {
    var start = 0
    repeat {
      let count = min(Self.pieceBytes, bytes.count - start)
      let piece = UnsafeRawBufferPointer(rebasing: bytes[start..<start + count])
      try buffer().copyMemory(from: piece)
      start += count
      try parseBuffer(count: count, isLast: isLast && start == bytes.count)
    } while start < bytes.count
  }

  /// Moves the points found since the last call into `points`, whose storage is used again.
  package func takePoints(into points: inout [TrackPoint]) {
    points.removeAll(keepingCapacity: true)
    swap(&points, &state.pointee.points)
  }

  private func fail(_ error: GPXError) -> GPXError {
    failure = error
    return error
  }

  private func error(expected: String, found: String, _ reason: GPXError.Reason) -> GPXError {
    GPXError(reason: reason, line: state.pointee.line, expected: expected, found: found)
  }

  /// What expat says, in words about the file.
  private func libraryError() -> GPXError {
    let code = XML_GetErrorCode(parser)
    let atStart = state.pointee.depth == 0
    switch code {
    case XML_ERROR_NO_ELEMENTS where bytesGiven == 0:
      return error(expected: "a GPX file", found: "an empty file", .empty)
    case XML_ERROR_AMPLIFICATION_LIMIT_BREACH:
      return error(
        expected: "a file without entities that unfold to many times its size", found: "such entities", .beyondLimits)
    case _ where isFinished && isEndOfInput(code):
      return error(
        expected: atStart ? "a GPX file" : "</gpx>", found: "the end of the file", atStart ? .notGPX : .cutShort)
    case XML_ERROR_UNKNOWN_ENCODING:
      return error(expected: "UTF-8, UTF-16, ISO-8859-1 or ASCII", found: "another encoding", .malformed)
    case _ where atStart && bytesGiven > 0 && code != XML_ERROR_JUNK_AFTER_DOC_ELEMENT:
      return error(expected: "a GPX file, which begins with \"<\"", found: excerptAtError(), .notGPX)
    default:
      let text = XML_ErrorString(code).map { String(cString: $0) } ?? "error \(code.rawValue)"
      return error(expected: "well-formed XML", found: "\(text) at \(excerptAtError())", .malformed)
    }
  }

  private func isEndOfInput(_ code: XML_Error) -> Bool {
    code == XML_ERROR_NO_ELEMENTS || code == XML_ERROR_UNCLOSED_TOKEN || code == XML_ERROR_PARTIAL_CHAR
      || code == XML_ERROR_UNCLOSED_CDATA_SECTION
  }

  private func excerptAtError() -> String {
    var offset: Int32 = 0
    var size: Int32 = 0
    guard let context = XML_GetInputContext(parser, &offset, &size), offset >= 0, offset < size else {
      return "the end of the file"
    }
    // Nobody sees a zero byte in a quotation, and it would end one.
    if context[Int(offset)] == 0 { return "a zero byte" }
    let bytes = UnsafeRawBufferPointer(start: context + Int(offset), count: min(Int(size - offset), 40))
    let excerpt = (Array(bytes) + [0]).withUnsafeBufferPointer { $0.baseAddress.map { GPXName.excerpt($0) } }
    return "\"\(excerpt ?? "")\""
  }
}

private func gpxElementStarted(
  _ context: UnsafeMutableRawPointer?, _ name: UnsafePointer<CChar>?,
  _ attributes: UnsafeMutablePointer<UnsafePointer<CChar>?>?
) {
  guard let context, let name else { return }
  let bytes = UnsafeRawPointer(name).assumingMemoryBound(to: UInt8.self)
  context.assumingMemoryBound(to: GPXState.self).pointee.elementStarted(
    bytes, GPXAttributes(elementName: GPXName.local(bytes), list: attributes))
}

private func gpxDoctypeStarted(
  _ context: UnsafeMutableRawPointer?, _ name: UnsafePointer<CChar>?, _ system: UnsafePointer<CChar>?,
  _ identifier: UnsafePointer<CChar>?, _ hasInternalSubset: Int32
) {
  context?.assumingMemoryBound(to: GPXState.self).pointee.hasDoctype = true
}

private func gpxElementEnded(_ context: UnsafeMutableRawPointer?, _ name: UnsafePointer<CChar>?) {
  guard let context else { return }
  context.assumingMemoryBound(to: GPXState.self).pointee.elementEnded()
}

func gpxTextFound(_ context: UnsafeMutableRawPointer?, _ bytes: UnsafePointer<CChar>?, _ count: Int32) {
  guard let context, let bytes else { return }
  context.assumingMemoryBound(to: GPXState.self).pointee.textFound(
    UnsafeRawPointer(bytes).assumingMemoryBound(to: UInt8.self), Int(count))
}
