import LocationModel

/// Places to metres on a flat sheet, as long as on the ground in the journey's middle. Both ways of it are true in
/// angles and small shapes, so that a circle on the ground is one on the sheet.
enum MapProjection {
  /// As web maps are, north up everywhere. Its poles are infinitely far away.
  case mercator(latitude: Double, longitude: Double)
  /// The Earth as seen from the journey's antipode (stereographic), for journeys near a pole. North is up in the middle
  /// only.
  case polar(middle: Coordinate)

  private static let earthRadiusMeters = 6_371_008.8
  /// Beyond it Mercator's scale changes by more than a tenth in 100 km.
  private static let latitudeMax = 80.0
  /// The antipode of the middle is infinitely far away.
  private static let polarDegreesMax = 150.0

  init(places: [Coordinate], circles: [(center: Coordinate, radiusMeters: Double)]) {
    let circleEdges = circles.map { circle in
      abs(circle.center.latitude) + circle.radiusMeters / Self.earthRadiusMeters * 180 / .pi
    }
    let all = places + circles.map(\.center)
    let latitudes = all.map(\.latitude)
    let farthest = max(latitudes.map(abs).max() ?? 0, circleEdges.max() ?? 0)
    guard let first = all.first, farthest > Self.latitudeMax else {
      let south = latitudes.min() ?? 0, north = latitudes.max() ?? 0
      self = .mercator(latitude: (south + north) / 2, longitude: all.first?.longitude ?? 0)
      return
    }
    self = .polar(middle: Self.middle(of: all, first))
  }

  var isPolar: Bool { if case .polar = self { true } else { false } }

  /// Across the date line and the pole, too.
  func meters(_ place: Coordinate) -> (east: Double, north: Double) {
    switch self {
    case .mercator(let latitude, let longitude):
      var degrees = place.longitude - longitude
      if degrees > 180 { degrees -= 360 }
      if degrees < -180 { degrees += 360 }
      let scale = Self.earthRadiusMeters * cosineOfDegrees(latitude)
      return (degrees * .pi / 180 * scale, (Self.mercator(place.latitude) - Self.mercator(latitude)) * scale)
    case .polar(let middle):
      let (length, start, _) = Geodesic.path(from: middle, to: place)
      let (sine, cosine) = sineAndCosineOfDegrees(start)
      let half = sineAndCosineOfDegrees(Self.degrees(length) / 2)
      let radius = 2 * Self.earthRadiusMeters * half.sine / half.cosine
      return (radius * sine, radius * cosine)
    }
  }

  /// How much longer a metre of the ground at a place is drawn than one in the middle.
  func enlargement(at place: Coordinate) -> Double {
    switch self {
    case .mercator(let latitude, _): return cosineOfDegrees(latitude) / cosineOfDegrees(place.latitude)
    case .polar(let middle):
      let cosine = cosineOfDegrees(Self.degrees(Geodesic.distanceMeters(from: middle, to: place)) / 2)
      return 1 / (cosine * cosine)
    }
  }

  private static func degrees(_ meters: Double) -> Double {
    min(polarDegreesMax, meters / earthRadiusMeters * 180 / .pi)
  }

  private static func mercator(_ latitude: Double) -> Double {
    let (sine, cosine) = sineAndCosineOfDegrees(latitude)
    // ln 10
    return decimalLogarithm((1 + sine) / cosine) * 2.302_585_092_994_046
  }

  /// Halfway between the farthest south, west, up and down in space: of a way across a pole the pole, of one along a
  /// parallel not its one end.
  private static func middle(of places: [Coordinate], _ first: Coordinate) -> Coordinate {
    var low = [Double](repeating: .infinity, count: 3), high = [Double](repeating: -.infinity, count: 3)
    for place in places {
      let (latitudeSine, latitudeCosine) = sineAndCosineOfDegrees(place.latitude)
      let (longitudeSine, longitudeCosine) = sineAndCosineOfDegrees(place.longitude)
      let point = [latitudeCosine * longitudeCosine, latitudeCosine * longitudeSine, latitudeSine]
      for axis in 0..<3 {
        low[axis] = min(low[axis], point[axis])
        high[axis] = max(high[axis], point[axis])
      }
    }
    let point = zip(low, high).map { ($0 + $1) / 2 }
    let equatorial = (point[0] * point[0] + point[1] * point[1]).squareRoot()
    let latitude = arctangentDegrees(y: point[2], x: equatorial)
    // So near to a pole, and to the Earth's centre, a longitude is nothing but rounding.
    guard equatorial > 1e-9 else { return Coordinate(latitude: latitude, longitude: first.longitude) }
    return Coordinate(latitude: latitude, longitude: arctangentDegrees(y: point[1], x: point[0]))
  }
}
