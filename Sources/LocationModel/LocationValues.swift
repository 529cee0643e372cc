/// A fix with Core Location's sentinels for what the receiver did not say, by the rules of `CLLocation`
/// (behaviour 10.3, 10.4): an accuracy never makes a value valid that was not given, and one accuracy speaks for
/// both heights.
package struct LocationValues {
  package var altitude = 0.0
  package var ellipsoidalAltitude = 0.0
  package var horizontalAccuracy: Double
  package var verticalAccuracy = -1.0
  package var speed = -1.0
  package var speedAccuracy = -1.0
  package var course = -1.0
  package var courseAccuracy = -1.0

  package init(_ fix: Fix) {
    horizontalAccuracy = fix.horizontalAccuracyMeters ?? -1
    if let altitudeMeters = fix.altitudeMeters {
      altitude = altitudeMeters
      verticalAccuracy = fix.verticalAccuracyMeters ?? -1
      if verticalAccuracy > 0 { ellipsoidalAltitude = fix.ellipsoidalAltitudeMeters ?? 0 }
    }
    if let metersPerSecond = fix.speedMetersPerSecond {
      speed = metersPerSecond
      speedAccuracy = fix.speedAccuracyMetersPerSecond ?? -1
    }
    if let degrees = fix.courseDegrees {
      course = degrees
      courseAccuracy = fix.courseAccuracyDegrees ?? -1
    }
  }
}
