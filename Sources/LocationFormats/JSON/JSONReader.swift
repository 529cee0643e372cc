import LocationModel

/// A string as it stands in a text, which must outlive it; most are compared once and never kept.
struct JSONKey {
  private let plain: UnsafeBufferPointer<UInt8>
  /// Where the text has escapes.
  private let decoded: String?

  init(plain: UnsafeBufferPointer<UInt8>) {
    self.plain = plain
    decoded = nil
  }

  init(decoded: String) {
    plain = UnsafeBufferPointer(start: nil, count: 0)
    self.decoded = decoded
  }

  var text: String { decoded ?? String(decoding: plain, as: UTF8.self) }

  static func ~= (name: StaticString, key: JSONKey) -> Bool {
    if let decoded = key.decoded { return decoded == "\(name)" }
    guard name.utf8CodeUnitCount == key.plain.count else { return false }
    for index in 0..<key.plain.count where name.utf8Start[index] != key.plain[index] { return false }
    return true
  }

  static func == (key: JSONKey, name: StaticString) -> Bool { name ~= key }
}

/// Reads one JSON text member by member, without building a tree and without recursion deeper than `depthMax`.
///
///     guard reader.beginObject() else { … }
///     while let key = reader.nextKey() { switch key { case "lat": lat = reader.number(); default: reader.skip() } }
///
/// After a key exactly one of `number`, `string`, `flag`, `skip`, `beginObject` or `beginArray` is called. A value of
/// another kind than the one that was asked for is passed over and given as nil, as are null and the bare words `nan`
/// and `inf` that some writers use. Once the text is malformed `isBroken` stays true and everything answers nil.
struct JSONReader {
  static let depthMax = 32

  /// The text cannot be read on. What was read before may be meant otherwise.
  private(set) var isBroken = false
  private var cursor: UnsafePointer<UInt8>
  private var depth = 0
  /// The next member or element is the first of its object or array.
  private var isFirst = false

  /// The text ends with a zero byte, and must outlive the reader.
  init(terminated text: UnsafePointer<UInt8>) {
    cursor = text
  }

  /// Whether the value was read whole and nothing but white space follows.
  mutating func isAtEnd() -> Bool {
    skipSpace()
    return !isBroken && depth == 0 && cursor[0] == 0
  }

  // MARK: Objects and arrays

  mutating func beginObject() -> Bool {
    begin(UInt8(ascii: "{"))
  }

  mutating func beginArray() -> Bool {
    begin(UInt8(ascii: "["))
  }

  /// The next member's name; nil after the last, or where the text is malformed.
  mutating func nextKey() -> JSONKey? {
    guard moveToNext(closing: UInt8(ascii: "}")) else { return nil }
    guard cursor[0] == UInt8(ascii: "\""), let key = takeString() else { return fail() }
    skipSpace()
    guard cursor[0] == UInt8(ascii: ":") else { return fail() }
    cursor += 1
    return key
  }

  /// Whether another element follows in the array that was begun last.
  mutating func nextElement() -> Bool {
    moveToNext(closing: UInt8(ascii: "]"))
  }

  private mutating func begin(_ opening: UInt8) -> Bool {
    skipSpace()
    guard !isBroken, cursor[0] == opening else {
      skip()
      return false
    }
    guard depth < Self.depthMax else {
      isBroken = true
      return false
    }
    cursor += 1
    depth += 1
    isFirst = true
    return true
  }

  private mutating func moveToNext(closing: UInt8) -> Bool {
    guard !isBroken else { return false }
    skipSpace()
    defer { isFirst = false }
    if cursor[0] == closing {
      cursor += 1
      depth -= 1
      return false
    }
    if isFirst { return true }
    guard cursor[0] == UInt8(ascii: ",") else {
      isBroken = true
      return false
    }
    cursor += 1
    skipSpace()
    return true
  }

  // MARK: Values

  /// The next value is a string.
  var startsWithQuote: Bool {
    mutating get {
      skipSpace()
      return cursor[0] == UInt8(ascii: "\"")
    }
  }

  mutating func number() -> Double? {
    skipSpace()
    guard !isBroken, startsNumber else {
      skip()
      return nil
    }
    guard let value = DecimalNumber.scan(&cursor) else {
      skipWord()
      return nil
    }
    return value
  }

  /// A whole number within `range`; other numbers are no value.
  mutating func integer(in range: ClosedRange<Int>) -> Int? {
    guard let value = number(), let whole = Int(exactly: value), range.contains(whole) else { return nil }
    return whole
  }

  mutating func string() -> String? {
    skipSpace()
    guard !isBroken, cursor[0] == UInt8(ascii: "\"") else {
      skip()
      return nil
    }
    return takeString().map(\.text)
  }

  /// A string that is a date of ISO 8601; others are no value.
  mutating func time() -> WallTime? {
    skipSpace()
    guard !isBroken, cursor[0] == UInt8(ascii: "\"") else {
      skip()
      return nil
    }
    var start = cursor + 1
    guard let string = takeString() else { return nil }
    // The usual one stands there as it is meant, with nothing around it: behind it comes the closing quotation mark.
    if let time = InternetTime.scan(&start), start == cursor - 1 { return time }
    return InternetTime.parse(string.text)
  }

