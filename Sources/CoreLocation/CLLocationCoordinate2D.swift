import LocationModel

/// A latitude and a longitude in degrees on the WGS84 ellipsoid, unchecked.
///
/// As on Apple's platforms it is neither Equatable, Hashable nor Codable, so that an app may say what equality and
/// which format it wants.
public struct CLLocationCoordinate2D: Sendable, BitwiseCopyable {
  public var latitude: CLLocationDegrees
  public var longitude: CLLocationDegrees

  /// Latitude 0, longitude 0.
  public init() {
    latitude = 0
    longitude = 0
  }

  public init(latitude: CLLocationDegrees, longitude: CLLocationDegrees) {
    self.latitude = latitude
    self.longitude = longitude
  }
}

/// A coordinate that is not valid: latitude and longitude -180 (behaviour 2.11).
public let kCLLocationCoordinate2DInvalid = CLLocationCoordinate2D(latitude: -180, longitude: -180)

/// Whether the latitude is within 90 degrees and the longitude within 180, bounds included; NaN is not
/// (behaviour 10.10).
public func CLLocationCoordinate2DIsValid(_ coord: CLLocationCoordinate2D) -> Bool {
  Coordinate(coord).isValid
}

/// The coordinate of these two numbers, unchecked.
public func CLLocationCoordinate2DMake(
  _ latitude: CLLocationDegrees, _ longitude: CLLocationDegrees
) -> CLLocationCoordinate2D {
  CLLocationCoordinate2D(latitude: latitude, longitude: longitude)
}

extension CLLocationCoordinate2D {
  @inline(__always)
  package init(_ coordinate: Coordinate) {
    self.init(latitude: coordinate.latitude, longitude: coordinate.longitude)
  }

  /// `<+37.78583400,-122.40641700>`, the form that `CLLocation.description` begins with (behaviour 10.7).
  var textInAngleBrackets: String {
    String(format: "<%+.8f,%+.8f>", latitude, longitude)
  }
}

extension Coordinate {
  @inline(__always)
  package init(_ coordinate: CLLocationCoordinate2D) {
    self.init(latitude: coordinate.latitude, longitude: coordinate.longitude)
  }
}
