import CIndexMemory

/// A question on its way through the grid.
struct GridQuery {
  let latitude: Double
  let longitude: Double
  let circles: UnmanagedArray<ExactCircle>
  private var position: GridPosition?

  init(latitude: Double, longitude: Double, circles: UnmanagedArray<ExactCircle>) {
    self.latitude = latitude
    self.longitude = longitude
    self.circles = circles
  }

  /// Worked out when it is asked for the first time.
  @inline(__always)
  mutating func located() -> GridPosition {
    if let position { return position }
    let new = GridPosition(latitude: latitude, longitude: longitude)
    position = new
    return new
  }

  @inline(__always)
  func isExactlyInside(_ slot: Int32) -> Bool {
    circles[Int(slot)].contains(latitude: latitude, longitude: longitude)
  }
}

/// The buckets that a question has to read, gathered first so that memory can fetch them all at a time.
///
/// Two blocks can hash to the same buckets, which must be read once only; so it is kept which have been.
private struct BucketRanges {
  struct Range: BitwiseCopyable {
    var firstBucket: Int
    /// A bit for each bucket of the block that is to be read.
    var buckets: UInt16
    /// Records of the first buckets of these that lie side by side.
    var start: UInt32 = 0
    var end: UInt32 = 0
  }

  /// Three rows of at most three blocks, and some for rows that the date line cuts.
  static let capacity = 16
  let ranges: UnsafeMutableBufferPointer<Range>
  var count = 0

  @inline(__always)
  mutating func append(firstBucket: Int, buckets: UInt16) {
    var unread = buckets
    for index in 0..<count where ranges[index].firstBucket == firstBucket { unread &= ~ranges[index].buckets }
    ranges.initializeElement(at: count, to: Range(firstBucket: firstBucket, buckets: unread))
    count &+= 1
  }
}

extension UInt16 {
  /// Takes the lowest bits that are set side by side away, and says where they begin and how many there are.
  @inline(__always)
  fileprivate mutating func removeLowestRun() -> (first: Int, count: Int) {
    let first = trailingZeroBitCount
    let count = (~(self &>> UInt16(truncatingIfNeeded: first))).trailingZeroBitCount
    self &= ~(UInt16(truncatingIfNeeded: 1 &<< count &- 1) &<< UInt16(truncatingIfNeeded: first))
    return (first, count)
  }
}

extension ColumnRuns {
  fileprivate var blockCount: Int {
    let bits = GridShape.blockBits
    return last >> bits - first >> bits + 1 + (secondLast < 0 ? 0 : secondLast >> bits - secondFirst >> bits + 1)
  }
}

extension GridLevel {
  /// Whether a circle may hold the place; false is certain.
  @inline(__always)
  func mayHold(latitude: Double, longitude: Double) -> Bool {
    let row = shape.row(latitude: latitude)
    let column = shape.column(longitude: longitude, in: shape.band(row: row))
    let (word, bits) = place(ofMarkRow: row, cell: column >> GridShape.markBits)
    return marks[word] & bits == bits
  }

  /// Gives the slot of each circle that holds the place, once.
  @inline(never)
  func forEachSlot(_ query: inout GridQuery, _ body: (Int32) -> Void) {
    let row = shape.row(latitude: query.latitude)
    let reach = longitudeReach(query, row: row)
    let south = runs(row: row - 1, query, reach)
    let middle = runs(row: row, query, reach)
    let north = runs(row: row + 1, query, reach)
    guard south.blockCount + middle.blockCount + north.blockCount <= BucketRanges.capacity else {
      return scanAll(query, query.located(), body)
    }
    withUnsafeTemporaryAllocation(of: BucketRanges.Range.self, capacity: BucketRanges.capacity) { buffer in
      var ranges = BucketRanges(ranges: buffer)
      gather(row: row - 1, south, &ranges)
      gather(row: row, middle, &ranges)
      gather(row: row + 1, north, &ranges)
      // Meanwhile the beginnings of the buckets arrive.
      let position = query.located()
      for index in 0..<ranges.count { fetch(&ranges.ranges[index], query, position, body) }
      for index in 0..<ranges.count {
        let range = ranges.ranges[index]
        scanRecords(from: Int(range.start), to: Int(range.end), query, position, body)
      }
    }
    if lateCount > 0 {
      let position = query.located()
      scanLate(row: row - 1, south, query, position, body)
      scanLate(row: row, middle, query, position, body)
      scanLate(row: row + 1, north, query, position, body)
    }
  }

  @inline(__always)
  private func longitudeReach(_ query: GridQuery, row: Int) -> Double {
    let reach = shape.band(row: row).longitudeReach
    return reach >= 0 ? reach : GridShape.longitudeReach(latitude: query.latitude, meters: shape.reachMeters)
  }

  /// None for a row that does not exist.
  @inline(__always)
  private func runs(row: Int, _ query: GridQuery, _ reach: Double) -> ColumnRuns {
    guard row >= 0 && row < shape.rowCount else { return ColumnRuns(first: 0, last: -1) }
    return shape.columns(around: query.longitude, reach: reach, in: shape.band(row: row))
  }

  @inline(__always)
  private func gather(row: Int, _ runs: ColumnRuns, _ ranges: inout BucketRanges) {
    gather(row: row, from: runs.first, through: runs.last, &ranges)
    if runs.secondLast >= 0 { gather(row: row, from: runs.secondFirst, through: runs.secondLast, &ranges) }
  }

