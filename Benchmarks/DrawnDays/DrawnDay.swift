import CoreLocation
import CoreLocationTesting
import LocationModel

/// A day of 24 hours, about 20 km, 5 % of it on the move, from a seed (algorithms 1.4): home, a walk to the car, half an
/// hour through the town, work, a walk to lunch and back, and home again. Stays are indoors, but for two minutes at the
/// car. Where the device was is known at every moment, and fixes are made from that.
package struct DrawnDay {
  package private(set) var journey: Journey
  /// From where the device was on the move, and how long, in seconds since midnight.
  package private(set) var moves: [ClosedRange<Double>] = []
  /// Where it stayed: each for ten minutes at least.
  package private(set) var stays: [(place: CLLocationCoordinate2D, seconds: ClosedRange<Double>)] = []
  package private(set) var lengthMeters = 0.0
  /// Eight circles: four around stays, four on the way.
  package private(set) var circles: [CLCircularRegion] = []
  private var generator: DayGenerator
  private var waypoints: [CLLocationCoordinate2D] = []

  package static let daySeconds = 86_400.0

  package init(seed: UInt64) {
    generator = DayGenerator(state: seed)
    let home = CLLocationCoordinate2D(latitude: 48.137 + Double(seed) * 0.01, longitude: 11.575)
    journey = Journey(from: home)
    stay(untilHour: 7.5)
    walk(minutes: 12, courseDegrees: 40)
    journey = journey.stay(for: .seconds(120))
    drive(minutes: 25, courseDegrees: 70)
    stay(untilHour: 12.2)
    walk(minutes: 10, courseDegrees: 150)
    stay(untilHour: 12.9)
    walk(minutes: 10, courseDegrees: 330)
    stay(untilHour: 17.6)
    drive(minutes: 25, courseDegrees: 250)
    journey = journey.stay(for: .seconds(120))
    walk(minutes: 12, courseDegrees: 220)
    stay(untilHour: 24)
    drawCircles()
  }

  /// The same way without the stays.
  package var movesOnly: Journey { onlyMoves.reduce(Journey(from: start)) { $1($0) } }

  private var onlyMoves: [(Journey) -> Journey] = []
  private var start: CLLocationCoordinate2D { stays.first?.place ?? journey.end }
  /// So far.
  private var seconds: Double {
    Double(journey.duration.components.seconds) + Double(journey.duration.components.attoseconds) / 1e18
  }

  // MARK: Drawing

  private mutating func stay(untilHour hour: Double) {
    let begin = seconds
    journey = journey.stay(for: .seconds(hour * 3_600 - begin), indoors: true)
    stays.append((journey.end, begin...seconds))
  }

  private mutating func move(meters: Double, courseDegrees: Double, metersPerSecond: Double) {
    journey = journey.move(meters: meters, courseDegrees: courseDegrees, metersPerSecond: metersPerSecond)
    onlyMoves.append { $0.move(meters: meters, courseDegrees: courseDegrees, metersPerSecond: metersPerSecond) }
    lengthMeters += meters
  }

  /// At 1.4 m/s, more or less, turning at corners.
  private mutating func walk(minutes: Double, courseDegrees: Double) {
    let begin = seconds
    let end = begin + minutes * 60
    while seconds < end {
      let speed = 1.2 + 0.4 * generator.unit()
      let length = min(60 + 120 * generator.unit(), (end - seconds) * speed)
      move(
        meters: max(0.1, length), courseDegrees: courseDegrees + 60 * (generator.unit() - 0.5),
        metersPerSecond: speed)
    }
    moves.append(begin...seconds)
    waypoints.append(journey.end)
  }

  /// Block by block: gathers speed at 1.5 m/s², goes on at 7 to 18 m/s, brakes, and waits at most corners, up to a minute.
  private mutating func drive(minutes: Double, courseDegrees: Double) {
    let end = seconds + minutes * 60
    while seconds < end {
      let begin = seconds
      let fastest = 7 + 11 * generator.unit()
      let course = courseDegrees + 80 * (generator.unit() - 0.5)
      for step in stride(from: 1.5, to: fastest, by: 3) {
        move(meters: step * 2, courseDegrees: course, metersPerSecond: step)
      }
      let length = 60 + 260 * generator.unit()
      move(meters: length, courseDegrees: course, metersPerSecond: fastest)
      for step in stride(from: fastest, to: 1.5, by: -3) {
        move(meters: step * 2, courseDegrees: course, metersPerSecond: max(1, step))
      }
      waypoints.append(journey.end)
      moves.append(begin...seconds)
      guard generator.unit() < 0.65 else { continue }
      let wait = 5 + 75 * generator.unit()
      journey = journey.stay(for: .seconds(wait))
      onlyMoves.append { $0.stay(for: .seconds(wait)) }
    }
  }

  /// Of 150 m, around the places of stays and corners of the way, a little beside it.
  private mutating func drawCircles() {
    let places = [stays[0].place, stays[1].place, stays[2].place]
    let corners = [1, 3, 5, 7, 9].map { waypoints[waypoints.count * $0 / 10] }
    for (number, place) in (places + corners).enumerated() {
      let beside = CLLocationCoordinate2D(
        latitude: place.latitude + 0.0006 * (generator.unit() - 0.5),
        longitude: place.longitude + 0.0009 * (generator.unit() - 0.5))
      circles.append(CLCircularRegion(center: beside, radius: 150, identifier: "circle \(number)"))
    }
  }
}

/// SplitMix64 (Steele, Lea, Flood 2014).
struct DayGenerator {
  var state: UInt64

  mutating func unit() -> Double {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return Double((mixed ^ (mixed >> 31)) >> 11) * 0x1p-53
  }
}
