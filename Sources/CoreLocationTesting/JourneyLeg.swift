import LocationModel

extension Journey {
  /// A straight stretch at an even speed, a stay, or a turn on the spot.
  struct Leg: Sendable {
    var start: Coordinate
    var azimuthDegrees: Double
    var lengthMeters: Double
    var seconds: Double
    var isIndoors = false
    /// Which way the device points at its beginning, clockwise from true north; nil where the journey does not say.
    var headingDegrees: Double?
    /// How far the device is turned meanwhile, clockwise.
    var turnDegrees = 0.0
    /// Since the journey's start.
    var beginSeconds = 0.0

    var endSeconds: Double { beginSeconds + seconds }
    var moves: Bool { lengthMeters > 0 }
    var isTurn: Bool { turnDegrees != 0 }

    private func fraction(after seconds: Double) -> Double {
      self.seconds > 0 ? min(1, max(0, seconds / self.seconds)) : 1
    }

    func place(after seconds: Double) -> Coordinate {
      guard moves, self.seconds > 0 else { return start }
      return Geodesic.destination(
        from: start, azimuthDegrees: azimuthDegrees, distanceMeters: lengthMeters * fraction(after: seconds))
    }

    func headingDegrees(after seconds: Double) -> Double? {
      headingDegrees.map { CircleAngle.normalized($0 + turnDegrees * fraction(after: seconds)) }
    }

    var endPlace: Coordinate { place(after: seconds) }
    var endHeadingDegrees: Double? { headingDegrees(after: seconds) }

    func sample(after seconds: Double) -> JourneySample {
      JourneySample(
        place: place(after: seconds), metersPerSecond: moves ? lengthMeters / self.seconds : 0,
        courseDegrees: moves ? CircleAngle.normalized(azimuthDegrees) : nil,
        headingDegrees: headingDegrees(after: seconds), isTurning: isTurn)
    }
  }
}

/// Where a device on a journey is at a moment, and how it moves.
struct JourneySample {
  var place: Coordinate
  var metersPerSecond: Double?
  var courseDegrees: Double?
  /// Which way the device points, from true north; nil where the journey does not say.
  var headingDegrees: Double?
  var isTurning = false

  /// Where a device points that points ahead.
  var aheadDegrees: Double? { headingDegrees ?? courseDegrees }
}
