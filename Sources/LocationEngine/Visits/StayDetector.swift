import LocationModel

/// Finds stays in a stream of fixes, dense or sparse: the stay-point rule of Li and Zheng (2008), one fix at a time.
///
/// Distances and durations are those of the fixes, not of their delivery, and memory is bounded however long a stay.
struct StayDetector {
  /// The newest fixes that lie together, the oldest first: a stay once they span the time of an arrival.
  private var window: [Point] = []
  /// One fix away from the rest, which the next fix may show to be an error.
  private var stray: Point?
  /// Moving was seen, so that the next stay's arrival is known (behaviour 8.2).
  private var hasSeenMoving = false
  private(set) var stay: Stay?
  private var lastTime: WallTime?

  struct Point {
    var coordinate: Coordinate
    var accuracyMeters: Double
    var time: WallTime
  }

  /// Fixes kept of a stay that is not one yet: more than come in its time at one a second are thinned out.
  private static let windowCountMax = 256

  /// Whether a stay may just be ending, so that the next fixes decide.
  var isLeaving: Bool { stay?.outside.isEmpty == false }

  /// How long until a fix may show that a stay has ended; nil where nothing says that it may have.
  func secondsUntilDecision(after time: WallTime, policy: Policy) -> Double? {
    guard let stay, let left = stay.outside.first else { return nil }
    return max(
      0, policy.visitDepartureSeconds - time.seconds(since: left.time),
      policy.visitMergeSeconds - time.seconds(since: stay.lastInside))
  }

  /// What the fix shows: an arrival, a departure, or both in turn after a long silence.
  mutating func observe(_ fix: Fix, policy: Policy) -> [Visit] {
    let accuracy = fix.horizontalAccuracyMeters ?? policy.unknownAccuracyMeters
    guard accuracy <= policy.visitAccuracyMetersMax, lastTime.map({ fix.time > $0 }) ?? true else { return [] }
    lastTime = fix.time
    let point = Point(coordinate: fix.coordinate, accuracyMeters: accuracy, time: fix.time)
    var visits: [Visit] = []
    if stay != nil {
      guard let left = remain(point, policy: policy) else { return [] }
      visits.append(left)
    } else {
      gather(point, policy: policy)
    }
    if let arrived = arrive(policy) { visits.append(arrived) }
    return visits
  }

  /// A stay that is known already: its middle stands for what was seen of it.
  mutating func resume(_ known: Visit) {
    guard let seen = known.departure else { return }
    let middle = Point(coordinate: known.coordinate, accuracyMeters: known.radiusMeters, time: seen)
    stay = Stay([middle], arrival: known.arrival)
    lastTime = seen
  }

  // MARK: Arriving

  private mutating func gather(_ point: Point, policy: Policy) {
    guard let anchor = window.first, !Self.isInside(point, of: anchor, policy) else {
      stray = nil
      append(point)
      return
    }
    guard let stray else {
      self.stray = point
      return
    }
    self.stray = nil
    hasSeenMoving = true
    append(stray)
    append(point)
    let together = window.firstIndex { Self.isInside(point, of: $0, policy) }
    window.removeFirst(together ?? 0)
  }

  private static func isInside(_ point: Point, of anchor: Point, _ policy: Policy) -> Bool {
    let accuracy = max(point.accuracyMeters, anchor.accuracyMeters)
    return Geodesic.distanceMeters(from: anchor.coordinate, to: point.coordinate)
      <= max(policy.visitRadiusMeters, policy.visitAccuracyFactor * accuracy)
  }

  private mutating func append(_ point: Point) {
    window.append(point)
    guard window.count > Self.windowCountMax else { return }
    // Every second one, the first and the last among them.
    window = window.indices.filter { $0.isMultiple(of: 2) }.map { window[$0] }
  }

