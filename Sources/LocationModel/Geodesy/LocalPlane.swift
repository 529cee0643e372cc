import CGeographic

/// A flat map of the surroundings of one place: metres east and north of it.
///
/// Since a degree of longitude has one length on it, a place at the distance d is off by about d² tan(latitude) / 2R:
/// at 65 degrees 0.2 m at 1 km and 17 m at 10 km. What is compared on it lies close together, where this is a scale
/// error of d tan(latitude) / R: 5 cm for two places 15 m apart at 10 km from the origin.
///
/// Beyond 85 degrees, where that grows without bound and north is another direction at every place, it is the azimuthal
/// equidistant map instead: distances and directions from the origin are those of the geodesic.
package struct LocalPlane: Hashable, Sendable {
  package let origin: Coordinate
  private let metersNorthPerDegree: Double
  private let metersEastPerDegree: Double
  private let isPolar: Bool

  private static let polarDegreesMin = 85.0

  package init(origin: Coordinate) {
    self.origin = origin
    isPolar = abs(origin.latitude) > Self.polarDegreesMin
    var north = 0.0
    var east = 0.0
    geographic_metres_per_degree(origin.latitude, &north, &east)
    metersNorthPerDegree = north
    // At a pole every direction is south: no length of a degree of longitude, but still a number to divide by.
    metersEastPerDegree = max(east, 1e-6)
  }

  /// Across the date line too.
  package func meters(to place: Coordinate) -> (east: Double, north: Double) {
    if isPolar {
      let (length, start, _) = Geodesic.path(from: origin, to: place)
      let (sine, cosine) = sineAndCosineOfDegrees(start)
      return (length * sine, length * cosine)
    }
    var degrees = place.longitude - origin.longitude
    if degrees > 180 { degrees -= 360 }
    if degrees < -180 { degrees += 360 }
    return (degrees * metersEastPerDegree, (place.latitude - origin.latitude) * metersNorthPerDegree)
  }

  package func place(eastMeters: Double, northMeters: Double) -> Coordinate {
    if isPolar {
      let length = (eastMeters * eastMeters + northMeters * northMeters).squareRoot()
      let azimuth = arctangentDegrees(y: eastMeters, x: northMeters)
      return Geodesic.destination(from: origin, azimuthDegrees: azimuth, distanceMeters: length)
    }
    var longitude = origin.longitude + eastMeters / metersEastPerDegree
    if longitude > 180 { longitude -= 360 }
    if longitude < -180 { longitude += 360 }
    let latitude = min(90, max(-90, origin.latitude + northMeters / metersNorthPerDegree))
    return Coordinate(latitude: latitude, longitude: longitude)
  }

  /// The direction of north at a place, clockwise from the map's own: 0 but near a pole, where meridians converge.
  package func northDegrees(at place: Coordinate) -> Double {
    guard isPolar else { return 0 }
    // The same geodesic, as the origin sees it and as the place does.
    let (_, start, end) = Geodesic.path(from: origin, to: place)
    return start - end
  }
}
