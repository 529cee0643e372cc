/// Takes the sentences that `NMEAFramer` cuts out.
package protocol NMEALineReceiver {
  mutating func receive(_ line: NMEALine)
}

/// Cuts NMEA 0183 sentences out of a stream of bytes that comes in pieces of any size.
///
/// A sentence begins at `$` or `!` and ends at CR, LF, CRLF, or behind its checksum where the next one begins there.
/// Where another begins in the middle of a broken line, the broken part is dropped and the new one read (case NM-07).
/// Noise, NUL and binary protocols in between are passed over. A wrong checksum discards the sentence; without a
/// checksum it is accepted and counted. Nothing is given out before it is whole, and nothing depends on the pieces.
///
/// No allocation a sentence: one that lies within a piece is read where it stands, else from one buffer.
package struct NMEAFramer: ~Copyable {
  /// With `$`, without the line's end. The standard's 82 are exceeded by many receivers (case NM-07); 205 leave room
  /// for the longest that are known.
  package static let sentenceBytesMax = 205

  /// Counts of what was framed and what was not; those of the meaning of sentences stay 0.
  package private(set) var counts = NMEACounts()
  /// The beginning of a sentence whose end has not come. Bounded: what is longer than a sentence is discarded.
  private let carry: UnsafeMutablePointer<UInt8>
  private var carriedBytes = 0
  private var tag: NMEATagBlock?
  /// `tag` is the next sentence's.
  private var isTagged = false
  private static let carryBytesMax = 512

  package init() {
    carry = .allocate(capacity: Self.carryBytesMax)
  }

  deinit { carry.deallocate() }

  /// Reads on and hands out every sentence that is whole by now.
  @inline(__always)
  package mutating func feed(_ piece: UnsafeBufferPointer<UInt8>, into receiver: inout some NMEALineReceiver) {
    guard var at = piece.baseAddress else { return }
    let end = at + piece.count
    while carriedBytes > 0 && at < end { at = feedCarried(at, end: end, &receiver) }
    let rest = at < end ? scan(at, end: end, &receiver) : end
    if rest < end { keep(rest, count: end - rest) }
  }

  /// The stream has ended: a last sentence without a line's end counts.
  package mutating func finish(into receiver: inout some NMEALineReceiver) {
    var lineFeed = UInt8(ascii: "\n")
    withUnsafePointer(to: &lineFeed) { feed(UnsafeBufferPointer(start: $0, count: 1), into: &receiver) }
  }

  /// Completes what was carried with the piece's first bytes; returns how far the piece has been read.
  @inline(never)
  private mutating func feedCarried(
    _ at: UnsafePointer<UInt8>, end: UnsafePointer<UInt8>, _ receiver: inout some NMEALineReceiver
  ) -> UnsafePointer<UInt8> {
    let before = carriedBytes
    let added = min(end - at, Self.carryBytesMax - before)
    (carry + before).update(from: at, count: added)
    carriedBytes = 0
    let carryEnd = UnsafePointer(carry) + before + added
    let rest = scan(UnsafePointer(carry), end: carryEnd, &receiver)
    let consumed = rest - UnsafePointer(carry)
    if consumed >= before { return at + (consumed - before) }
    keep(rest, count: carryEnd - rest)
    return at + added
  }

  private mutating func keep(_ start: UnsafePointer<UInt8>, count: Int) {
    precondition(count < Self.carryBytesMax)
    UnsafeMutableRawPointer(carry).copyMemory(from: start, byteCount: count)
    carriedBytes = count
  }

  /// Reads all that is whole; returns where the first incomplete sentence begins, else `end`.
  @inline(__always)
  private mutating func scan(
    _ start: UnsafePointer<UInt8>, end: UnsafePointer<UInt8>, _ receiver: inout some NMEALineReceiver
  ) -> UnsafePointer<UInt8> {
    var at = start
    while true {
      if at < end && !Self.begins(at[0]) { skipNoise(&at, end) }
      guard at < end else { return end }
      let first = at
      var cursor = at + 1
      var sum: UInt8 = 0
      let stop = Self.findStop(&cursor, end: end, &sum)
      if cursor - first > Self.sentenceBytesMax {
        counts.overlong += 1
        discard(first, cursor, &at)
      } else if first[0] == UInt8(ascii: "\\") {
        guard takeTagBlock(first, cursor, end: end, stop: stop, sum: sum, &at) else { return first }
      } else if stop == Self.star {
        let check = Self.checksum(cursor, end: end)
        if check == UInt16(sum) {
          give(first, cursor, &receiver)
          at = cursor + 3
        } else if check == Self.isIncomplete {
          return first
        } else {
          counts.badChecksums += 1
          discard(first, cursor + 1, &at)
        }
      } else if stop == 0x0D || stop == 0x0A {
        counts.withoutChecksum += 1
        give(first, cursor, &receiver)
        at = cursor
      } else if stop == Self.noStop {
        return first
      } else {
        counts.fragments += 1
        discard(first, cursor, &at)
      }
    }
  }

  @inline(__always)
  private mutating func give(
    _ first: UnsafePointer<UInt8>, _ end: UnsafePointer<UInt8>, _ receiver: inout some NMEALineReceiver
  ) {
    counts.sentences += 1
    let isEncapsulated = first[0] == UInt8(ascii: "!")
    if isTagged {
      receiver.receive(NMEALine(start: first + 1, end: end, isEncapsulated: isEncapsulated, tag: tag))
      isTagged = false
    } else {
      receiver.receive(NMEALine(start: first + 1, end: end, isEncapsulated: isEncapsulated, tag: nil))
    }
  }

  private mutating func discard(
    _ first: UnsafePointer<UInt8>, _ end: UnsafePointer<UInt8>, _ at: inout UnsafePointer<UInt8>
  ) {
    counts.noiseBytes += end - first
    isTagged = false
    at = end
  }

  /// Line ends are no noise, and a tag block may stand on a line of its own.
  @inline(__always)
  private mutating func skipNoise(_ at: inout UnsafePointer<UInt8>, _ end: UnsafePointer<UInt8>) {
    repeat {
      if at[0] != 0x0D && at[0] != 0x0A {
        counts.noiseBytes += 1
        isTagged = false
      }
      at += 1
    } while at < end && !Self.begins(at[0])
  }

  /// False where the block is not whole yet.
  @inline(never)
  private mutating func takeTagBlock(
    _ first: UnsafePointer<UInt8>, _ cursor: UnsafePointer<UInt8>, end: UnsafePointer<UInt8>, stop: UInt16,
    sum: UInt8, _ at: inout UnsafePointer<UInt8>
  ) -> Bool {
    if stop == Self.noStop { return false }
    let check = stop == Self.star ? Self.checksum(cursor, end: end, isTag: true) : Self.isMalformed
    if check == Self.isIncomplete { return false }
    guard check == UInt16(sum) else {
      counts.badTagBlocks += 1
      // A closed block with a wrong checksum goes as a whole, so that its end is not taken for a beginning.
      let isClosed = check != Self.isMalformed
      discard(first, isClosed ? cursor + 4 : stop == Self.star ? cursor + 1 : cursor, &at)
      return true
    }
    counts.tagBlocks += 1
    tag = NMEATagBlock(first + 1, end: cursor)
    isTagged = true
    at = cursor + 4
    return true
  }
}

