import CoreLocation
import LocationModel

/// Legs, one after the other, from a place or from the end of a recording on. What is no number, no place on the Earth
/// or no time that passes is a mistake of the test's, which ends the process with a sentence: the docstrings say what
/// is taken.
///
/// A leg's `headingDegrees` is which way the device points on it, clockwise from true north, any number of degrees; nil
/// is where it goes. A device that stays or is turned points where it pointed before unless told otherwise. A journey
/// that says so on one leg says it for the whole way: a device that sets out on it points as if it had been told
/// `pointAhead()`, until the test calls `point`.
extension Journey {
  /// Goes straight to a place on the Earth, at 1.4 m/s unless said otherwise.
  ///
  /// - Parameters:
  ///   - metersPerSecond: above zero and finite.
  ///   - headingDegrees: which way the device points meanwhile, from true north; nil is where it goes.
  public func walk(
    to place: CLLocationCoordinate2D, metersPerSecond: Double = 1.4, headingDegrees: Double? = nil
  ) -> Journey {
    move(to: place, metersPerSecond: metersPerSecond, headingDegrees: headingDegrees)
  }

  /// Goes straight to a place on the Earth, at 14 m/s (50 km/h) unless said otherwise.
  ///
  /// - Parameters:
  ///   - metersPerSecond: above zero and finite.
  ///   - headingDegrees: which way the device points meanwhile, from true north; nil is where it goes.
  public func drive(
    to place: CLLocationCoordinate2D, metersPerSecond: Double = 14, headingDegrees: Double? = nil
  ) -> Journey {
    move(to: place, metersPerSecond: metersPerSecond, headingDegrees: headingDegrees)
  }

  /// Goes straight to a place on the Earth; to where it is already takes no time.
  ///
  /// - Parameters:
  ///   - metersPerSecond: above zero and finite.
  ///   - headingDegrees: which way the device points meanwhile, from true north; nil is where it goes.
  public func move(
    to place: CLLocationCoordinate2D, metersPerSecond: Double, headingDegrees: Double? = nil
  ) -> Journey {
    Self.refuse(metersPerSecond: metersPerSecond, headingDegrees: headingDegrees)
    let start = endPlace
    let way = Geodesic.way(
      from: start, to: TestMistake.refuseOffEarth(place, "the place where a journey goes"))
    return adding(
      Leg(
        start: start, azimuthDegrees: way.azimuthDegrees, lengthMeters: way.distanceMeters,
        seconds: way.distanceMeters / metersPerSecond, headingDegrees: headingDegrees))
  }

  /// Goes so many metres in a direction, clockwise from true north.
  ///
  /// - Parameters:
  ///   - meters: zero or more, and finite; zero takes no time.
  ///   - courseDegrees: any number of degrees.
  ///   - metersPerSecond: above zero and finite.
  ///   - headingDegrees: which way the device points meanwhile, from true north; nil is where it goes.
  public func move(
    meters: Double, courseDegrees: Double, metersPerSecond: Double, headingDegrees: Double? = nil
  ) -> Journey {
    Self.refuse(metersPerSecond: metersPerSecond, headingDegrees: headingDegrees)
    TestMistake.refuse(
      unless: meters >= 0 && meters.isFinite, "a journey goes so many metres, 0 or more, not \(meters)")
    TestMistake.refuseNoNumber(degrees: courseDegrees, "a course")
    return adding(
      Leg(
        start: endPlace, azimuthDegrees: courseDegrees, lengthMeters: meters, seconds: meters / metersPerSecond,
        headingDegrees: headingDegrees))
  }

  /// Stays where it is.
  ///
  /// - Parameters:
  ///   - duration: zero or longer.
  ///   - indoors: in a building: fixes are worse, and a search for satellites mostly finds none.
  ///   - headingDegrees: which way the device points meanwhile, from true north; nil is where it pointed before.
  public func stay(for duration: Duration, indoors: Bool = false, headingDegrees: Double? = nil) -> Journey {
    Self.refuse(headingDegrees: headingDegrees)
    return adding(
      Leg(
        start: endPlace, azimuthDegrees: 0, lengthMeters: 0,
        seconds: TestMistake.refuseNegative(duration, "a stay lasts"), isIndoors: indoors,
        headingDegrees: headingDegrees ?? legs.last?.endHeadingDegrees))
  }

  /// Stays where it is, and is turned evenly until it points so many degrees clockwise from true north: the shorter way
  /// round, and clockwise where both are 180 degrees. The compass measures ten times a second meanwhile.
  ///
  ///     Journey(from: home).stay(for: .seconds(5), headingDegrees: 0).turn(toDegrees: 90, over: .seconds(9))
  ///
  /// It begins at the heading of the leg before, or at its course. Where neither is known, as on a first leg, nobody
  /// can say from where it is turned: where it points is known at its end.
  ///
  /// - Parameters:
  ///   - degrees: any number of degrees.
  ///   - duration: zero, which is at once, or longer.
  public func turn(toDegrees degrees: Double, over duration: Duration) -> Journey {
    Self.refuse(headingDegrees: degrees)
    let seconds = TestMistake.refuseNegative(duration, "a turn lasts")
    var leg = Leg(
      start: endPlace, azimuthDegrees: 0, lengthMeters: 0, seconds: seconds, isIndoors: legs.last?.isIndoors ?? false)
    guard let before = endDirectionDegrees else {
      return adding(leg).stay(for: .zero, indoors: leg.isIndoors, headingDegrees: degrees)
    }
    let clockwise = CircleAngle.normalized(degrees - before)
    leg.headingDegrees = before
    leg.turnDegrees = clockwise > 180 ? clockwise - 360 : clockwise
    return adding(leg)
  }

  private static func refuse(metersPerSecond: Double, headingDegrees: Double?) {
    TestMistake.refuse(
      unless: metersPerSecond > 0 && metersPerSecond.isFinite,
      "a journey moves at a speed above zero, not at \(metersPerSecond) m/s")
    refuse(headingDegrees: headingDegrees)
  }

  private static func refuse(headingDegrees: Double?) {
    if let headingDegrees { TestMistake.refuseNoNumber(degrees: headingDegrees, "a heading") }
  }
}