  @inline(__always)
  private func gather(row: Int, from first: Int, through last: Int, _ ranges: inout BucketRanges) {
    let blockMask = 1 << GridShape.blockBits - 1
    var column = first
    while column <= last {
      let end = min(last, column | blockMask)
      let bucket = firstBucket(row: row, block: column >> GridShape.blockBits)
      index_memory_prefetch(bucketStarts.base + bucket + column & blockMask)
      let wanted = UInt16(truncatingIfNeeded: (2 &<< (end & blockMask)) - (1 &<< (column & blockMask)))
      ranges.append(firstBucket: bucket, buckets: wanted)
      column = end + 1
    }
  }

  /// Finds the records of a range and has the first of them fetched. Only where two blocks share their buckets can
  /// there be more than one run of these; the further ones are read at once.
  @inline(__always)
  private func fetch(
    _ range: inout BucketRanges.Range, _ query: GridQuery, _ position: GridPosition, _ body: (Int32) -> Void
  ) {
    var buckets = range.buckets
    guard buckets != 0 else { return }
    (range.start, range.end) = records(range.firstBucket, buckets.removeLowestRun())
    while buckets != 0 {
      let (start, end) = records(range.firstBucket, buckets.removeLowestRun())
      scanRecords(from: Int(start), to: Int(end), query, position, body)
    }
    guard range.start < range.end else { return }
    let first = Int(range.start >> 2)
    for quad in first...min(Int((range.end - 1) >> 2), first + 4) { index_memory_prefetch(quads.base + quad) }
  }

  @inline(__always)
  private func records(_ firstBucket: Int, _ run: (first: Int, count: Int)) -> (start: UInt32, end: UInt32) {
    (bucketStarts[firstBucket + run.first], bucketStarts[firstBucket + run.first + run.count])
  }

  /// Four records at a time. What float arithmetic leaves open is put to the exact test.
  @inline(__always)
  private func scanRecords(
    from start: Int, to end: Int, _ query: GridQuery, _ position: GridPosition, _ body: (Int32) -> Void
  ) {
    guard start < end else { return }
    let (pointX, pointY, pointZ) = (
      SIMD4(repeating: position.x), SIMD4(repeating: position.y), SIMD4(repeating: position.z)
    )
    let tolerances = SIMD4(repeating: tolerance)
    let laneBits = SIMD4<Int32>(1, 2, 4, 8)
    let last = (end - 1) >> 2
    // Lanes of the first and the last four that belong to other buckets.
    var unwanted = Int32(truncatingIfNeeded: 1 &<< (start & 3)) - 1
    for quadIndex in (start >> 2)...last {
      let quad = quads.base + quadIndex
      let dx = SIMD4<Float>(pointX &- quad.pointee.x)
      let dy = SIMD4<Float>(pointY &- quad.pointee.y)
      let dz = SIMD4<Float>(pointZ &- quad.pointee.z)
      let squared = dx * dx + dy * dy + dz * dz
      let outer = quad.pointee.radius + tolerances
      let possible = unsafeBitCast(squared .<= outer * outer, to: SIMD4<Int32>.self)
      var lanes = (possible & laneBits).wrappedSum() & ~unwanted
      unwanted = 0
      if quadIndex == last { lanes &= (2 &<< Int32(truncatingIfNeeded: (end - 1) & 3)) - 1 }
      while lanes != 0 {
        let lane = lanes.trailingZeroBitCount
        lanes &= lanes &- 1
        let slot = slot(record: quadIndex << 2 + lane)
        if isCertain(squared[lane], quad.pointee.radius[lane]) || query.isExactlyInside(slot) { body(slot) }
      }
    }
  }

  @inline(__always)
  private func isCertain(_ squared: Float, _ radius: Float) -> Bool {
    let inner = radius - tolerance
    return inner > 0 && squared <= inner * inner
  }

  private func scanLate(
    row: Int, _ runs: ColumnRuns, _ query: GridQuery, _ position: GridPosition, _ body: (Int32) -> Void
  ) {
    let bits = GridShape.blockBits
    for block in (runs.first >> bits)..<((runs.last >> bits) + 1) {
      scanLate(row: row, block: block, query, position, body)
    }
    guard runs.secondLast >= 0 else { return }
    // Of a row with few columns both runs can lie in one block.
    for block in (runs.secondFirst >> bits)...(runs.secondLast >> bits)
    where block < runs.first >> bits || block > runs.last >> bits {
      scanLate(row: row, block: block, query, position, body)
    }
  }

  private func scanLate(
    row: Int, block: Int, _ query: GridQuery, _ position: GridPosition, _ body: (Int32) -> Void
  ) {
    var index = Int(lateHeads[CellHash.index(row, block, shift: lateShift)])
    while index >= 0 {
      let entry = late[index]
      // A chain holds other blocks too, which have their own turn.
      if entry.row == Int32(truncatingIfNeeded: row) && entry.block == Int32(truncatingIfNeeded: block) {
        test(entry, query, position, body)
      }
      index = Int(entry.next)
    }
  }

  private func test(_ entry: Late, _ query: GridQuery, _ position: GridPosition, _ body: (Int32) -> Void) {
    let dx = Float(position.x &- entry.x)
    let dy = Float(position.y &- entry.y)
    let dz = Float(position.z &- entry.z)
    let squared = dx * dx + dy * dy + dz * dz
    let outer = entry.radius + tolerance
    guard squared <= outer * outer else { return }
    if isCertain(squared, entry.radius) || query.isExactlyInside(entry.slot) { body(entry.slot) }
  }

  private func scanAll(_ query: GridQuery, _ position: GridPosition, _ body: (Int32) -> Void) {
    scanRecords(from: 0, to: recordCount, query, position, body)
    for index in 0..<lateCount { test(late[index], query, position, body) }
  }
}
