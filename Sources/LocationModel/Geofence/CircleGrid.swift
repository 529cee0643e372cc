import CGeographic

/// Numbered circles, found by place: what stands behind every `GeofenceIndex`, whatever its identifiers are.
///
/// Slots are 0 to `count` - 1 without a gap: where one is removed the last takes its number. Whoever changes a grid
/// must be the only one to hold it (`GeofenceIndex` copies it otherwise); any number of threads may ask at a time.
@usableFromInline
final class CircleGrid: @unchecked Sendable {
  /// How a circle is looked for.
  private enum Home {
    case level(Int)
    case large
  }

  private var circles: UnmanagedArray<ExactCircle>
  @usableFromInline private(set) var count = 0
  /// One for each of `GridShape.all`.
  private let levels: UnsafeMutablePointer<GridLevel>
  private let levelCount = GridShape.all.count
  /// A bit for each level that holds circles.
  private var levelsInUse: UInt32 = 0
  /// Which level has the circles that a level would take: itself, or a coarser one that they were joined to.
  private var levelOfNominal: [Int]
  private var large: [LargeCircle] = []

  @usableFromInline
  init() {
    circles = UnmanagedArray()
    levels = .allocate(capacity: levelCount)
    levelOfNominal = Array(0..<levelCount)
    for (index, shape) in GridShape.all.enumerated() {
      var level = GridLevel(shape: shape)
      level.build(slots: [], circles: circles)
      (levels + index).initialize(to: level)
    }
  }

  @usableFromInline
  init(copying other: CircleGrid) {
    circles = other.circles.copy()
    count = other.count
    levels = .allocate(capacity: levelCount)
    for index in 0..<levelCount { (levels + index).initialize(to: other.levels[index].copy()) }
    levelsInUse = other.levelsInUse
    levelOfNominal = other.levelOfNominal
    large = other.large
  }

  deinit {
    for index in 0..<levelCount { levels[index].release() }
    levels.deallocate()
    circles.release()
  }

  /// Bytes that the index takes for finding circles, and those that hold the circles themselves.
  @usableFromInline var byteCounts: (index: Int, circles: Int) {
    var index = levelCount * MemoryLayout<GridLevel>.stride + large.count * MemoryLayout<LargeCircle>.stride
    for number in 0..<levelCount { index += levels[number].byteCount }
    return (index, circles.byteCount)
  }

  @usableFromInline
  func circle(_ slot: Int32) -> (latitude: Double, longitude: Double, radiusMeters: Double) {
    let circle = circles[Int(slot)]
    return (circle.latitude, circle.longitude, circle.radiusMeters)
  }

  // MARK: - Asking

  /// Calls with the slot of each circle that holds the place, once each, in no order that means anything.
  @usableFromInline
  func forEachSlot(latitude: Double, longitude: Double, _ body: (Int32) -> Void) {
    var remaining = levelsInUse
    while remaining != 0 {
      let level = levels + remaining.trailingZeroBitCount
      if level.pointee.mayHold(latitude: latitude, longitude: longitude) {
        return forEachSlot(inLevels: remaining, latitude, longitude, body)
      }
      remaining &= remaining - 1
    }
    if !large.isEmpty { forEachLargeSlot(latitude, longitude, body) }
  }

  @inline(never)
  private func forEachSlot(
    inLevels levelsToAsk: UInt32, _ latitude: Double, _ longitude: Double, _ body: (Int32) -> Void
  ) {
    var query = GridQuery(latitude: latitude, longitude: longitude, circles: circles)
    var remaining = levelsToAsk
    while remaining != 0 {
      let level = levels + remaining.trailingZeroBitCount
      if level.pointee.mayHold(latitude: latitude, longitude: longitude) { level.pointee.forEachSlot(&query, body) }
      remaining &= remaining - 1
    }
    if !large.isEmpty { forEachLargeSlot(latitude, longitude, body) }
  }

  private func forEachLargeSlot(_ latitude: Double, _ longitude: Double, _ body: (Int32) -> Void) {
    let point = UnitVector(latitude: latitude, longitude: longitude)
    for circle in large {
      let squared = point.chordSquared(to: circle.direction)
      guard squared <= circle.possiblyInsideSquared else { continue }
      if squared <= circle.certainlyInsideSquared
        || circles[Int(circle.slot)].contains(latitude: latitude, longitude: longitude)
      {
        body(circle.slot)
      }
    }
  }

  @usableFromInline
  func contains(slot: Int32, latitude: Double, longitude: Double) -> Bool {
    circles[Int(slot)].contains(latitude: latitude, longitude: longitude)
  }

  // MARK: - Changing

  /// Takes a circle without finding it a home: `settle` does that for all of them at once.
  @usableFromInline
  func append(latitude: Double, longitude: Double, radiusMeters: Double) {
    if count == circles.count { reserve(max(8, count + count / 2)) }
    circles[count] = ExactCircle(latitude: latitude, longitude: longitude, radiusMeters: radiusMeters)
    count += 1
  }

