import CoreLocation
import LocationModel
import LocationProviders

/// Where a device goes: drawn leg by leg, or recorded in a file.
///
///     let commute = Journey(from: home)
///       .stay(for: .seconds(600)).walk(to: station).drive(to: office).stay(for: .seconds(3600))
public struct Journey: Sendable {
  /// A straight stretch at an even speed, or a stay.
  struct Leg: Sendable {
    var start: Coordinate
    var azimuthDegrees: Double
    var lengthMeters: Double
    var seconds: Double
    var isIndoors = false
    /// Since the journey's start.
    var beginSeconds = 0.0

    func place(after seconds: Double) -> Coordinate {
      guard lengthMeters > 0, self.seconds > 0 else { return start }
      return Geodesic.destination(
        from: start, azimuthDegrees: azimuthDegrees,
        distanceMeters: lengthMeters * min(1, max(0, seconds / self.seconds)))
    }
  }

  enum Way: Sendable {
    case drawn([Leg], from: Coordinate)
    case recorded([ScheduledFix])
  }

  private(set) var way: Way
  /// What is wrong with the recording: a sentence for each kind of fault, with the file and the line of the first. The
  /// log of a device that goes on it tells them, too.
  public private(set) var notices: [String] = []

  /// Begins at a place, which is one on the Earth.
  public init(from place: CLLocationCoordinate2D) {
    way = .drawn([], from: TestMistake.refuseOffEarth(place, "the place where a journey begins"))
  }

  init(way: Way, notices: [String] = []) {
    self.way = way
    self.notices = notices
  }

  /// Whether it is a place, and no way.
  var isRest: Bool { if case .drawn(let legs, _) = way { legs.isEmpty } else { false } }

  /// How long it takes.
  public var duration: Duration {
    switch way {
    case .drawn(let legs, _):
      .nanoseconds(nanosecondsClamped(fromSeconds: legs.last.map { $0.beginSeconds + $0.seconds } ?? 0))
    case .recorded(let fixes): .nanoseconds(fixes.last?.offsetNanoseconds ?? 0)
    }
  }

  /// Where it begins.
  public var start: CLLocationCoordinate2D { CLLocationCoordinate2D(sample(after: 0).place) }

  /// Where it ends.
  public var end: CLLocationCoordinate2D {
    CLLocationCoordinate2D(endPlace)
  }

  private var endPlace: Coordinate {
    switch way {
    case .drawn(let legs, let start): legs.last.map { $0.place(after: $0.seconds) } ?? start
    case .recorded(let fixes): fixes.last?.fix.coordinate ?? Coordinate(latitude: 0, longitude: 0)
    }
  }

  // MARK: Drawing

  /// Goes straight to a place, at 1.4 m/s unless said otherwise.
  public func walk(to place: CLLocationCoordinate2D, metersPerSecond: Double = 1.4) -> Journey {
    move(to: place, metersPerSecond: metersPerSecond)
  }

  /// Goes straight to a place, at 14 m/s (50 km/h) unless said otherwise.
  public func drive(to place: CLLocationCoordinate2D, metersPerSecond: Double = 14) -> Journey {
    move(to: place, metersPerSecond: metersPerSecond)
  }

  /// Goes straight to a place. A speed that is not above zero and finite is a mistake of the test's, as is a place that
  /// is not on the Earth.
  public func move(to place: CLLocationCoordinate2D, metersPerSecond: Double) -> Journey {
    Self.refuse(metersPerSecond: metersPerSecond)
    let start = endPlace
    let way = Geodesic.way(
      from: start, to: TestMistake.refuseOffEarth(place, "the place where a journey goes"))
    return adding(
      Leg(
        start: start, azimuthDegrees: way.azimuthDegrees, lengthMeters: way.distanceMeters,
        seconds: way.distanceMeters / metersPerSecond))
  }

  /// Goes so many metres in a direction, clockwise from north.
  public func move(meters: Double, courseDegrees: Double, metersPerSecond: Double) -> Journey {
    Self.refuse(metersPerSecond: metersPerSecond)
    precondition(meters >= 0 && meters.isFinite, "a journey goes so many metres, 0 or more, not \(meters)")
    TestMistake.refuseNoNumber(degrees: courseDegrees, "a course")
    return adding(
      Leg(
        start: endPlace, azimuthDegrees: courseDegrees, lengthMeters: meters, seconds: meters / metersPerSecond))
  }

