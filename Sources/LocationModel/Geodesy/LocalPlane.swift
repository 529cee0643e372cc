import CGeographic

/// A flat map of the surroundings of one place: metres east and north of it.
///
/// Since a degree of longitude has one length on it, a place at the distance d is off by about d² tan(latitude) / 2R:
/// at 65 degrees 0.2 m at 1 km and 17 m at 10 km. What is compared on it lies close together, where this is a scale
/// error of d tan(latitude) / R: 5 cm for two places 15 m apart at 10 km from the origin.
package struct LocalPlane: Hashable, Sendable {
  package let origin: Coordinate
  private let metersNorthPerDegree: Double
  private let metersEastPerDegree: Double

  package init(origin: Coordinate) {
    self.origin = origin
    var north = 0.0
    var east = 0.0
    geographic_metres_per_degree(origin.latitude, &north, &east)
    metersNorthPerDegree = north
    // At a pole every direction is south: no length of a degree of longitude, but still a number to divide by.
    metersEastPerDegree = max(east, 1e-6)
  }

  /// Across the date line too.
  package func meters(to place: Coordinate) -> (east: Double, north: Double) {
    var degrees = place.longitude - origin.longitude
    if degrees > 180 { degrees -= 360 }
    if degrees < -180 { degrees += 360 }
    return (degrees * metersEastPerDegree, (place.latitude - origin.latitude) * metersNorthPerDegree)
  }

  package func place(eastMeters: Double, northMeters: Double) -> Coordinate {
    var longitude = origin.longitude + eastMeters / metersEastPerDegree
    if longitude > 180 { longitude -= 360 }
    if longitude < -180 { longitude += 360 }
    let latitude = min(90, max(-90, origin.latitude + northMeters / metersNorthPerDegree))
    return Coordinate(latitude: latitude, longitude: longitude)
  }
}