  @usableFromInline
  func reserve(_ capacity: Int) {
    circles = circles.grown(to: capacity, filler: ExactCircle(latitude: 0, longitude: 0, radiusMeters: 0))
  }

  /// Builds everything from the circles that were appended to an empty grid, and numbers them anew so that circles that
  /// are near each other have numbers that are: gives the old slot of each.
  @usableFromInline
  func settle() -> [Int32] {
    var slots = [[Int32]](repeating: [], count: levelCount + 1)
    var counts = [Int](repeating: 0, count: levelCount + 1)
    for slot in 0..<count { counts[nominalLevel(circles[slot])] += 1 }
    for level in slots.indices { slots[level].reserveCapacity(counts[level]) }
    for slot in 0..<count { slots[nominalLevel(circles[slot])].append(Int32(truncatingIfNeeded: slot)) }
    joinSmallLevels(&slots)
    var order: [Int32] = []
    var firstSlots: [Int] = []
    for level in 0..<levelCount {
      firstSlots.append(order.count)
      if slots[level].isEmpty { continue }
      order += levels[level].sort(slots: slots[level], circles: circles)
      levelsInUse |= 1 << UInt32(level)
    }
    order += slots[levelCount]
    let unordered = circles
    circles = UnmanagedArray(count: count) { unordered[Int(order[$0])] }
    unordered.release()
    for level in 0..<levelCount where !slots[level].isEmpty {
      levels[level].fill(firstSlot: firstSlots[level], circles: circles)
    }
    for slot in (count - slots[levelCount].count)..<count {
      large.append(LargeCircle(circles[slot], slot: Int32(truncatingIfNeeded: slot)))
    }
    return order
  }

  /// Every level that has circles costs each question something. Where the next coarser one has many more, a level's
  /// circles are better off there.
  private func joinSmallLevels(_ slots: inout [[Int32]]) {
    for level in 0..<(levelCount - 1) where slots[level].count * 4 <= slots[level + 1].count {
      slots[level + 1] += slots[level]
      slots[level] = []
      for finer in 0...level where levelOfNominal[finer] == level { levelOfNominal[finer] = level + 1 }
    }
  }

  @usableFromInline
  func insert(latitude: Double, longitude: Double, radiusMeters: Double) {
    append(latitude: latitude, longitude: longitude, radiusMeters: radiusMeters)
    settle(slot: Int32(truncatingIfNeeded: count - 1))
  }

  @usableFromInline
  func replace(slot: Int32, latitude: Double, longitude: Double, radiusMeters: Double) {
    unsettle(slot: slot)
    circles[Int(slot)] = ExactCircle(latitude: latitude, longitude: longitude, radiusMeters: radiusMeters)
    settle(slot: slot)
  }

  /// Removes a circle; the last one, if it is another, gets its number.
  @usableFromInline
  func remove(slot: Int32) {
    unsettle(slot: slot)
    let last = Int32(truncatingIfNeeded: count - 1)
    if last != slot {
      let moved = circles[Int(last)]
      switch home(moved) {
      case .level(let level): levels[level].renumber(moved, from: last, to: slot)
      case .large:
        for index in large.indices where large[index].slot == last { large[index].slot = slot }
      }
      circles[Int(slot)] = moved
    }
    count -= 1
  }

  /// The finest level that takes the circle; the number of levels for a large one.
  private func nominalLevel(_ circle: ExactCircle) -> Int {
    var level = 0
    while level < levelCount && circle.radiusMeters > levels[level].shape.reachMeters { level += 1 }
    return level
  }

  private func home(_ circle: ExactCircle) -> Home {
    let level = nominalLevel(circle)
    return level < levelCount ? .level(levelOfNominal[level]) : .large
  }

  private func build(_ level: Int, _ slots: [Int32]) {
    levels[level].build(slots: slots, circles: circles)
    levelsInUse = slots.isEmpty ? levelsInUse & ~(1 << UInt32(level)) : levelsInUse | 1 << UInt32(level)
  }

  private func settle(slot: Int32) {
    let circle = circles[Int(slot)]
    switch home(circle) {
    case .level(let level):
      if levels[level].insertLate(circle, slot: slot) {
        levelsInUse |= 1 << UInt32(level)
      } else {
        build(level, levels[level].liveSlots + [slot])
      }
    case .large: large.append(LargeCircle(circle, slot: slot))
    }
  }

  private func unsettle(slot: Int32) {
    let circle = circles[Int(slot)]
    switch home(circle) {
    case .level(let level):
      levels[level].remove(circle, slot: slot)
      if levels[level].isMostlyRemoved || levels[level].liveCount == 0 { build(level, levels[level].liveSlots) }
    case .large: large.removeAll { $0.slot == slot }
    }
  }
}