// MARK: - Bytes

extension NMEAFramer {
  private static let isIncomplete: UInt16 = 0x100
  private static let isMalformed: UInt16 = 0x200
  private static let noStop: UInt16 = 0x100
  private static let star = UInt16(UInt8(ascii: "*"))

  @inline(__always)
  private static func begins(_ byte: UInt8) -> Bool {
    byte == UInt8(ascii: "$") || byte == UInt8(ascii: "!") || byte == UInt8(ascii: "\\")
  }

  /// The two digits behind the `*` at `star`, where a line's end, the next sentence or, with `isTag`, the closing
  /// backslash follows them.
  @inline(__always)
  private static func checksum(
    _ star: UnsafePointer<UInt8>, end: UnsafePointer<UInt8>, isTag: Bool = false
  ) -> UInt16 {
    guard star + 1 < end else { return isIncomplete }
    guard let high = hexadecimal(star[1]) else { return isMalformed }
    guard star + 2 < end else { return isIncomplete }
    guard let low = hexadecimal(star[2]) else { return isMalformed }
    guard star + 3 < end else { return isIncomplete }
    let next = star[3]
    let isClosed = isTag ? next == UInt8(ascii: "\\") : next == 0x0D || next == 0x0A || begins(next)
    return isClosed ? UInt16(high << 4 | low) : isMalformed
  }

