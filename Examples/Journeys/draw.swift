// Draws what a receiver would have recorded, and prints it on standard output; `make journeys` puts it in its place.
//
//   draw-journeys walk-drive-stop   once a second: a walk to the car, a drive along country roads, a wait at their end
//   draw-journeys commute           every ten seconds: the same way to work, a morning there, and the way home
//
// The place is invented: open steppe, no road of the drawing exists. The same seed draws the same file, byte for byte.

import Glibc

// MARK: - Chance

/// SplitMix64: small, and the same everywhere.
struct SeededGenerator: RandomNumberGenerator {
  var state: UInt64

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }

  /// A number of the open interval from 0 to 1.
  mutating func uniform() -> Double {
    (Double(next() >> 11) + 0.5) * 0x1p-53
  }

  /// A number of the normal distribution with mean 0 and deviation 1 (Box and Muller's method).
  mutating func normal() -> Double {
    (-2 * log(uniform())).squareRoot() * cos(2 * .pi * uniform())
  }
}

/// A receiver's error along one axis: a slow wander, which is what a track shows, and a little noise on top.
struct ReceiverError {
  /// How long the wander remembers itself.
  static let memorySeconds = 60.0
  let wanderMeters: Double
  let noiseMeters: Double
  var wander: Double

  init(wanderMeters: Double, noiseMeters: Double, using generator: inout SeededGenerator) {
    self.wanderMeters = wanderMeters
    self.noiseMeters = noiseMeters
    wander = wanderMeters * generator.normal()
  }

  /// The error one second later.
  mutating func nextMeters(using generator: inout SeededGenerator) -> Double {
    let kept = exp(-1 / Self.memorySeconds)
    wander = kept * wander + (1 - kept * kept).squareRoot() * wanderMeters * generator.normal()
    return wander + noiseMeters * generator.normal()
  }

  /// The deviation of both parts together.
  var deviationMeters: Double {
    (wanderMeters * wanderMeters + noiseMeters * noiseMeters).squareRoot()
  }
}

// MARK: - The way

/// A stretch of the way: so long, so fast, turning so far from one end to the other.
struct Leg {
  var seconds: Int
  var metersPerSecond: Double
  var turnDegrees = 0.0
}

/// On foot at 1.4 m/s: 510 s.
let walk = [
  Leg(seconds: 120, metersPerSecond: 1.4), Leg(seconds: 10, metersPerSecond: 1.4, turnDegrees: 80),
  Leg(seconds: 150, metersPerSecond: 1.4, turnDegrees: -20), Leg(seconds: 10, metersPerSecond: 1.4, turnDegrees: -95),
  Leg(seconds: 130, metersPerSecond: 1.4, turnDegrees: 15), Leg(seconds: 90, metersPerSecond: 1.4, turnDegrees: 40),
]

/// By car at 8 to 16 m/s, slower in the turns, from standing to standing: 780 s.
let drive = [
  Leg(seconds: 60, metersPerSecond: 10), Leg(seconds: 12, metersPerSecond: 8, turnDegrees: 90),
  Leg(seconds: 140, metersPerSecond: 15, turnDegrees: 12), Leg(seconds: 14, metersPerSecond: 8, turnDegrees: -85),
  Leg(seconds: 120, metersPerSecond: 14, turnDegrees: -25), Leg(seconds: 40, metersPerSecond: 11, turnDegrees: 60),
  Leg(seconds: 130, metersPerSecond: 16, turnDegrees: -10), Leg(seconds: 12, metersPerSecond: 8, turnDegrees: -90),
  Leg(seconds: 110, metersPerSecond: 13, turnDegrees: 35), Leg(seconds: 14, metersPerSecond: 8, turnDegrees: 75),
  Leg(seconds: 113, metersPerSecond: 12, turnDegrees: 5), Leg(seconds: 15, metersPerSecond: 0),
]

/// Parked, the receiver still on: 300 s.
let stop = [Leg(seconds: 300, metersPerSecond: 0)]