  mutating func flag() -> Bool? {
    skipSpace()
    guard !isBroken, cursor[0] == UInt8(ascii: "t") || cursor[0] == UInt8(ascii: "f") else {
      skip()
      return nil
    }
    let isTrue = cursor[0] == UInt8(ascii: "t")
    skipWord()
    return isTrue
  }

  /// Passes over one value of any kind.
  mutating func skip() {
    skipSpace()
    guard !isBroken else { return }
    switch cursor[0] {
    case UInt8(ascii: "{"):
      guard beginObject() else { return }
      while nextKey() != nil { skip() }
    case UInt8(ascii: "["):
      guard beginArray() else { return }
      while nextElement() { skip() }
    case UInt8(ascii: "\""): _ = takeString()
    default: skipWord()
    }
  }

  // MARK: Bytes

  private var startsNumber: Bool {
    cursor[0] == UInt8(ascii: "-") || cursor[0] == UInt8(ascii: "+") || cursor[0] &- 0x30 <= 9
  }

  private mutating func skipSpace() {
    while DecimalNumber.isSpace(cursor[0]) { cursor += 1 }
  }

  /// A number, `true`, `null`, `-nan`: at least one byte, up to a separator.
  private mutating func skipWord() {
    let first = cursor
    while Self.isWordByte(cursor[0]) { cursor += 1 }
    if cursor == first { isBroken = true }
  }

  private static func isWordByte(_ byte: UInt8) -> Bool {
    (byte | 0x20) &- 0x61 < 26 || byte &- 0x30 <= 9 || byte == UInt8(ascii: "-") || byte == UInt8(ascii: "+")
      || byte == UInt8(ascii: ".")
  }

  private mutating func fail<Value>() -> Value? {
    isBroken = true
    return nil
  }

  private mutating func takeString() -> JSONKey? {
    cursor += 1
    let first = cursor
    while cursor[0] != UInt8(ascii: "\"") && cursor[0] != UInt8(ascii: "\\") {
      // A control character, or the end of the text, inside a string.
      if cursor[0] < 0x20 { return fail() }
      cursor += 1
    }
    let plain = UnsafeBufferPointer(start: first, count: cursor - first)
    if cursor[0] == UInt8(ascii: "\"") {
      cursor += 1
      return JSONKey(plain: plain)
    }
    return takeEscapedString(after: Array(plain)).map { JSONKey(decoded: $0) }
  }

  private mutating func takeEscapedString(after plain: [UInt8]) -> String? {
    var bytes = plain
    while cursor[0] != UInt8(ascii: "\"") {
      if cursor[0] < 0x20 { return fail() }
      if cursor[0] == UInt8(ascii: "\\") {
        cursor += 1
        guard takeEscape(into: &bytes) else { return fail() }
      } else {
        bytes.append(cursor[0])
        cursor += 1
      }
    }
    cursor += 1
    return String(decoding: bytes, as: UTF8.self)
  }

  private mutating func takeEscape(into bytes: inout [UInt8]) -> Bool {
    let letter = cursor[0]
    guard letter != 0 else { return false }
    cursor += 1
    switch letter {
    case UInt8(ascii: "n"): bytes.append(0x0A)
    case UInt8(ascii: "r"): bytes.append(0x0D)
    case UInt8(ascii: "t"): bytes.append(0x09)
    case UInt8(ascii: "b"): bytes.append(0x08)
    case UInt8(ascii: "f"): bytes.append(0x0C)
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): bytes.append(letter)
    case UInt8(ascii: "u"):
      guard let unit = takeHexadecimal() else { return false }
      append(unit, to: &bytes)
    default: return false
    }
    return true
  }

  /// A code unit of UTF-16, with the second half of its pair where it has one; half a pair is U+FFFD.
  private mutating func append(_ unit: UInt32, to bytes: inout [UInt8]) {
    var value = unit
    if unit & 0xFC00 == 0xD800, cursor[0] == UInt8(ascii: "\\"), cursor[1] == UInt8(ascii: "u") {
      let before = cursor
      cursor += 2
      if let low = takeHexadecimal(), low & 0xFC00 == 0xDC00 {
        value = 0x10000 + (unit & 0x3FF) << 10 + (low & 0x3FF)
      } else {
        cursor = before
      }
    }
    bytes.append(contentsOf: String(Unicode.Scalar(value) ?? "\u{FFFD}").utf8)
  }

  private mutating func takeHexadecimal() -> UInt32? {
    var value: UInt32 = 0
    for _ in 0..<4 {
      let letter = cursor[0] | 0x20
      if cursor[0] &- 0x30 <= 9 {
        value = value << 4 | UInt32(cursor[0] &- 0x30)
      } else if letter &- 0x61 < 6 {
        value = value << 4 | UInt32(letter &- 0x61 + 10)
      } else {
        return nil
      }
      cursor += 1
    }
    return value
  }
}
