/// Which of very many circles hold a place, exactly: for servers that watch a fleet, and for everything that has more
/// circles than it wants to measure one by one.
///
/// A circle holds a place where the WGS84 geodesic between centre and place is at most the radius. Most circles are
/// decided by the straight line through the Earth, where that provably suffices (`ChordBound`, `LargeCircle`); what it
/// leaves open is put to GeographicLib, whose error is some nanometres. Poles and the date line are places as any
/// other.
///
/// Radii up to 1,024 km stand in grids, one for each power of four, and cost the same however many there are; larger
/// circles are tried one by one, some nanoseconds each. Beside the circles themselves the index takes less than 60
/// bytes a circle where all came at once, and less than 80 where they came and went (`memoryBytes`).
///
/// A value as any other: copies are independent, and many threads may ask one index at a time. A change to a copy that
/// shares its memory copies all of it first. An insertion sorts a grid anew each time it has grown by a quarter: cheap
/// in the mean, but now and then it takes as long as building does.
public struct GeofenceIndex<Identifier: Hashable & Sendable>: Sendable {
  @usableFromInline var grid: CircleGrid
  /// By slot, as the circles in the grid.
  @usableFromInline var identifiers: [Identifier]
  @usableFromInline var table: SlotTable

  public init() {
    grid = CircleGrid()
    identifiers = []
    table = SlotTable()
  }

  /// All circles at once, which is several times faster than one after the other. Of two with one identifier the later
  /// counts.
  @inlinable
  public init(_ circles: some Sequence<Geofence<Identifier>>) throws(GeofenceIndexError) {
    let expected = circles.underestimatedCount
    grid = CircleGrid()
    grid.reserve(expected)
    identifiers = []
    identifiers.reserveCapacity(expected)
    table = SlotTable()
    for circle in circles {
      try Self.check(circle)
      guard identifiers.count < Int(Int32.max) else { throw .tooManyCircles }
      identifiers.append(circle.identifier)
      grid.append(
        latitude: circle.center.latitude, longitude: circle.center.longitude, radiusMeters: circle.radiusMeters)
    }
    let order = grid.settle()
    identifiers = Self.inOrder(identifiers, order)
    fillTable(arrivals: order)
  }

  @inlinable public var count: Int { identifiers.count }
  @inlinable public var isEmpty: Bool { identifiers.isEmpty }

  /// Bytes that finding takes, and bytes that the circles themselves take: centres, radii and identifiers, without what
  /// an identifier holds elsewhere.
  public var memoryBytes: (index: Int, circles: Int) {
    let (index, circles) = grid.byteCounts
    return (
      index + table.entries.count * MemoryLayout<Int32>.stride,
      circles + identifiers.count * MemoryLayout<Identifier>.stride
    )
  }

  /// The circle of an identifier as it was given.
  @inlinable
  public subscript(identifier: Identifier) -> Geofence<Identifier>? {
    guard let slot = find(identifier).slot else { return nil }
    return circle(slot)
  }

  // MARK: - Asking

  /// Calls with the identifier of each circle that holds the place, once each. The order has no meaning; the same calls
  /// in the same order give the same.
  @inlinable
  public func forEachIdentifier(
    at point: GeofencePoint, _ body: (Identifier) -> Void
  ) throws(GeofenceIndexError) {
    try Self.check(point)
    grid.forEachSlot(latitude: point.latitude, longitude: point.longitude) { slot in body(identifiers[Int(slot)]) }
  }

  /// The identifiers of all circles that hold the place.
  @inlinable
  public func identifiers(at point: GeofencePoint) throws(GeofenceIndexError) -> [Identifier] {
    var result: [Identifier] = []
    try forEachIdentifier(at: point) { result.append($0) }
    return result
  }

  /// What a move from one place to another enters and leaves, both by the circles as they are now. What it only crosses
  /// on its way is in neither.
  @inlinable
  public func changes(
    from old: GeofencePoint, to new: GeofencePoint
  ) throws(GeofenceIndexError) -> GeofenceChanges<Identifier> {
    var inside = try identifiers(at: old)
    return try move(&inside, to: new)
  }

  /// What a thing that was inside some circles enters and leaves by being at a place now; `inside` becomes the
  /// circles that hold this place. A circle that was removed or replaced meanwhile counts as left where it
  /// does not hold the place.
  @inlinable
  public func move(
    _ inside: inout [Identifier], to point: GeofencePoint
  ) throws(GeofenceIndexError) -> GeofenceChanges<Identifier> {
    let now = try identifiers(at: point)
    let changes = GeofenceChanges(
      entered: Self.elements(of: now, notIn: inside), left: Self.elements(of: inside, notIn: now))
    inside = now
    return changes
  }

  // MARK: - Changing

  /// Adds a circle, or puts it in the place of the one with its identifier, which is returned.
  @inlinable @discardableResult
  public mutating func insert(_ circle: Geofence<Identifier>) throws(GeofenceIndexError) -> Geofence<Identifier>? {
    try Self.check(circle)
    ownAlone()
    let (latitude, longitude) = (circle.center.latitude, circle.center.longitude)
    let (place, slot) = find(circle.identifier)
    if let slot {
      let old = self.circle(slot)
      grid.replace(slot: slot, latitude: latitude, longitude: longitude, radiusMeters: circle.radiusMeters)
      return old
    }
    try name(circle.identifier, at: place)
    grid.insert(latitude: latitude, longitude: longitude, radiusMeters: circle.radiusMeters)
    return nil
  }

  /// Takes a circle out and returns it; nil where there is none of this identifier.
  @inlinable @discardableResult
  public mutating func remove(_ identifier: Identifier) -> Geofence<Identifier>? {
    let (place, found) = find(identifier)
    guard let slot = found else { return nil }
    ownAlone()
    let old = circle(slot)
    forget(at: place)
    drop(slot)
    return old
  }
}

/// What a move did.
public struct GeofenceChanges<Identifier: Hashable & Sendable>: Hashable, Sendable {
  /// Circles that hold the new place and did not hold the old one.
  public var entered: [Identifier]
  /// Circles that held the old place and do not hold the new one.
  public var left: [Identifier]

  public init(entered: [Identifier], left: [Identifier]) {
    self.entered = entered
    self.left = left
  }
}
