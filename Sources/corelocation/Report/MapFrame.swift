import LocationModel

/// Places to points of the map, with the whole journey on it. The map is `width` units wide.
struct MapFrame {
  static let width = 1_000.0
  private static let marginShare = 0.08
  private static let spanMetersMin = 100.0

  let height: Double
  /// Metres on the ground, at the map's middle, in one unit.
  let metersPerUnit: Double
  private let projection: MapProjection
  private let left: Double
  private let top: Double

  /// - Parameter circles: are on the map wholly.
  init(places: [Coordinate], circles: [(center: Coordinate, radiusMeters: Double)]) {
    let projection = MapProjection(places: places, circles: circles)
    self.projection = projection
    var box = MapBox()
    for place in places { box.add(projection.meters(place), margin: 0) }
    for circle in circles {
      box.add(
        projection.meters(circle.center), margin: circle.radiusMeters * projection.enlargement(at: circle.center))
    }
    box.widen(toAtLeast: Self.spanMetersMin)
    // Neither a stripe nor a tower: people look at it on phones.
    let aspect = min(1.1, max(0.55, (box.north - box.south) / (box.east - box.west)))
    let spanEast = max(box.east - box.west, (box.north - box.south) / aspect) / (1 - 2 * Self.marginShare)
    metersPerUnit = spanEast / Self.width
    height = (Self.width * aspect).rounded()
    left = (box.west + box.east) / 2 - spanEast / 2
    top = (box.north + box.south) / 2 + height * metersPerUnit / 2
  }

  func point(_ place: Coordinate) -> (x: Double, y: Double) {
    let meters = projection.meters(place)
    return ((meters.east - left) / metersPerUnit, (top - meters.north) / metersPerUnit)
  }

  /// So many metres of the ground at a place, in units.
  func units(ofMeters meters: Double, at place: Coordinate) -> Double {
    meters * projection.enlargement(at: place) / metersPerUnit
  }

  /// Else only in its middle, since the journey is near a pole.
  var isNorthUpEverywhere: Bool { !projection.isPolar }

  /// A pole that lies on the map, where no direction is north's.
  var pole: Coordinate? {
    guard projection.isPolar else { return nil }
    return [90.0, -90.0].map { Coordinate(latitude: $0, longitude: 0) }.first { pole in
      let point = point(pole)
      return (0...Self.width).contains(point.x) && (0...height).contains(point.y)
    }
  }

  /// A round length that takes at most a third of the width.
  var scaleMeters: Double {
    let longest = Self.width * metersPerUnit / 3
    var power = 1.0
    while power * 10 <= longest { power *= 10 }
    return [5, 2, 1].map { $0 * power }.first { $0 <= longest } ?? power
  }
}

private struct MapBox {
  var west = Double.infinity
  var east = -Double.infinity
  var south = Double.infinity
  var north = -Double.infinity

  mutating func add(_ meters: (east: Double, north: Double), margin: Double) {
    west = min(west, meters.east - margin)
    east = max(east, meters.east + margin)
    south = min(south, meters.north - margin)
    north = max(north, meters.north + margin)
  }

  mutating func widen(toAtLeast span: Double) {
    if west > east { (west, east, south, north) = (0, 0, 0, 0) }
    let lackEast = max(0, span - (east - west)) / 2
    let lackNorth = max(0, span / 2 - (north - south)) / 2
    west -= lackEast
    east += lackEast
    south -= lackNorth
    north += lackNorth
  }
}
