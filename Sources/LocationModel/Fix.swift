/// One position as a receiver gave it. What the receiver did not say is nil: unknown stays unknown.
package struct Fix: Hashable, Sendable {
  package var coordinate: Coordinate
  /// Radius of the circle that holds the true place with 68 % probability, in metres; nil if unknown.
  package var horizontalAccuracyMeters: Double?
  /// Height above mean sea level.
  package var altitudeMeters: Double?
  /// Height above the WGS84 ellipsoid.
  package var ellipsoidalAltitudeMeters: Double?
  /// 68 % error of either height, in metres; nil makes both heights invalid for apps (behaviour 10.4).
  package var verticalAccuracyMeters: Double?
  package var speedMetersPerSecond: Double?
  package var speedAccuracyMetersPerSecond: Double?
  /// Direction of travel, degrees clockwise from true north in [0, 360).
  package var courseDegrees: Double?
  package var courseAccuracyDegrees: Double?
  /// Storey of the building, 0 the ground floor.
  package var floor: Int?
  /// When the position was measured, in the session's civil time.
  package var time: WallTime
  /// Made by software (a recording, a fixed place, a simulator), not measured now by a receiver (behaviour 10.11).
  package var isSimulated: Bool
  /// Measured by a receiver outside the machine.
  package var isFromAccessory: Bool
  /// Which of several sources gave it.
  package var source: FixSource

  package init(
    coordinate: Coordinate, horizontalAccuracyMeters: Double?, time: WallTime,
    altitudeMeters: Double? = nil, ellipsoidalAltitudeMeters: Double? = nil,
    verticalAccuracyMeters: Double? = nil, speedMetersPerSecond: Double? = nil,
    speedAccuracyMetersPerSecond: Double? = nil, courseDegrees: Double? = nil,
    courseAccuracyDegrees: Double? = nil, floor: Int? = nil, isSimulated: Bool = false,
    isFromAccessory: Bool = false, source: FixSource = .recording
  ) {
    self.coordinate = coordinate
    self.horizontalAccuracyMeters = horizontalAccuracyMeters
    self.altitudeMeters = altitudeMeters
    self.ellipsoidalAltitudeMeters = ellipsoidalAltitudeMeters
    self.verticalAccuracyMeters = verticalAccuracyMeters
    self.speedMetersPerSecond = speedMetersPerSecond
    self.speedAccuracyMetersPerSecond = speedAccuracyMetersPerSecond
    self.courseDegrees = courseDegrees
    self.courseAccuracyDegrees = courseAccuracyDegrees
    self.floor = floor
    self.time = time
    self.isSimulated = isSimulated
    self.isFromAccessory = isFromAccessory
    self.source = source
  }
}

/// Where a fix comes from, as far as it matters for how much of it is believed.
package enum FixSource: UInt8, Hashable, Sendable {
  /// A recording or a fixed place: taken as it stands.
  case recording
  /// A receiver that filters its own positions, as satellite receivers do: bad fixes are refused, good ones left alone.
  case satelliteReceiver
  /// Positions as they were computed, each for itself, as from Wi-Fi or cell towers: filtered here.
  case network
  /// What another location service chose among its own sources, as GeoClue does: bad fixes are refused, good ones left
  /// alone, and a speed may have been made from two places, so that nothing is learned from it.
  case locationService
}