/// Ten minutes at home before the way and after it, two hours and a half at its end.
let home = [Leg(seconds: 600, metersPerSecond: 0)]
let work = [Leg(seconds: 9_000, metersPerSecond: 0)]

/// Where the traveller really is. North and east in metres from the start.
struct Traveller {
  /// What a calm driver does to speed up and to brake.
  static let metersPerSecondSquared = 1.2
  var northMeters = 0.0
  var eastMeters = 0.0
  var courseDegrees = 35.0
  var metersPerSecond = 1.4
  var wayMeters = 0.0

  /// One second along a leg.
  mutating func advance(along leg: Leg) {
    let change = leg.metersPerSecond - metersPerSecond
    metersPerSecond += min(max(change, -Self.metersPerSecondSquared), Self.metersPerSecondSquared)
    courseDegrees += leg.turnDegrees / Double(leg.seconds)
    northMeters += metersPerSecond * cos(courseDegrees * .pi / 180)
    eastMeters += metersPerSecond * sin(courseDegrees * .pi / 180)
    wayMeters += metersPerSecond
  }

  /// The same place on the way back.
  var turnedRound: Traveller {
    var turned = self
    turned.courseDegrees += 180
    return turned
  }

  /// Height of the ground: long low swells.
  var altitudeMeters: Double {
    412 + 6 * sin(wayMeters / 900) + 2.5 * sin(wayMeters / 370)
  }
}

// MARK: - The recording

/// What the receiver writes down of one second.
struct RecordedPoint {
  var latitudeDegrees: Double
  var longitudeDegrees: Double
  var altitudeMeters: Double
  var metersPerSecond: Double
  /// Nil while standing: a receiver that does not move knows no direction.
  var courseDegrees: Double?
  var horizontalAccuracyMeters: Double
  var verticalAccuracyMeters: Double
}

struct Receiver {
  static let startLatitudeDegrees = 48.0
  static let startLongitudeDegrees = 68.0
  /// One degree of latitude and of longitude there, on the WGS84 ellipsoid.
  static let metersPerDegreeNorth = 111_200.0
  static let metersPerDegreeEast = 74_630.0
  /// The radius that holds 68 % of a two-dimensional normal error, in deviations of one axis: sqrt(-2 ln 0.32).
  static let radiusInDeviations = 1.51

  var generator: SeededGenerator
  var north: ReceiverError
  var east: ReceiverError
  var up: ReceiverError

  init(seed: UInt64) {
    generator = SeededGenerator(state: seed)
    north = ReceiverError(wanderMeters: 1.8, noiseMeters: 0.3, using: &generator)
    east = ReceiverError(wanderMeters: 1.8, noiseMeters: 0.3, using: &generator)
    up = ReceiverError(wanderMeters: 3, noiseMeters: 0.4, using: &generator)
  }

  mutating func record(_ traveller: Traveller) -> RecordedPoint {
    let northMeters = traveller.northMeters + north.nextMeters(using: &generator)
    let eastMeters = traveller.eastMeters + east.nextMeters(using: &generator)
    let moves = traveller.metersPerSecond > 0.5
    let speedError = (moves ? 0.08 : 0.03) * generator.normal()
    // Doppler gives the direction the better the faster one goes.
    let courseError = 4 / max(traveller.metersPerSecond, 1) * generator.normal()
    return RecordedPoint(
      latitudeDegrees: Self.startLatitudeDegrees + northMeters / Self.metersPerDegreeNorth,
      longitudeDegrees: Self.startLongitudeDegrees + eastMeters / Self.metersPerDegreeEast,
      altitudeMeters: traveller.altitudeMeters + up.nextMeters(using: &generator),
      metersPerSecond: abs(traveller.metersPerSecond + speedError),
      courseDegrees: moves ? turned(traveller.courseDegrees + courseError) : nil,
      horizontalAccuracyMeters: Self.radiusInDeviations * north.deviationMeters,
      verticalAccuracyMeters: up.deviationMeters)
  }
}

