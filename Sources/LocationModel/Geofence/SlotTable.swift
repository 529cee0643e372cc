import CIndexMemory

/// Which slot an identifier has: a hash table of numbers alone, since the identifiers stand in an array already.
///
/// Open addressing with linear probing, at most half full; eight to sixteen bytes an identifier.
@usableFromInline
struct SlotTable: Sendable {
  @usableFromInline static let none: Int32 = -1
  private static let leastCapacity = 16

  @usableFromInline private(set) var entries: [Int32]
  @usableFromInline private(set) var count = 0

  @usableFromInline
  init(capacity: Int = 0) {
    var length = Self.leastCapacity
    while length < capacity * 2 { length *= 2 }
    entries = [Int32](repeating: Self.none, count: length)
  }

  @usableFromInline var isFull: Bool { count * 2 >= entries.count }

  @usableFromInline
  func start(_ hash: Int) -> Int { hash & (entries.count - 1) }

  @usableFromInline
  func after(_ place: Int) -> Int { (place + 1) & (entries.count - 1) }

  @usableFromInline
  mutating func set(_ place: Int, to slot: Int32) {
    if entries[place] == Self.none { count += 1 }
    entries[place] = slot
  }

  @usableFromInline
  mutating func clear(_ place: Int) {
    if entries[place] != Self.none { count -= 1 }
    entries[place] = Self.none
  }

  @usableFromInline
  func prefetch(_ hash: Int) {
    entries.withUnsafeBufferPointer { index_memory_prefetch($0.baseAddress! + start(hash)) }
  }
}
