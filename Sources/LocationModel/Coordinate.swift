/// A place on the WGS84 ellipsoid, in degrees: latitude north positive, longitude east positive.
package struct Coordinate: Hashable, Sendable {
  package var latitude: Double
  package var longitude: Double

  package init(latitude: Double, longitude: Double) {
    self.latitude = latitude
    self.longitude = longitude
  }

  /// Latitude within 90 degrees, longitude within 180, neither NaN (behaviour 10.10).
  package var isValid: Bool {
    abs(latitude) <= 90 && abs(longitude) <= 180
  }
}
