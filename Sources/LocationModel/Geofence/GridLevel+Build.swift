extension GridLevel {
  private static let leastBucketCount = 32
  /// Two lines of eight words.
  private static let leastMarkWordCount = 16
  private static let lineWordBits = 3
  private static let leastLateCapacity = 64

  /// Makes records of the circles of the given slots. There are no late ones afterwards.
  mutating func build(slots live: [Int32], circles: UnmanagedArray<ExactCircle>) {
    let order = sort(slots: live, circles: circles)
    for (place, slot) in order.enumerated() { setRecord(place, circles[Int(slot)]) }
    slots.release()
    slots = UnmanagedArray(copying: order)
  }

  /// The same for circles that stand in the order of their records already, from `firstSlot` on.
  mutating func fill(firstSlot: Int, circles: UnmanagedArray<ExactCircle>) {
    self.firstSlot = Int32(truncatingIfNeeded: firstSlot)
    for place in 0..<recordCount { setRecord(place, circles[firstSlot + place]) }
  }

  /// Gives the slots in the order that their records have to have, and room for these.
  ///
  /// A counting sort: how many fall into each bucket, where each bucket begins, then each to its place.
  mutating func sort(slots live: [Int32], circles: UnmanagedArray<ExactCircle>) -> [Int32] {
    makeRoom(count: live.count)
    // While records are placed, the entry after a bucket's own is where its next record goes; the last moves every
    // entry to where the following bucket begins, which is what the entry before it then has to say.
    let starts = bucketStarts
    var buckets: [UInt32] = []
    buckets.reserveCapacity(live.count)
    for slot in live {
      let bucket = bucket(of: circles[Int(slot)])
      buckets.append(UInt32(truncatingIfNeeded: bucket))
      starts[bucket + 2] += 1
    }
    for index in 1..<starts.count { starts[index] += starts[index - 1] }
    return [Int32](unsafeUninitializedCapacity: live.count) { order, count in
      for index in live.indices {
        let next = Int(buckets[index]) + 1
        order.initializeElement(at: Int(starts[next]), to: live[index])
        starts[next] += 1
      }
      count = live.count
    }
  }

  private mutating func makeRoom(count: Int) {
    release()
    liveCount = count
    recordCount = count
    lateCount = 0
    removedCount = 0
    late = UnmanagedArray()
    lateHeads = UnmanagedArray()
    slots = UnmanagedArray()
    quads = UnmanagedArray(repeating: Quad(), count: (count + 3) / 4)
    let bucketBits = Self.bits(atLeast: max(count, Self.leastBucketCount))
    blockShift = UInt64(64 - (bucketBits - GridShape.blockBits))
    bucketStarts = UnmanagedArray(repeating: 0, count: 1 << bucketBits + 2)
    // A word for each circle, which touches about 5 cells: at most 2 of 100 cells that no circle touches look marked.
    let markBits = Self.bits(atLeast: max(count, Self.leastMarkWordCount))
    markShift = UInt64(64 - (markBits - Self.lineWordBits))
    marks = UnmanagedArray(repeating: 0, count: 1 << markBits)
  }

  private func setRecord(_ place: Int, _ circle: ExactCircle) {
    let position = GridPosition(latitude: circle.latitude, longitude: circle.longitude)
    let quad = quads.base + place / 4
    quad.pointee.x[place % 4] = position.x
    quad.pointee.y[place % 4] = position.y
    quad.pointee.z[place % 4] = position.z
    quad.pointee.radius[place % 4] = Self.chordRadius(circle)
    mark(circle)
  }

  private static func bits(atLeast count: Int) -> Int {
    Int.bitWidth - (max(count, 2) - 1).leadingZeroBitCount
  }

  /// Marks every cell that the circle may touch.
  func mark(_ circle: ExactCircle) {
    let reach = GridShape.latitudeReach(meters: circle.radiusMeters)
    let first = shape.row(latitude: max(-90, circle.latitude - reach))
    let last = shape.row(latitude: min(90, circle.latitude + reach))
    let longitudeReach = shape.longitudeReach(circle)
    for row in first...last {
      let runs = shape.columns(around: circle.longitude, reach: longitudeReach, in: shape.band(row: row))
      mark(row: row, from: runs.first, through: runs.last)
      mark(row: row, from: runs.secondFirst, through: runs.secondLast)
    }
  }

  private func mark(row: Int, from first: Int, through last: Int) {
    guard first <= last else { return }
    for cell in (first >> GridShape.markBits)...(last >> GridShape.markBits) {
      let (word, bits) = place(ofMarkRow: row, cell: cell)
      marks[word] |= bits
    }
  }

  // MARK: - One circle at a time

  /// Adds a circle; false where there is no room for another late one and `build` has to come first.
  mutating func insertLate(_ circle: ExactCircle, slot: Int32) -> Bool {
    if late.count == 0 { makeRoomForLate() }
    guard lateCount < late.count else { return false }
    let position = GridPosition(latitude: circle.latitude, longitude: circle.longitude)
    let row = shape.row(latitude: circle.latitude)
    let block = shape.column(longitude: circle.longitude, in: shape.band(row: row)) >> GridShape.blockBits
    let head = CellHash.index(row, block, shift: lateShift)
    late[lateCount] = Late(
      x: position.x, y: position.y, z: position.z, radius: Self.chordRadius(circle), slot: slot, row: Int32(row),
      block: Int32(block), next: lateHeads[head])
    lateHeads[head] = Int32(lateCount)
    lateCount += 1
    liveCount += 1
    mark(circle)
    return true
  }

  /// Room for a quarter more: then sorting all again costs each circle that came some five times its own sorting.
  private mutating func makeRoomForLate() {
    late.release()
    lateHeads.release()
    let capacity = max(Self.leastLateCapacity, recordCount / 4)
    late = UnmanagedArray(
      repeating: Late(x: 0, y: 0, z: 0, radius: .nan, slot: -1, row: 0, block: 0, next: -1), count: capacity)
    let bits = Self.bits(atLeast: capacity)
    lateHeads = UnmanagedArray(repeating: -1, count: 1 << bits)
    lateShift = UInt64(64 - bits)
  }

  /// Whether so much has been removed that sorting what is left is worth it.
  var isMostlyRemoved: Bool {
    removedCount > max(Self.leastLateCapacity, liveCount)
  }

  mutating func remove(_ circle: ExactCircle, slot: Int32) {
    switch find(circle, slot: slot) {
    case .record(let index): quads.base[index / 4].radius[index % 4] = .nan
    case .late(let index): late.base[index].radius = .nan
    case nil: return
    }
    liveCount -= 1
    removedCount += 1
  }

  /// The same circle under another number.
  mutating func renumber(_ circle: ExactCircle, from slot: Int32, to newSlot: Int32) {
    switch find(circle, slot: slot) {
    case .record(let index):
      if slots.count == 0 {
        let numbers = (0..<recordCount).map(slot(record:))
        slots.release()
        slots = UnmanagedArray(copying: numbers)
      }
      slots[index] = newSlot
    case .late(let index): late.base[index].slot = newSlot
    case nil: return
    }
  }

  private enum Finding {
    case record(Int)
    case late(Int)
  }

  private func find(_ circle: ExactCircle, slot: Int32) -> Finding? {
    let bucket = bucket(of: circle)
    for index in Int(bucketStarts[bucket])..<Int(bucketStarts[bucket + 1])
    where self.slot(record: index) == slot && isLive(record: index) {
      return .record(index)
    }
    guard lateCount > 0 else { return nil }
    let row = shape.row(latitude: circle.latitude)
    let block = shape.column(longitude: circle.longitude, in: shape.band(row: row)) >> GridShape.blockBits
    var index = Int(lateHeads[CellHash.index(row, block, shift: lateShift)])
    while index >= 0 {
      if late[index].slot == slot && !late[index].radius.isNaN { return .late(index) }
      index = Int(late[index].next)
    }
    return nil
  }

  private func isLive(record index: Int) -> Bool { !quads[index / 4].radius[index % 4].isNaN }

  /// The slots of all circles that are there, in the order of the records and then of arrival.
  var liveSlots: [Int32] {
    var result: [Int32] = []
    result.reserveCapacity(liveCount)
    for index in 0..<recordCount where isLive(record: index) { result.append(slot(record: index)) }
    for index in 0..<lateCount where !late[index].radius.isNaN { result.append(late[index].slot) }
    return result
  }
}
