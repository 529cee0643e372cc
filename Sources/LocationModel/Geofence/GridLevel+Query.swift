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

/// The blocks that a question has read: two blocks can hash to the same buckets, which must be read once only.
private struct VisitedBlocks {
  struct Visit: BitwiseCopyable {
    var firstBucket: Int
    /// A bit for each column of the block.
    var columns: UInt16
  }

  /// Three rows of at most three blocks, and some for rows that the date line cuts.
  static let capacity = 16
  let visits: UnsafeMutableBufferPointer<Visit>
  var count = 0

  /// What of the wanted columns has not been read before; it is taken as read now.
  @inline(__always)
  mutating func unread(firstBucket: Int, wanted: UInt16) -> UInt16 {
    for index in 0..<count where visits[index].firstBucket == firstBucket {
      let new = wanted & ~visits[index].columns
      visits[index].columns |= wanted
      return new
    }
    visits.initializeElement(at: count, to: Visit(firstBucket: firstBucket, columns: wanted))
    count += 1
    return wanted
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
    let bit = CellHash.index(row, column >> GridShape.markBits, shift: markShift)
    return marks[bit >> 6] & (1 << UInt64(bit & 63)) != 0
  }

  /// Gives the slot of each circle that holds the place, once.
  @inline(never)
  func forEachSlot(_ query: GridQuery, _ body: (Int32) -> Void) {
    let row = shape.row(latitude: query.latitude)
    let reach = longitudeReach(query, row: row)
    let south = runs(row: row - 1, query, reach)
    let middle = runs(row: row, query, reach)
    let north = runs(row: row + 1, query, reach)
    guard south.blockCount + middle.blockCount + north.blockCount <= VisitedBlocks.capacity else {
      return scanAll(query, body)
    }
    withUnsafeTemporaryAllocation(of: VisitedBlocks.Visit.self, capacity: VisitedBlocks.capacity) { visits in
      var visited = VisitedBlocks(visits: visits)
      scan(row: row - 1, south, query, &visited, body)
      scan(row: row, middle, query, &visited, body)
      scan(row: row + 1, north, query, &visited, body)
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
  private func scan(
    row: Int, _ runs: ColumnRuns, _ query: GridQuery, _ visited: inout VisitedBlocks, _ body: (Int32) -> Void
  ) {
    scan(row: row, from: runs.first, through: runs.last, query, &visited, body)
    if runs.secondLast >= 0 {
      scan(row: row, from: runs.secondFirst, through: runs.secondLast, query, &visited, body)
    }
  }

  private func scan(
    row: Int, from first: Int, through last: Int, _ query: GridQuery, _ visited: inout VisitedBlocks,
    _ body: (Int32) -> Void
  ) {
    let blockMask = 1 << GridShape.blockBits - 1
    var column = first
    while column <= last {
      let block = column >> GridShape.blockBits
      let end = min(last, column | blockMask)
      let bucket = firstBucket(row: row, block: block)
      let wanted = UInt16(truncatingIfNeeded: (2 << (end & blockMask)) - (1 << (column & blockMask)))
      let unread = visited.unread(firstBucket: bucket, wanted: wanted)
      if unread == wanted {
        scanBuckets(from: bucket + column & blockMask, through: bucket + end & blockMask, query, body)
      } else {
        for offset in 0...blockMask where unread & (1 << UInt16(offset)) != 0 {
          scanBuckets(from: bucket + offset, through: bucket + offset, query, body)
        }
      }
      if lateCount > 0 { scanLate(row: row, block: block, query, body) }
      column = end + 1
    }
  }

  @inline(__always)
  private func scanBuckets(from first: Int, through last: Int, _ query: GridQuery, _ body: (Int32) -> Void) {
    scanRecords(from: Int(bucketStarts[first]), to: Int(bucketStarts[last + 1]), query, body)
  }

  /// Four records at a time. What float arithmetic leaves open is put to the exact test.
  private func scanRecords(from start: Int, to end: Int, _ query: GridQuery, _ body: (Int32) -> Void) {
    let (pointX, pointY, pointZ) = (
      SIMD4(repeating: query.position.x), SIMD4(repeating: query.position.y), SIMD4(repeating: query.position.z)
    )
    let tolerances = SIMD4(repeating: tolerance)
    let laneBits = SIMD4<Int32>(1, 2, 4, 8)
    var index = start
    while index < end {
      // `padding` is why reading beyond the last record is right.
      let dx = SIMD4<Float>(pointX &- Self.four(x, index))
      let dy = SIMD4<Float>(pointY &- Self.four(y, index))
      let dz = SIMD4<Float>(pointZ &- Self.four(z, index))
      let squared = dx * dx + dy * dy + dz * dz
      let radii = Self.four(radius, index)
      let outer = radii + tolerances
      let possible = unsafeBitCast(squared .<= outer * outer, to: SIMD4<Int32>.self)
      var lanes = (possible & laneBits).wrappedSum()
      if end - index < 4 { lanes &= 1 << Int32(truncatingIfNeeded: end - index) - 1 }
      while lanes != 0 {
        let lane = lanes.trailingZeroBitCount
        lanes &= lanes - 1
        let slot = slots[index + lane]
        if isCertain(squared[lane], radii[lane]) || query.isExactlyInside(slot) { body(slot) }
      }
      index += 4
    }
  }

  @inline(__always)
  private static func four<Number: BitwiseCopyable>(_ numbers: UnmanagedArray<Number>, _ index: Int) -> SIMD4<Number> {
    assert(index + 4 <= numbers.count)
    return UnsafeRawPointer(numbers.base + index).loadUnaligned(as: SIMD4<Number>.self)
  }

  @inline(__always)
  private func isCertain(_ squared: Float, _ radius: Float) -> Bool {
    let inner = radius - tolerance
    return inner > 0 && squared <= inner * inner
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
