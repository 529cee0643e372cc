import CoreLocation
import LocationModel

/// What only a test's author can get wrong, and what cannot be thrown where it is written, ends the process with a
/// sentence that says what to write instead.
enum TestMistake {
  /// Written in every build: of `precondition` an optimized one tells nothing.
  static func refuse(unless isSound: Bool, _ sentence: @autoclosure () -> String) {
    guard !isSound else { return }
    let sentence = sentence()
    write(sentence)
    preconditionFailure(sentence)
  }

  private static func write(_ sentence: String) { FileHandle.standardError.write(Data((sentence + "\n").utf8)) }

  /// - Parameter what: of which place it is spoken, as the sentence begins.
  static func refuseOffEarth(_ place: CLLocationCoordinate2D, _ what: String) -> Coordinate {
    refuse(
      unless: CLLocationCoordinate2DIsValid(place),
      "\(what) is on the Earth, not at \(place.latitude), \(place.longitude)")
    return Coordinate(place)
  }

  /// Seconds of a duration that is not negative.
  static func refuseNegative(_ duration: Duration, _ what: String) -> Double {
    refuse(unless: duration >= .zero, "\(what) 0 s or longer, not \(duration.inSeconds) s")
    return duration.inSeconds
  }

  static func refuseNoNumber(degrees: Double, _ what: String) {
    refuse(unless: degrees.isFinite, "\(what) is a number of degrees, not \(degrees)")
  }

  /// What a device's clock can show: whole years, as of the dates in recordings.
  private static let wallSeconds = -9_214_560_000.0..<9_214_646_400.0

  static func refuseBeyondClock(start: Date) {
    refuse(
      unless: wallSeconds.contains(start.timeIntervalSince1970),
      "a device's time is in the years 1678 to 2261, not \(start)")
  }

  /// What is wrong with moving on by so much; nil where nothing is.
  static func beyondClock(_ time: WallTime, advancedBySeconds seconds: Double) -> String? {
    time.secondsSince1970 + seconds < wallSeconds.upperBound
      ? nil : "a device's time ends with the year 2261: it cannot move on by \(seconds) s"
  }

  /// Where the test's line is known.
  static func end(_ sentence: String, _ fileID: StaticString, _ line: UInt) -> Never {
    write("\(fileID):\(line): \(sentence)")
    preconditionFailure(sentence, file: fileID, line: line)
  }
}
