extension GeofenceIndex {
  @inlinable
  static func check(_ point: GeofencePoint) throws(GeofenceIndexError) {
    // Written so that NaN fails.
    guard abs(point.latitude) <= 90 && abs(point.longitude) <= 180 else {
      throw .invalidCoordinate(latitude: point.latitude, longitude: point.longitude)
    }
  }

  @inlinable
  static func check(_ circle: Geofence<Identifier>) throws(GeofenceIndexError) {
    try check(circle.center)
    guard circle.radiusMeters >= 0 && circle.radiusMeters.isFinite else {
      throw .invalidRadius(meters: circle.radiusMeters)
    }
  }

  /// Where the identifier stands in the table or would stand, and its slot if it has one.
  @inlinable
  func find(_ identifier: Identifier) -> (place: Int, slot: Int32?) {
    var place = table.start(identifier.hashValue)
    while true {
      let slot = table.entries[place]
      if slot == SlotTable.none { return (place, nil) }
      if identifiers[Int(slot)] == identifier { return (place, slot) }
      place = table.after(place)
    }
  }

  /// Gives a new identifier the next slot.
  @inlinable
  mutating func name(_ identifier: Identifier, at place: Int) throws(GeofenceIndexError) {
    guard let slot = Int32(exactly: identifiers.count), slot < .max else { throw .tooManyCircles }
    identifiers.append(identifier)
    table.set(place, to: slot)
    if table.isFull { growTable() }
  }

  @inlinable
  static func inOrder(_ identifiers: [Identifier], _ order: [Int32]) -> [Identifier] {
    [Identifier](unsafeUninitializedCapacity: order.count) { ordered, count in
      HugePages.advise(ordered.baseAddress, byteCount: order.count * MemoryLayout<Identifier>.stride)
      for slot in order {
        ordered.initializeElement(at: count, to: identifiers[Int(slot)])
        count += 1
      }
    }
  }

  /// Enters all identifiers, whose circles stand in the grid; of two that are equal the one that arrived later stays.
  @inlinable
  mutating func fillTable(arrivals: [Int32]) {
    table = SlotTable(capacity: identifiers.count)
    var losers: [Int32] = []
    var first = 0
    while first < identifiers.count {
      // Hashes of some at a time, so that the places they need are fetched together.
      let end = min(first + 32, identifiers.count)
      for slot in first..<end { table.prefetch(identifiers[slot].hashValue) }
      for slot in first..<end {
        let (place, other) = find(identifiers[slot])
        if let other, arrivals[Int(other)] > arrivals[slot] {
          losers.append(Int32(truncatingIfNeeded: slot))
        } else {
          if let other { losers.append(other) }
          table.set(place, to: Int32(truncatingIfNeeded: slot))
        }
      }
      first = end
    }
    // From the end, so that what moves to a loser's slot is no loser itself.
    for loser in losers.sorted(by: >) { drop(loser) }
  }

  /// Removes the circle of a slot that no place of the table leads to; the last one gets its slot.
  @inlinable
  mutating func drop(_ slot: Int32) {
    let last = Int32(truncatingIfNeeded: identifiers.count - 1)
    if last != slot {
      table.set(find(identifiers[Int(last)]).place, to: slot)
      identifiers[Int(slot)] = identifiers[Int(last)]
    }
    identifiers.removeLast()
    grid.remove(slot: slot)
  }

  @inlinable
  mutating func growTable() {
    table = SlotTable(capacity: table.count * 2)
    for (slot, identifier) in identifiers.enumerated() {
      table.set(find(identifier).place, to: Int32(truncatingIfNeeded: slot))
    }
  }

  /// Empties a place of the table. What stands behind it and was pushed away from its own place moves up, so that a
  /// search never meets a gap before what it looks for.
  @inlinable
  mutating func forget(at place: Int) {
    var gap = place
    var next = table.after(gap)
    while table.entries[next] != SlotTable.none {
      let slot = table.entries[next]
      let home = table.start(identifiers[Int(slot)].hashValue)
      // Does the search from `home` to `next` pass the gap? Distances are taken around the end of the table.
      let mask = table.entries.count - 1
      if (next - home) & mask >= (next - gap) & mask {
        table.set(gap, to: slot)
        gap = next
      }
      next = table.after(next)
    }
    table.clear(gap)
  }

  @inlinable
  func circle(_ slot: Int32) -> Geofence<Identifier> {
    let (latitude, longitude, radiusMeters) = grid.circle(slot)
    return Geofence(
      identifier: identifiers[Int(slot)], latitude: latitude, longitude: longitude, radiusMeters: radiusMeters)
  }

  /// Copies the grid where another value holds it too.
  @inlinable
  mutating func ownAlone() {
    if !isKnownUniquelyReferenced(&grid) { grid = CircleGrid(copying: grid) }
  }

  /// In the order of the first. Beyond a few elements a set is faster than looking through the other array.
  @inlinable
  static func elements(of first: [Identifier], notIn second: [Identifier]) -> [Identifier] {
    if second.count <= 16 { return first.filter { !second.contains($0) } }
    let other = Set(second)
    return first.filter { !other.contains($0) }
  }
}