  private mutating func arrive(_ policy: Policy) -> Visit? {
    guard let first = window.first, let last = window.last,
      last.time.seconds(since: first.time) >= policy.visitArrivalSeconds
    else { return nil }
    stay = Stay(window, arrival: hasSeenMoving ? first.time : nil)
    window = []
    stray = nil
    return stay?.visit(departure: nil, policy: policy)
  }

  // MARK: Staying and leaving

  /// The visit that ended, if this fix says so. What was seen since it ended may be the next one.
  private mutating func remain(_ point: Point, policy: Policy) -> Visit? {
    guard let center = stay?.center, let lastInside = stay?.lastInside else { return nil }
    let distance = Geodesic.distanceMeters(from: center, to: point.coordinate)
    let radius = max(policy.visitRadiusMeters, policy.visitAccuracyFactor * point.accuracyMeters)
    if distance <= radius + policy.visitDepartureMeters {
      stay?.returnTo(point, isInside: distance <= radius)
      return nil
    }
    stay?.outside.append(point)
    if let count = stay?.outside.count, count > Self.windowCountMax { stay?.outside.remove(at: 1) }
    let outsideSeconds = stay?.outside.first.map { point.time.seconds(since: $0.time) } ?? 0
    guard outsideSeconds >= policy.visitDepartureSeconds,
      point.time.seconds(since: lastInside) >= policy.visitMergeSeconds
    else { return nil }
    let ended = stay
    stay = nil
    hasSeenMoving = true
    for outside in ended?.outside ?? [] { gather(outside, policy: policy) }
    return ended?.visit(departure: lastInside, policy: policy)
  }
}

/// A stay under way: its middle and spread, in bounded memory.
struct Stay {
  /// Distances kept for the radius; beyond, every second one is dropped and only every other fix counts.
  private static let sampleCountMax = 256
  private let plane: LocalPlane
  private let arrival: WallTime?
  private var eastSum = 0.0
  private var northSum = 0.0
  private var count = 0.0
  private var sample: [(east: Double, north: Double)] = []
  private var stride = 1
  private var untilNext = 1
  private(set) var lastInside: WallTime
  /// Fixes outside since the last one inside.
  var outside: [StayDetector.Point] = []

  /// - Parameter points: at least one.
  init(_ points: [StayDetector.Point], arrival: WallTime?) {
    plane = LocalPlane(origin: points[0].coordinate)
    self.arrival = arrival
    lastInside = points[0].time
    for point in points { add(point) }
  }

  var center: Coordinate {
    plane.place(eastMeters: eastSum / count, northMeters: northSum / count)
  }

  mutating func returnTo(_ point: StayDetector.Point, isInside: Bool) {
    outside = []
    if isInside { add(point) } else { lastInside = point.time }
  }

  private mutating func add(_ point: StayDetector.Point) {
    let (east, north) = plane.meters(to: point.coordinate)
    eastSum += east
    northSum += north
    count += 1
    lastInside = point.time
    untilNext -= 1
    guard untilNext == 0 else { return }
    sample.append((east, north))
    if sample.count > Self.sampleCountMax {
      sample = sample.indices.filter { $0.isMultiple(of: 2) }.map { sample[$0] }
      stride *= 2
    }
    untilNext = stride
  }

  /// The radius holds 95 % of the fixes (algorithms 7), and is never said to be smaller than a place is.
  func visit(departure: WallTime?, policy: Policy) -> Visit {
    let (east, north) = (eastSum / count, northSum / count)
    let distances = sample.map { point in
      ((point.east - east) * (point.east - east) + (point.north - north) * (point.north - north)).squareRoot()
    }.sorted()
    let rank = Int((Double(distances.count) * 0.95).rounded(.up)) - 1
    let radius = distances.isEmpty ? 0 : distances[max(0, rank)]
    return Visit(
      coordinate: center, radiusMeters: max(radius, policy.visitRadiusMetersMin), arrival: arrival,
      departure: departure)
  }
}
