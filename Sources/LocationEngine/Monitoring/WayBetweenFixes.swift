import LocationModel

/// Where a device can have gone between two fixes, as far as a circle in between must have seen it.
///
/// Every way of the length L between two places a distance D apart stays within √(L² - D²) / 2 of the straight line
/// between them: the ellipse that has the two as its foci. L comes from the speeds at both ends where those are known,
/// and else from the greatest believable speed, which seldom proves anything. D is what the errors of the fixes leave
/// of their distance: the nearer the two really were, the wider the ellipse.
struct WayBetweenFixes {
  private let start: WatchedFix
  private let end: WatchedFix
  private let seconds: Double
  private let distanceMeters: Double
  private let lengthMeters: Double
  /// How far aside the device may have been, the errors of the fixes included.
  private let asideMeters: Double
  /// How well both courses have to agree with the straight line, as a cosine.
  private let agreementMin: Double

  init(from start: WatchedFix, to end: WatchedFix, seconds: Double, policy: Policy) {
    self.start = start
    self.end = end
    self.seconds = seconds
    distanceMeters = start.point.chordMeters(to: end.point)
    let told = Self.toldMeters(start, end, seconds: seconds)
    if let told, told * policy.regionPassDetourRatio >= distanceMeters {
      lengthMeters = max(distanceMeters, told) * policy.regionPassDetourRatio
    } else {
      // Faster in between than at either end, or of unknown speed: nothing is known of the way.
      lengthMeters = max(distanceMeters, policy.speedMetersPerSecondMax * seconds)
    }
    let startError = start.accuracyMeters * policy.regionErrorsPerAccuracy
    let endError = end.accuracyMeters * policy.regionErrorsPerAccuracy
    let shortest = max(0, distanceMeters - startError - endError)
    let squared = max(0, lengthMeters * lengthMeters - shortest * shortest)
    asideMeters = squared.squareRoot() / 2 + max(startError, endError)
    agreementMin = cosineOfDegrees(policy.regionPassCourseDegreesMax)
  }

  /// Whether both ends were on the straight line's course: speeds alone do not tell a straight way from a bend.
  private func agreesWithCourses(east: Double, north: Double, on plane: LocalPlane) -> Bool {
    let length = (east * east + north * north).squareRoot()
    return [start, end].allSatisfy { fix in
      guard let told = fix.courseDegrees else { return false }
      let course = told + plane.northDegrees(at: fix.coordinate)
      return cosineOfDegrees(90 - course) * east + cosineOfDegrees(course) * north >= agreementMin * length
    }
  }

  /// The length of the way as the speeds at both ends tell it.
  private static func toldMeters(_ start: WatchedFix, _ end: WatchedFix, seconds: Double) -> Double? {
    guard let first = start.speedMetersPerSecondMax, let last = end.speedMetersPerSecondMax else { return nil }
    return (first + last) / 2 * seconds
  }

  /// How long the device was in the circle on the straight way at an even speed; 0 where some way avoids the circle.
  func secondsInside(center: Coordinate, radiusMeters: Double) -> Double {
    // A chord cannot be longer than the way; of a larger circle it could only graze the rim.
    guard distanceMeters > 0, radiusMeters <= distanceMeters, asideMeters < radiusMeters else { return 0 }
    let plane = LocalPlane(origin: center)
    let first = plane.meters(to: start.coordinate)
    let last = plane.meters(to: end.coordinate)
    let east = last.east - first.east
    let north = last.north - first.north
    let squared = east * east + north * north
    guard squared > 0, agreesWithCourses(east: east, north: north, on: plane) else { return 0 }
    let along = -(first.east * east + first.north * north) / squared
    guard along > 0, along < 1 else { return 0 }
    let nearestEast = first.east + along * east
    let nearestNorth = first.north + along * north
    let nearestSquared = nearestEast * nearestEast + nearestNorth * nearestNorth
    guard nearestSquared.squareRoot() + asideMeters < radiusMeters else { return 0 }
    let chord = 2 * (radiusMeters * radiusMeters - nearestSquared).squareRoot()
    return chord / lengthMeters * seconds
  }
}
