import Glibc
import LocationFormats
import LocationModel

/// Where something really was, second by second.
struct Drive {
  var points: [Fix]
  /// By the time of day: a reference may name no date.
  private var places: [Int64: Coordinate] = [:]

  private init(points: [Fix]) {
    self.points = points
    for point in points { places[Self.timeOfDay(point.time)] = point.coordinate }
  }

  func place(at time: WallTime) -> Coordinate? {
    places[Self.timeOfDay(time)]
  }

  private static func timeOfDay(_ time: WallTime) -> Int64 {
    time.nanosecondsSince1970 % 86_400_000_000_000
  }

  /// Speed and course from one true place to the next.
  mutating func deriveSpeeds() {
    for index in points.indices.dropLast() {
      let plane = LocalPlane(origin: points[index].coordinate)
      let step = plane.meters(to: points[index + 1].coordinate)
      let seconds = points[index + 1].time.seconds(since: points[index].time)
      guard seconds > 0 else { continue }
      points[index].speedMetersPerSecond = (step.east * step.east + step.north * step.north).squareRoot() / seconds
      points[index].courseDegrees = atan2(step.east, step.north) * 180 / .pi
    }
  }

  /// The positions of an NMEA recording.
  static func read(_ path: String) -> Drive {
    guard let file = fopen(path, "r") else { return Drive(points: []) }
    defer { fclose(file) }
    let reader = NMEAReader(.recorded)
    var piece = [UInt8](repeating: 0, count: 65_536)
    while true {
      let count = fread(&piece, 1, piece.count, file)
      if count == 0 { break }
      reader.feed(Array(piece[..<count]))
    }
    reader.finish()
    var epochs: [NMEAEpoch] = []
    reader.takeEpochs(into: &epochs)
    return Drive(points: epochs.compactMap(\.fix))
  }

  /// A drive through a town, drawn: up to 15 m/s, slowing at turns, standing at some crossings.
  static func drawn(seconds: Int) -> Drive {
    var random = NoiseSource(seed: 1)
    var place = Coordinate(latitude: 47.5, longitude: 19.25)
    var course = 30.0
    var speed = 0.0
    var wish = 13.0
    var points: [Fix] = []
    for second in 0..<seconds {
      if second % 40 == 0 {
        wish = random.uniform() < 0.25 ? 0 : 8 + 7 * random.uniform()
        course += random.uniform() < 0.5 ? 0 : random.uniform() < 0.5 ? 90 : -90
      }
      speed += max(-3, min(2, wish - speed))
      place = Geodesic.destination(from: place, azimuthDegrees: course, distanceMeters: speed)
      points.append(
        Fix(
          coordinate: place, horizontalAccuracyMeters: nil,
          time: WallTime(nanosecondsSince1970: Int64(1_780_300_800 + second) * 1_000_000_000),
          speedMetersPerSecond: speed, courseDegrees: course.truncatingRemainder(dividingBy: 360)))
    }
    return Drive(points: points)
  }
}

/// Normal and uniform numbers from a seed.
struct NoiseSource {
  private var state: UInt64

  init(seed: UInt64) {
    state = seed
  }

  mutating func uniform() -> Double {
    state &+= 0x9E37_79B9_7F4A_7C15
    var bits = state
    bits = (bits ^ (bits >> 30)) &* 0xBF58_476D_1CE4_E5B9
    bits = (bits ^ (bits >> 27)) &* 0x94D0_49BB_1331_11EB
    return Double((bits ^ (bits >> 31)) >> 11) * 0x1p-53
  }

  /// Mean 0, deviation 1 (Box and Muller).
  mutating func normal() -> Double {
    let radius = (-2 * log(max(uniform(), 1e-300))).squareRoot()
    return radius * cos(2 * .pi * uniform())
  }
}
