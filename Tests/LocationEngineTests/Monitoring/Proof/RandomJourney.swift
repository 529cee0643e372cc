import Foundation
import LocationModel

/// An hour of a device's life, known to the second: it stands, walks, rides and drives, and never gathers speed faster
/// than 2.5 m/s², nor turns harder than a car on a dry road can. With it the circles near its way.
struct RandomJourney {
  struct Circle {
    var identifier: String
    var center: Coordinate
    var radiusMeters: Double
  }

  /// Where it truly is at each second.
  private(set) var places: [Coordinate] = []
  private(set) var speeds: [Double] = []
  private(set) var courses: [Double] = []
  private(set) var circles: [Circle] = []

  static let seconds = 3_600
  /// 0.8 of gravity: what tyres hold.
  private static let lateralMetersPerSquareSecondMax = 8.0

  init(seed: UInt64, circleCount: Int = 50) {
    var generator = SeededGenerator(seed: seed)
    // All over the world, the date line and the neighbourhood of a pole among them.
    let starts: [(Double, Double)] = [
      (47.5, 19.2), (-33.9, 151.2), (65, 25.5), (0.001, 179.995), (89.97, 10), (-16.8, -180),
    ]
    let start = starts[Int(seed % UInt64(starts.count))]
    var place = Coordinate(latitude: start.0, longitude: start.1)
    var course = generator.number(in: 0...360)
    var speed = 0.0
    var leg = Leg(&generator)
    for _ in 0..<Self.seconds {
      places.append(place)
      speeds.append(speed)
      courses.append((course.truncatingRemainder(dividingBy: 360) + 360).truncatingRemainder(dividingBy: 360))
      if leg.secondsLeft == 0 { leg = Leg(&generator) }
      leg.secondsLeft -= 1
      let change = min(2.4, max(-2.4, leg.speed - speed))
      let metres = max(0, speed + change / 2)
      speed = max(0, speed + change)
      // In a second the course turns by the acceleration aside over the speed.
      let turn = min(leg.wander, Self.lateralMetersPerSquareSecondMax / max(speed, 1) * 180 / .pi)
      course += generator.number(in: -turn...turn)
      guard metres > 0 else { continue }
      let next = Geodesic.destination(from: place, azimuthDegrees: course, distanceMeters: metres)
      // Straight on is another course at the end of the step: near a pole by much.
      course = Geodesic.path(from: place, to: next).endDegrees
      place = next
    }
    for number in 0..<circleCount {
      let near = places[Int.random(in: 0..<places.count, using: &generator)]
      let radius = 50 * pow(30, generator.number(in: 0...1))
      let center = Geodesic.destination(
        from: near, azimuthDegrees: generator.number(in: 0...360),
        distanceMeters: radius * generator.number(in: 0...1.5))
      circles.append(Circle(identifier: "\(number)", center: center, radiusMeters: radius))
    }
  }

  private struct Leg {
    var speed: Double
    var wander: Double
    var secondsLeft: Int

    init(_ generator: inout SeededGenerator) {
      switch Int.random(in: 0..<5, using: &generator) {
      case 0, 1: (speed, wander) = (0, 30)
      case 2: (speed, wander) = (generator.number(in: 0.8...1.8), 8)
      case 3: (speed, wander) = (generator.number(in: 3...8), 5)
      default: (speed, wander) = (generator.number(in: 8...36), 2.5)
      }
      secondsLeft = Int.random(in: 60...600, using: &generator)
    }
  }
}

/// The error of a receiver: it wanders with a time constant of a minute, as those of satellites do (algorithms 1.3),
/// and never exceeds twice the accuracy.
struct WanderingError {
  private var east = 0.0
  private var north = 0.0
  private var generator: SeededGenerator

  init(seed: UInt64) {
    generator = SeededGenerator(seed: seed ^ 0x5eed)
  }

  /// The place as a receiver of this accuracy sees it, so many seconds after the last.
  mutating func seen(_ place: Coordinate, accuracyMeters: Double, seconds: Double) -> Coordinate {
    let kept = exp(-seconds / 60)
    let fresh = (1 - kept * kept).squareRoot()
    east = kept * east + fresh * normal()
    north = kept * north + fresh * normal()
    // In units of an axis' deviation; the 68 % radius is 1.515 of them.
    let length = (east * east + north * north).squareRoot()
    let bound = min(1, 2 * 1.515 / max(length, 1e-9))
    east *= bound
    north *= bound
    let metres = (east * east + north * north).squareRoot() * accuracyMeters / 1.515
    return Geodesic.destination(
      from: place, azimuthDegrees: atan2(east, north) * 180 / .pi, distanceMeters: metres)
  }

  private mutating func normal() -> Double {
    let radius = (-2 * log(generator.number(in: 1e-12...1))).squareRoot()
    return radius * cos(2 * .pi * generator.number(in: 0...1))
  }
}
