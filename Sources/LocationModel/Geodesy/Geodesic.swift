import CGeographic

/// Shortest paths on the WGS84 ellipsoid, by Karney's algorithm as GeographicLib has it: right to some
/// nanometres, and it converges for every pair of points (behaviour 10.9, algorithms 5).
package enum Geodesic {
  /// Metres between two places; NaN where a latitude is beyond 90 degrees or a value is NaN.
  @inline(__always)
  package static func distanceMeters(from start: Coordinate, to end: Coordinate) -> Double {
    geographic_distance(start.latitude, start.longitude, end.latitude, end.longitude)
  }

  /// Metres between two places, and the direction of the way at both ends, clockwise from north.
  package static func path(
    from start: Coordinate, to end: Coordinate
  ) -> (distanceMeters: Double, startDegrees: Double, endDegrees: Double) {
    var startDegrees = 0.0
    var endDegrees = 0.0
    let length = geographic_inverse(
      start.latitude, start.longitude, end.latitude, end.longitude, &startDegrees, &endDegrees)
    return (length, startDegrees, endDegrees)
  }

  /// The place reached from `start` after `distanceMeters` in the direction `azimuthDegrees`, clockwise from north.
  package static func destination(
    from start: Coordinate, azimuthDegrees: Double, distanceMeters: Double
  ) -> Coordinate {
    var latitude = 0.0
    var longitude = 0.0
    var azimuth = 0.0
    geographic_direct(
      start.latitude, start.longitude, azimuthDegrees, distanceMeters, &latitude, &longitude,
      &azimuth)
    return Coordinate(latitude: latitude, longitude: longitude)
  }

  /// The way from one place to another: its length, and its direction at the start, clockwise from north in
  /// [-180, 180].
  package static func way(
    from start: Coordinate, to end: Coordinate
  ) -> (distanceMeters: Double, azimuthDegrees: Double) {
    var azimuthAtStart = 0.0
    var azimuthAtEnd = 0.0
    let distance = geographic_inverse(
      start.latitude, start.longitude, end.latitude, end.longitude, &azimuthAtStart, &azimuthAtEnd)
    return (distance, azimuthAtStart)
  }
}
