import LocationModel

/// Places to points of the map: Mercator about the middle of the journey, so that angles and small shapes are true and
/// north is up. The map is `width` units wide.
struct MapFrame {
  static let width = 1_000.0
  private static let earthRadiusMeters = 6_371_008.8
  private static let marginShare = 0.08
  private static let spanMetersMin = 100.0

  let height: Double
  /// Metres on the ground, at the map's middle, in one unit.
  let metersPerUnit: Double
  private let reference: Coordinate
  private let left: Double
  private let top: Double

  /// - Parameter circles: are on the map wholly.
  init(places: [Coordinate], circles: [(center: Coordinate, radiusMeters: Double)]) {
    let reference = places.first ?? circles.first?.center ?? Coordinate(latitude: 0, longitude: 0)
    self.reference = reference
    var box = MapBox()
    for place in places { box.add(Self.meters(place, reference), margin: 0) }
    for circle in circles { box.add(Self.meters(circle.center, reference), margin: circle.radiusMeters) }
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
    let meters = Self.meters(place, reference)
    return ((meters.east - left) / metersPerUnit, (top - meters.north) / metersPerUnit)
  }

  /// Metres at the latitude of the reference.
  private static func meters(_ place: Coordinate, _ reference: Coordinate) -> (east: Double, north: Double) {
    var degrees = place.longitude - reference.longitude
    if degrees > 180 { degrees -= 360 }
    if degrees < -180 { degrees += 360 }
    let scale = earthRadiusMeters * cosineOfDegrees(latitude(of: reference))
    return (degrees * .pi / 180 * scale, (mercator(place) - mercator(reference)) * scale)
  }

  /// Where web maps end, too: Mercator's poles are infinitely far away.
  private static func latitude(of place: Coordinate) -> Double { min(85.05, max(-85.05, place.latitude)) }

  private static func mercator(_ place: Coordinate) -> Double {
    let (sine, cosine) = sineAndCosineOfDegrees(latitude(of: place))
    // ln 10
    return decimalLogarithm((1 + sine) / cosine) * 2.302_585_092_994_046
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
