/// Why a `GeofenceIndex` did not take what it was given. Nothing of the index has changed then.
public enum GeofenceIndexError: Error, Equatable, Sendable {
  /// A latitude that is not within 90 degrees or a longitude that is not within 180; NaN is neither.
  case invalidCoordinate(latitude: Double, longitude: Double)
  /// A radius in metres that is negative, infinite or NaN.
  case invalidRadius(meters: Double)
  /// More circles than 2,147,483,647, which is what an index can number.
  case tooManyCircles
}

extension GeofenceIndexError: CustomStringConvertible {
  public var description: String {
    switch self {
    case .invalidCoordinate(let latitude, let longitude):
      "latitude \(latitude), longitude \(longitude) is no place: give a latitude from -90 to 90 and a longitude from "
        + "-180 to 180 degrees"
    case .invalidRadius(let meters):
      "a radius of \(meters) m makes no circle: give a finite number of metres, 0 or more"
    case .tooManyCircles:
      "the index is full: it holds 2147483647 circles at most"
    }
  }
}
