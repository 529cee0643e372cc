/// The shape of a binary property list: its objects and which of them hold which, without their values.
///
/// The layout ("bplist00", objects, a table of offsets, 32 bytes of trailer) is the one that Foundation reads; integers
/// are big-endian.
struct BinaryPropertyList {
  private let bytes: [UInt8]
  private let referenceSize: Int
  private let offsets: [Int]
  private let top: Int

  /// Nil where the trailer or the table of offsets does not fit the bytes.
  init?(_ bytes: [UInt8]) {
    self.bytes = bytes
    guard bytes.count >= 8 + 32 else { return nil }
    let trailer = bytes.count - 32
    let offsetSize = Int(bytes[trailer + 6])
    referenceSize = Int(bytes[trailer + 7])
    guard (1...8).contains(offsetSize), (1...8).contains(referenceSize),
      let count = Self.integer(bytes, at: trailer + 8, size: 8),
      let top = Self.integer(bytes, at: trailer + 16, size: 8),
      let table = Self.integer(bytes, at: trailer + 24, size: 8),
      count > 0, top < count, table <= trailer, count <= (trailer - table) / offsetSize
    else { return nil }
    self.top = top
    var offsets: [Int] = []
    offsets.reserveCapacity(count)
    for index in 0..<count {
      guard let offset = Self.integer(bytes, at: table + index * offsetSize, size: offsetSize), offset < table
      else { return nil }
      offsets.append(offset)
    }
    self.offsets = offsets
  }

  /// Whether nothing nests deeper than `depthMax`, as a reader meets it that follows every reference: an object that
  /// holds itself nests without end, and one that is held often is met often, a hundred thousand times at most.
  func isShallow(depthMax: Int) -> Bool {
    var visitsLeft = 100_000
    var waiting = [(object: top, depth: 1)]
    while let (object, depth) = waiting.popLast() {
      visitsLeft -= 1
      guard visitsLeft > 0, depth <= depthMax, let children = children(of: object, countMax: visitsLeft)
      else { return false }
      waiting += children.map { ($0, depth + 1) }
      guard waiting.count <= visitsLeft else { return false }
    }
    return true
  }

  /// Nil where the object does not fit the bytes, or has more children than `countMax`.
  private func children(of object: Int, countMax: Int) -> [Int]? {
    var position = offsets[object]
    let marker = bytes[position]
    let kind = marker >> 4
    // 0xA array, 0xB and 0xC sets, 0xD dictionary: keys, then values. The others hold nothing.
    guard (0xA...0xD).contains(kind) else { return [] }
    position += 1
    var count = Int(marker & 0xF)
    if count == 0xF {
      // A count of 15 or more follows as an integer object.
      guard position < bytes.count, bytes[position] >> 4 == 1, bytes[position] & 0xF <= 3 else { return nil }
      let size = 1 << Int(bytes[position] & 0xF)
      guard let long = Self.integer(bytes, at: position + 1, size: size) else { return nil }
      count = long
      position += 1 + size
    }
    guard count <= countMax else { return nil }
    var children: [Int] = []
    for index in 0..<(kind == 0xD ? count * 2 : count) {
      guard let child = Self.integer(bytes, at: position + index * referenceSize, size: referenceSize),
        child < offsets.count
      else { return nil }
      children.append(child)
    }
    return children
  }

  /// Nil outside the bytes and beyond what a file of a megabyte needs.
  private static func integer(_ bytes: [UInt8], at position: Int, size: Int) -> Int? {
    guard position >= 0, position <= bytes.count - size else { return nil }
    let value = bytes[position..<position + size].reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
    return value <= 1 << 32 ? Int(value) : nil
  }
}