  private static func refuse(metersPerSecond: Double) {
    precondition(
      metersPerSecond > 0 && metersPerSecond.isFinite,
      "a journey moves at a speed above zero, not at \(metersPerSecond) m/s")
  }

  /// Stays where it is.
  ///
  /// - Parameter indoors: in a building: fixes are worse, and a search for satellites mostly finds none.
  public func stay(for duration: Duration, indoors: Bool = false) -> Journey {
    adding(
      Leg(
        start: endPlace, azimuthDegrees: 0, lengthMeters: 0,
        seconds: TestMistake.refuseNegative(duration, "a stay lasts"), isIndoors: indoors))
  }

  private func adding(_ leg: Leg) -> Journey {
    guard case .drawn(let legs, let start) = way else {
      preconditionFailure("a recorded journey ends where its file does: draw what follows as a journey of its own")
    }
    var leg = leg
    leg.beginSeconds = legs.last.map { $0.beginSeconds + $0.seconds } ?? 0
    return Journey(way: .drawn(legs + [leg], from: start))
  }

  // MARK: Looking

  /// Whether it is in a building after so many seconds; where it ends with a stay in one it stays there.
  func isIndoors(after seconds: Double) -> Bool {
    guard case .drawn(let legs, _) = way else { return false }
    return (Self.leg(of: legs, at: seconds) ?? legs.last)?.isIndoors ?? false
  }

  /// The leg that is under way; nil after the last.
  private static func leg(of legs: [Leg], at seconds: Double) -> Leg? {
    var (low, high) = (0, legs.count)
    while low < high {
      let middle = (low + high) / 2
      if legs[middle].beginSeconds + legs[middle].seconds <= seconds { low = middle + 1 } else { high = middle }
    }
    return low < legs.count ? legs[low] : nil
  }

  /// Where it is after so many seconds, how fast and in which direction; its end after it is over.
  func sample(after seconds: Double) -> JourneySample {
    switch way {
    case .drawn(let legs, let start):
      if let leg = Self.leg(of: legs, at: max(0, seconds)) {
        let moves = leg.lengthMeters > 0
        return JourneySample(
          place: leg.place(after: max(0, seconds) - leg.beginSeconds),
          metersPerSecond: moves ? leg.lengthMeters / leg.seconds : 0,
          courseDegrees: moves ? CircleAngle.normalized(leg.azimuthDegrees) : nil)
      }
      return JourneySample(place: legs.isEmpty ? start : endPlace, metersPerSecond: 0, courseDegrees: nil)
    case .recorded(let fixes):
      let offset = nanosecondsClamped(fromSeconds: seconds)
      let fix = (fixes.last { $0.offsetNanoseconds <= offset } ?? fixes.first)?.fix
      return JourneySample(
        place: fix?.coordinate ?? endPlace, metersPerSecond: fix?.speedMetersPerSecond,
        courseDegrees: fix?.courseDegrees)
    }
  }
}

struct JourneySample {
  var place: Coordinate
  var metersPerSecond: Double?
  var courseDegrees: Double?
}

extension Journey {
  /// A recording, GPX or NMEA by its name (`.gpx`; every other name is NMEA), at its own pace with its own gaps. Throws
  /// a sentence that names the file, the line and what was expected; what is left out or mended is in `notices`.
  public init(contentsOf path: String) throws {
    do throws(ReplayError) {
      let format: RecordingFormat = path.lowercased().hasSuffix(".gpx") ? .gpx : .nmea
      let schedule = try ReplaySchedule.open(path, format: format, shortensGaps: false)
      var fixes: [ScheduledFix] = []
      while let fix = try schedule.next() { fixes.append(fix) }
      self.init(way: .recorded(fixes), notices: schedule.notices.map(\.sentence))
    } catch {
      throw SimulationFailure(sentence: "\(error)")
    }
  }
}
