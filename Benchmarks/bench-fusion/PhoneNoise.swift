import BenchmarkSupport
import Glibc
import LocationModel

/// One kind of error that a phone's positions have.
struct PhoneNoise {
  var name: String
  var whiteMeters: Double
  var wanderMeters: Double
  var wanderSeconds: Double
  var outlierShare: Double
  var seed: UInt64

  static let kinds = [
    PhoneNoise(
      name: "white 4 m                     ", whiteMeters: 4, wanderMeters: 0, wanderSeconds: 60, outlierShare: 0,
      seed: 11),
    PhoneNoise(
      name: "white 4 m, 3 % outliers 40 m  ", whiteMeters: 4, wanderMeters: 0, wanderSeconds: 60, outlierShare: 0.03,
      seed: 12),
    PhoneNoise(
      name: "white 2 + wander 2.5 m, 60 s  ", whiteMeters: 2, wanderMeters: 2.5, wanderSeconds: 60, outlierShare: 0,
      seed: 13),
    PhoneNoise(
      name: "urban: 2 + 4 m, 30 s, outliers", whiteMeters: 2, wanderMeters: 4, wanderSeconds: 30, outlierShare: 0.03,
      seed: 14),
  ]

  /// The drive as a phone would have seen it, speed and course by Doppler to 0.3 m/s.
  func fixes(along drive: Drive) -> [Fix] {
    var random = NoiseSource(seed: seed)
    var wander = (east: wanderMeters * random.normal(), north: wanderMeters * random.normal())
    let keep = exp(-1 / wanderSeconds)
    let push = wanderMeters * (1 - keep * keep).squareRoot()
    // 68 % radius of the two errors of an axis together.
    let accuracy = 1.515 * (whiteMeters * whiteMeters + wanderMeters * wanderMeters).squareRoot()
    return drive.points.map { point in
      wander.east = keep * wander.east + push * random.normal()
      wander.north = keep * wander.north + push * random.normal()
      let scale = random.uniform() < outlierShare ? 40 : whiteMeters
      let east = wander.east + scale * random.normal()
      let north = wander.north + scale * random.normal()
      var fix = point
      fix.coordinate = LocalPlane(origin: point.coordinate).place(eastMeters: east, northMeters: north)
      fix.horizontalAccuracyMeters = accuracy
      fix.speedAccuracyMetersPerSecond = 0.3
      if let speed = point.speedMetersPerSecond, let course = point.courseDegrees {
        let eastSpeed = speed * sin(course * .pi / 180) + 0.3 * random.normal()
        let northSpeed = speed * cos(course * .pi / 180) + 0.3 * random.normal()
        fix.speedMetersPerSecond = (eastSpeed * eastSpeed + northSpeed * northSpeed).squareRoot()
        fix.courseDegrees = atan2(eastSpeed, northSpeed) * 180 / .pi
      }
      return fix
    }
  }
}

extension Fix {
  func withoutSpeed() -> Fix {
    var fix = self
    fix.speedMetersPerSecond = nil
    fix.courseDegrees = nil
    return fix
  }
}

/// Horizontal errors of believed fixes; a refused one counts with the last believed place, which is what an app has then.
struct Errors {
  var p50: Double
  var p95: Double

  init(of fixes: [(Fix, Bool)], against truth: Drive) {
    var last: Coordinate?
    var errors: [Double] = []
    for (fix, isBelieved) in fixes {
      if isBelieved { last = fix.coordinate }
      guard let last, let place = truth.place(at: fix.time) else { continue }
      errors.append(Geodesic.distanceMeters(from: last, to: place))
    }
    errors.sort()
    p50 = errors.isEmpty ? .nan : errors[errors.count / 2]
    p95 = errors.isEmpty ? .nan : errors[errors.count * 95 / 100]
  }

  var text: String {
    "\(decimals(p50, 2)) / \(decimals(p95, 2)) m"
  }
}
