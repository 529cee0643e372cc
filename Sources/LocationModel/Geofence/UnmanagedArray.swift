import CIndexMemory

/// Memory of a fixed length for plain values, released by whoever made it.
///
/// An array counts its references at every use, which costs as much as a whole query of the index does. The owner is
/// `CircleGrid`, a class that nothing outside it can reach into, and which releases what it holds when it ends.
struct UnmanagedArray<Element: BitwiseCopyable> {
  let base: UnsafeMutablePointer<Element>
  let count: Int

  init(repeating element: Element, count: Int) {
    base = Self.allocate(count)
    base.initialize(repeating: element, count: count)
    self.count = count
  }

  init() {
    base = Self.allocate(0)
    count = 0
  }

  init(count: Int, _ element: (Int) -> Element) {
    base = Self.allocate(count)
    for index in 0..<count { (base + index).initialize(to: element(index)) }
    self.count = count
  }

  init(copying elements: [Element]) {
    self.init(count: elements.count) { elements[$0] }
  }

  func copy() -> UnmanagedArray { UnmanagedArray(copying: self, count: count) }

  /// The first elements moved to longer memory, the rest of which holds `filler`; releases this one.
  func grown(to count: Int, filler: Element) -> UnmanagedArray {
    let longer = UnmanagedArray(repeating: filler, count: max(count, self.count))
    longer.base.update(from: base, count: self.count)
    release()
    return longer
  }

  private init(copying other: UnmanagedArray, count: Int) {
    base = Self.allocate(count)
    base.initialize(from: other.base, count: count)
    self.count = count
  }

  private static func allocate(_ count: Int) -> UnsafeMutablePointer<Element> {
    guard let memory = index_memory_allocate(count * MemoryLayout<Element>.stride) else {
      preconditionFailure("no memory for \(count) elements of a geofence index")
    }
    return memory.bindMemory(to: Element.self, capacity: count)
  }

  func release() { index_memory_free(base) }

  var byteCount: Int { count * MemoryLayout<Element>.stride }

  @inline(__always)
  subscript(index: Int) -> Element {
    get {
      assert(index >= 0 && index < count)
      return base[index]
    }
    nonmutating set {
      assert(index >= 0 && index < count)
      base[index] = newValue
    }
  }
}

/// Arrays that are read at random places, in huge pages where the kernel has them.
@usableFromInline
enum HugePages {
  /// For memory that nothing has been written to.
  @usableFromInline
  static func advise(_ memory: UnsafeMutableRawPointer?, byteCount: Int) {
    guard let memory else { return }
    index_memory_advise(memory, byteCount)
  }
}
