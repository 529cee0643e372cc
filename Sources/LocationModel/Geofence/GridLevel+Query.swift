import CIndexMemory

/// A question on its way through the grid.
struct GridQuery {
  let latitude: Double
  let longitude: Double
  let position: GridPosition
  let circles: UnmanagedArray<ExactCircle>

  @inline(__always)
  func isExactlyInside(_ slot: Int32) -> Bool {
    circles[Int(slot)].contains(latitude: latitude, longitude: longitude)
  }
}

/// The records that a question has to read, gathered first so that memory can fetch them all at a time.
///
/// Two blocks can hash to the same buckets, which must be read once only; so it is kept which have been.
private struct RecordRanges {
  struct Range: BitwiseCopyable {
    var firstBucket: Int
    /// A bit for each column of the block.
    var columns: UInt16
    var start: UInt32
    var end: UInt32
  }

  /// Three rows of at most three blocks, and some for rows that the date line cuts.
  static let capacity = 16
  let ranges: UnsafeMutableBufferPointer<Range>
  var count = 0

  @inline(__always)
  mutating func append(_ range: Range) {
    ranges.initializeElement(at: count, to: range)
    count &+= 1
  }

  /// What of the wanted columns has been asked for by no range yet.
  @inline(__always)
  func unread(firstBucket: Int, wanted: UInt16) -> UInt16 {
    var unread = wanted
    for index in 0..<count where ranges[index].firstBucket == firstBucket { unread &= ~ranges[index].columns }
    return unread
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
  func forEachSlot(_ query: GridQuery, _ body: (Int32) -> Void) {
    let row = shape.row(latitude: query.latitude)
    let reach = longitudeReach(query, row: row)
    let south = runs(row: row - 1, query, reach)
    let middle = runs(row: row, query, reach)
    let north = runs(row: row + 1, query, reach)
    guard south.blockCount + middle.blockCount + north.blockCount <= RecordRanges.capacity else {
      return scanAll(query, body)
    }
    withUnsafeTemporaryAllocation(of: RecordRanges.Range.self, capacity: RecordRanges.capacity) { buffer in
      var ranges = RecordRanges(ranges: buffer)
      gather(row: row - 1, south, query, &ranges, body)
      gather(row: row, middle, query, &ranges, body)
      gather(row: row + 1, north, query, &ranges, body)
      for index in 0..<ranges.count { prefetch(ranges.ranges[index]) }
      for index in 0..<ranges.count {
        let range = ranges.ranges[index]
        scanRecords(from: Int(range.start), to: Int(range.end), query, body)
      }
    }
    if lateCount > 0 {
      scanLate(row: row - 1, south, query, body)
      scanLate(row: row, middle, query, body)
      scanLate(row: row + 1, north, query, body)
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
  private func gather(
    row: Int, _ runs: ColumnRuns, _ query: GridQuery, _ ranges: inout RecordRanges, _ body: (Int32) -> Void
  ) {
    gather(row: row, from: runs.first, through: runs.last, query, &ranges, body)
    if runs.secondLast >= 0 {
      gather(row: row, from: runs.secondFirst, through: runs.secondLast, query, &ranges, body)
    }
  }

  @inline(__always)
  private func gather(
    row: Int, from first: Int, through last: Int, _ query: GridQuery, _ ranges: inout RecordRanges,
    _ body: (Int32) -> Void
  ) {
    let blockMask = 1 << GridShape.blockBits - 1
    var column = first
    while column <= last {
      let block = column >> GridShape.blockBits
      let end = min(last, column | blockMask)
      let bucket = firstBucket(row: row, block: block)
      let wanted = UInt16(truncatingIfNeeded: (2 &<< (end & blockMask)) - (1 &<< (column & blockMask)))
      let unread = ranges.unread(firstBucket: bucket, wanted: wanted)
      if unread == wanted {
        ranges.append(
          RecordRanges.Range(
            firstBucket: bucket, columns: wanted, start: bucketStarts[bucket + column & blockMask],
            end: bucketStarts[bucket + end & blockMask + 1]))
      } else {
        scan(columns: unread, firstBucket: bucket, query, body)
        ranges.append(RecordRanges.Range(firstBucket: bucket, columns: unread, start: 0, end: 0))
      }
      column = end + 1
    }
  }

  /// What is left of a block that shares its buckets with another one.
  @inline(never)
  private func scan(columns: UInt16, firstBucket: Int, _ query: GridQuery, _ body: (Int32) -> Void) {
    for offset in 0..<UInt16.bitWidth where columns & (1 << UInt16(offset)) != 0 {
      let bucket = firstBucket + offset
      scanRecords(from: Int(bucketStarts[bucket]), to: Int(bucketStarts[bucket + 1]), query, body)
    }
  }

  @inline(__always)
  private func prefetch(_ range: RecordRanges.Range) {
    guard range.start < range.end else { return }
    for quad in Int(range.start >> 2)...min(Int((range.end - 1) >> 2), Int(range.start >> 2) + 4) {
      index_memory_prefetch(quads.base + quad)
    }
  }

  /// Four records at a time. What float arithmetic leaves open is put to the exact test.
  @inline(__always)
  private func scanRecords(from start: Int, to end: Int, _ query: GridQuery, _ body: (Int32) -> Void) {
    guard start < end else { return }
    let (pointX, pointY, pointZ) = (
      SIMD4(repeating: query.position.x), SIMD4(repeating: query.position.y), SIMD4(repeating: query.position.z)
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

  private func scanLate(row: Int, _ runs: ColumnRuns, _ query: GridQuery, _ body: (Int32) -> Void) {
    scanLate(row: row, from: runs.first, through: runs.last, query, body)
    scanLate(row: row, from: runs.secondFirst, through: runs.secondLast, query, body)
  }

  private func scanLate(
    row: Int, from first: Int, through last: Int, _ query: GridQuery, _ body: (Int32) -> Void
  ) {
    guard first <= last else { return }
    for block in (first >> GridShape.blockBits)...(last >> GridShape.blockBits) {
      scanLate(row: row, block: block, query, body)
    }
  }

  private func scanLate(row: Int, block: Int, _ query: GridQuery, _ body: (Int32) -> Void) {
    var index = Int(lateHeads[CellHash.index(row, block, shift: lateShift)])
    while index >= 0 {
      let entry = late[index]
      // A chain holds other blocks too, which have their own turn.
      if entry.row == Int32(truncatingIfNeeded: row) && entry.block == Int32(truncatingIfNeeded: block) {
        test(entry, query, body)
      }
      index = Int(entry.next)
    }
  }

  private func test(_ entry: Late, _ query: GridQuery, _ body: (Int32) -> Void) {
    let dx = Float(query.position.x &- entry.x)
    let dy = Float(query.position.y &- entry.y)
    let dz = Float(query.position.z &- entry.z)
    let squared = dx * dx + dy * dy + dz * dz
    let outer = entry.radius + tolerance
    guard squared <= outer * outer else { return }
    if isCertain(squared, entry.radius) || query.isExactlyInside(entry.slot) { body(entry.slot) }
  }

  private func scanAll(_ query: GridQuery, _ body: (Int32) -> Void) {
    scanRecords(from: 0, to: recordCount, query, body)
    for index in 0..<lateCount { test(late[index], query, body) }
  }
}
