/// A circle as it was given: what the exact test needs.
struct ExactCircle {
  var latitude: Double
  var longitude: Double
  var radiusMeters: Double

  /// The definition that the whole index answers by: WGS84 geodesic distance at most the radius.
  @inline(never)
  func contains(latitude pointLatitude: Double, longitude pointLongitude: Double) -> Bool {
    Geodesic.distanceMeters(
      from: Coordinate(latitude: latitude, longitude: longitude),
      to: Coordinate(latitude: pointLatitude, longitude: pointLongitude)) <= radiusMeters
  }
}
