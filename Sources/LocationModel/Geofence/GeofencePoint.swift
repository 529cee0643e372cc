/// A place that a `GeofenceIndex` is asked about: degrees on the WGS84 ellipsoid, north and east positive.
public struct GeofencePoint: Hashable, Sendable {
  public var latitude: Double
  public var longitude: Double

  public init(latitude: Double, longitude: Double) {
    self.latitude = latitude
    self.longitude = longitude
  }
}

/// A circle on the WGS84 ellipsoid: all places whose geodesic distance to the centre is at most the radius.
public struct Geofence<Identifier: Hashable & Sendable>: Hashable, Sendable {
  /// What an answer names; a second circle of the same identifier replaces the first.
  public var identifier: Identifier
  public var center: GeofencePoint
  public var radiusMeters: Double

  public init(identifier: Identifier, center: GeofencePoint, radiusMeters: Double) {
    self.identifier = identifier
    self.center = center
    self.radiusMeters = radiusMeters
  }

  public init(identifier: Identifier, latitude: Double, longitude: Double, radiusMeters: Double) {
    self.init(
      identifier: identifier, center: GeofencePoint(latitude: latitude, longitude: longitude),
      radiusMeters: radiusMeters)
  }
}
