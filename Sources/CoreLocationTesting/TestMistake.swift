import CoreLocation
import LocationModel

/// What only a test's author can get wrong ends the process with a sentence: there is nothing that a test could do
/// about it while it runs.
enum TestMistake {
  /// - Parameter what: of which place it is spoken, as the sentence begins.
  static func refuseOffEarth(_ place: CLLocationCoordinate2D, _ what: String) -> Coordinate {
    precondition(
      CLLocationCoordinate2DIsValid(place), "\(what) is on the Earth, not at \(place.latitude), \(place.longitude)")
    return Coordinate(place)
  }

  /// Seconds of a duration that is not negative.
  static func refuseNegative(_ duration: Duration, _ what: String) -> Double {
    precondition(duration >= .zero, "\(what) 0 s or longer, not \(duration.inSeconds) s")
    return duration.inSeconds
  }

  static func refuseNoNumber(degrees: Double, _ what: String) {
    precondition(degrees.isFinite, "\(what) is a number of degrees, not \(degrees)")
  }

  /// What a device's clock can show: whole years, as of the dates in recordings.
  private static let wallSeconds = -9_214_560_000.0..<9_214_646_400.0

  static func refuseBeyondClock(start: Date) {
    precondition(
      wallSeconds.contains(start.timeIntervalSince1970), "a device's time is in the years 1678 to 2261, not \(start)")
  }

  static func refuseBeyondClock(_ time: WallTime, advancedBySeconds seconds: Double) {
    precondition(
      time.secondsSince1970 + seconds < wallSeconds.upperBound,
      "a device's time ends with the year 2261: it cannot move on by \(seconds) s")
  }
}