/// The same direction in [0, 360).
func turned(_ degrees: Double) -> Double {
  let rest = degrees.truncatingRemainder(dividingBy: 360)
  return rest < 0 ? rest + 360 : rest
}

// MARK: - The file

/// A number with so many digits after the point, the same in every locale.
func fixed(_ value: Double, digits: Int) -> String {
  var scale = 1
  for _ in 0..<digits { scale *= 10 }
  let scaled = Int((abs(value) * Double(scale)).rounded())
  let fraction = String(scaled % scale)
  let sign = value < 0 && scaled != 0 ? "-" : ""
  return sign + "\(scaled / scale)." + String(repeating: "0", count: digits - fraction.count) + fraction
}

/// The time of day so many seconds after 08:00:00 of the day of the journey.
func time(afterSeconds seconds: Int) -> String {
  func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
  return "2026-05-04T\(two(8 + seconds / 3600)):\(two(seconds / 60 % 60)):\(two(seconds % 60))Z"
}

func line(for point: RecordedPoint, afterSeconds seconds: Int) -> String {
  // 359.96 would round to 360.0, which is no direction.
  let course = point.courseDegrees.map { fixed($0 < 359.95 ? $0 : 0, digits: 1) }
  let latitude = fixed(point.latitudeDegrees, digits: 7)
  let longitude = fixed(point.longitudeDegrees, digits: 7)
  return "<trkpt lat=\"\(latitude)\" lon=\"\(longitude)\">"
    + "<ele>\(fixed(point.altitudeMeters, digits: 1))</ele><time>\(time(afterSeconds: seconds))</time>"
    + "<extensions><speed>\(fixed(point.metersPerSecond, digits: 2))</speed>"
    + (course.map { "<course>\($0)</course>" } ?? "")
    + "<hAcc>\(fixed(point.horizontalAccuracyMeters, digits: 1))</hAcc>"
    + "<vAcc>\(fixed(point.verticalAccuracyMeters, digits: 1))</vAcc></extensions></trkpt>"
}

/// Where the traveller is at each second of the legs, and in the end.
func way(_ legs: [Leg], from start: Traveller) -> (seconds: [Traveller], end: Traveller) {
  var traveller = start
  var seconds: [Traveller] = []
  for leg in legs {
    for _ in 0..<leg.seconds {
      seconds.append(traveller)
      traveller.advance(along: leg)
    }
  }
  return (seconds, traveller)
}

func commute() -> [Traveller] {
  let atHome = way(home, from: Traveller(metersPerSecond: 0))
  let out = way(walk + drive, from: atHome.end)
  let atWork = way(work, from: out.end)
  return atHome.seconds + out.seconds + atWork.seconds + out.seconds.reversed().map(\.turnedRound) + atHome.seconds
}

func printJourney(_ name: String, _ travellers: [Traveller], everySeconds step: Int) {
  print(
    """
    <?xml version="1.0" encoding="UTF-8"?>
    <gpx version="1.1" creator="Core Location for Linux" xmlns="http://www.topografix.com/GPX/1/1">
    <metadata><name>\(name)</name>
    <desc>Drawn by draw.swift beside this file; the places are invented.</desc></metadata>
    <trk><name>\(name)</name><trkseg>
    """)
  var receiver = Receiver(seed: 20_260_504)
  for (second, traveller) in travellers.enumerated() {
    let point = receiver.record(traveller)
    if second % step == 0 { print(line(for: point, afterSeconds: second)) }
  }
  print("</trkseg></trk>\n</gpx>")
}

switch CommandLine.arguments.dropFirst().first {
case "walk-drive-stop":
  printJourney("Walk, drive, stop", way(walk + drive + stop, from: Traveller()).seconds, everySeconds: 1)
case "commute":
  printJourney("Commute", commute(), everySeconds: 10)
default:
  _ = "draw-journeys: expected walk-drive-stop or commute\n".withCString { write(STDERR_FILENO, $0, strlen($0)) }
  exit(2)
}
