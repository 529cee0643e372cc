import LocationModel

/// One point of a GPX file, as it is written there; what the file does not say is nil.
package struct TrackPoint: Hashable, Sendable {
  package enum Kind: UInt8, Sendable {
    case track
    case route
    case waypoint
  }

  package var coordinate: Coordinate
  /// `ele`: height above mean sea level, in metres.
  package var elevationMeters: Double?
  package var time: WallTime?
  /// `hAcc` and `vAcc`, as Apple's Health app writes them, in metres.
  package var horizontalAccuracyMeters: Double?
  package var verticalAccuracyMeters: Double?
  /// `speed` of GPX 1.0, of Apple's Health app, or of Garmin's TrackPointExtension 2.
  package var speedMetersPerSecond: Double?
  /// `speedAcc` and `courseAcc`: this project's own writer's, since no common schema has them.
  package var speedAccuracyMetersPerSecond: Double?
  /// `course`, from the same places as the speed: degrees clockwise from true north in [0, 360).
  package var courseDegrees: Double?
  package var courseAccuracyDegrees: Double?
  /// `geoidheight`: mean sea level above the WGS84 ellipsoid, in metres.
  package var geoidHeightMeters: Double?
  /// The line of the file on which the point's element begins; the first is 1. 0 for a point from elsewhere.
  package var line: Int
  /// Which `trkseg` or `rte` of the file, counted together from 0, holds the point; 0 for waypoints.
  package var segment: Int
  package var kind: Kind

  package init(coordinate: Coordinate, time: WallTime? = nil, kind: Kind = .track, segment: Int = 0, line: Int = 0) {
    self.coordinate = coordinate
    self.time = time
    self.kind = kind
    self.segment = segment
    self.line = line
  }
}