  @inline(__always)
  private static func hexadecimal(_ byte: UInt8) -> UInt8? {
    let digit = byte &- 0x30
    if digit <= 9 { return digit }
    let letter = (byte | 0x20) &- UInt8(ascii: "a")
    return letter <= 5 ? letter + 10 : nil
  }

  /// Goes on to the first byte that no field may hold, or to the end; `sum` becomes the exclusive or of those before.
  @inline(__always)
  private static func findStop(
    _ at: inout UnsafePointer<UInt8>, end: UnsafePointer<UInt8>, _ sum: inout UInt8
  ) -> UInt16 {
    var sums = SIMD16<UInt8>.zero
    while end - at >= 16 {
      let block = UnsafeRawPointer(at).loadUnaligned(as: SIMD16<UInt8>.self)
      if mayStop(block) {
        let stops = unsafeBitCast(stopBits(block), to: SIMD2<UInt64>.self)
        if stops[0] | stops[1] != 0 {
          // Only the bytes before the stop count: of the second half none where it is in the first.
          let isInFirst = stops[0] != 0
          let before = (UInt64(littleEndian: isInFirst ? stops[0] : stops[1]).trailingZeroBitCount) >> 3
          let halves = unsafeBitCast(block, to: SIMD2<UInt64>.self)
          let mask = ((1 as UInt64) << UInt64(before &* 8) &- 1).littleEndian
          let rest = isInFirst ? halves[0] & mask : halves[0] ^ (halves[1] & mask)
          sum = folded(sums) ^ folded(rest)
          at += isInFirst ? before : before &+ 8
          return UInt16(at[0])
        }
      }
      sums ^= block
      at += 16
    }
    sum = folded(sums)
    while at < end {
      let byte = at[0]
      if byte < 0x20 || byte >= 0x80 || byte == UInt8(ascii: "*") || begins(byte) { return UInt16(byte) }
      sum ^= byte
      at += 1
    }
    return noStop
  }

  /// A quick test of 16 bytes: is any below 0x2B, a backslash, or above 0x7F? Few characters of fields are.
  ///
  /// For a byte below 0x80, `(x ^ n) + 0x7F` has its top bit clear exactly where x is n, and `x + (0x80 - n)` exactly
  /// where x is below n.
  @inline(__always)
  private static func mayStop(_ block: SIMD16<UInt8>) -> Bool {
    let plain = (block &+ 0x55) & ((block ^ 0x5C) &+ 0x7F)
    let bits = unsafeBitCast((~plain | block) & 0x80, to: SIMD2<UInt64>.self)
    return bits[0] | bits[1] != 0
  }

  /// The top bit of each byte that no field may hold: control characters, `!`, `$`, `*`, backslash, bytes above 0x7F.
  @inline(__always)
  private static func stopBits(_ block: SIMD16<UInt8>) -> SIMD16<UInt8> {
    let starOrDollar = ((block ^ 0x2A) &+ 0x7F) & ((block ^ 0x24) &+ 0x7F)
    let bangOrBackslash = ((block ^ 0x21) &+ 0x7F) & ((block ^ 0x5C) &+ 0x7F)
    let plain = starOrDollar & bangOrBackslash & (block &+ 0x60)
    return (~plain | block) & 0x80
  }

  @inline(__always)
  private static func folded(_ sums: SIMD16<UInt8>) -> UInt8 {
    let halves = unsafeBitCast(sums, to: SIMD2<UInt64>.self)
    return folded(halves[0] ^ halves[1])
  }

  @inline(__always)
  private static func folded(_ sums: UInt64) -> UInt8 {
    let half = sums ^ (sums >> 32)
    let quarter = half ^ (half >> 16)
    return UInt8(truncatingIfNeeded: quarter ^ (quarter >> 8))
  }
}
