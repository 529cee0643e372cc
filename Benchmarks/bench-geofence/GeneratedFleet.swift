import CBoostTree
import Glibc
import LocationModel

/// Circles and the fixes of a fleet, drawn from a seed.
struct GeneratedFleet {
  let name: String
  let circles: [Geofence<Int>]
  /// Interleaved as a server sees them: the first fix of every track, then the second of every track.
  let fixes: [GeofencePoint]

  private static let metersPerDegree = 111_195.0

  /// Centres anywhere on the sphere within 79 degrees of latitude; tracks begin some kilometres from one.
  static func world(circleCount: Int, trackCount: Int, trackSeconds: Int) -> GeneratedFleet {
    var random = Random(state: 20_260_604)
    let circles = (0..<circleCount).map { number in
      let sine = sin(79 * Double.pi / 180) * (2 * random.next() - 1)
      return Geofence(
        identifier: number, latitude: asin(sine) * 180 / .pi, longitude: 360 * random.next() - 180,
        radiusMeters: 100 + 900 * random.next())
    }
    let starts = (0..<trackCount).map { _ in
      let near = circles[Int(random.next() * Double(circleCount))].center
      return place(near, spreadMeters: 2_500, &random)
    }
    return GeneratedFleet(
      name: "world", circles: circles, fixes: fixes(starts: starts, seconds: trackSeconds, &random))
  }

  /// 500 cities within 60 degrees of latitude, the k-th with a weight of k^-0.6, centres spread about it with a
  /// standard deviation of 8 km; tracks begin nearer to its middle, with one of 3 km.
  static func city(circleCount: Int, trackCount: Int, trackSeconds: Int) -> GeneratedFleet {
    var random = Random(state: 20_260_605)
    let cities = (0..<500).map { _ in
      GeofencePoint(latitude: 120 * random.next() - 60, longitude: 358 * random.next() - 179)
    }
    var sum = 0.0
    let ends = cities.indices.map { index in
      sum += pow(Double(index + 1), -0.6)
      return sum
    }
    func drawnCity() -> GeofencePoint {
      let value = random.next() * sum
      return cities[ends.firstIndex { $0 >= value } ?? 0]
    }
    let circles = (0..<circleCount).map { number in
      Geofence(
        identifier: number, center: place(drawnCity(), spreadMeters: 8_000, &random),
        radiusMeters: 100 + 900 * random.next())
    }
    let starts = (0..<trackCount).map { _ in place(drawnCity(), spreadMeters: 3_000, &random) }
    return GeneratedFleet(
      name: "city", circles: circles, fixes: fixes(starts: starts, seconds: trackSeconds, &random))
  }

  private static func place(
    _ middle: GeofencePoint, spreadMeters: Double, _ random: inout Random
  ) -> GeofencePoint {
    let distance = spreadMeters * sqrt(-2 * log(1 - random.next()))
    return moved(middle, distance, direction: 2 * .pi * random.next())
  }

  private static func moved(_ point: GeofencePoint, _ meters: Double, direction: Double) -> GeofencePoint {
    let latitude = point.latitude + meters * cos(direction) / metersPerDegree
    let longitude = point.longitude + meters * sin(direction) / metersPerDegree / cos(latitude * .pi / 180)
    return GeofencePoint(latitude: latitude, longitude: longitude > 180 ? longitude - 360 : max(longitude, -180))
  }

  /// One fix a second: a quarter walks, a quarter rides a bicycle, a half drives, half of them fast.
  private static func fixes(
    starts: [GeofencePoint], seconds: Int, _ random: inout Random
  ) -> [GeofencePoint] {
    let speeds = [1.4, 5, 12, 25]
    var places = starts
    var directions = starts.map { _ in 2 * Double.pi * random.next() }
    var fixes: [GeofencePoint] = []
    fixes.reserveCapacity(starts.count * seconds)
    for _ in 0..<seconds {
      for track in starts.indices {
        fixes.append(places[track])
        directions[track] += 0.1 * (random.next() - 0.5)
        places[track] = moved(places[track], speeds[track % 4], direction: directions[track])
      }
    }
    return fixes
  }
}

/// Numbers in [0, 1): SplitMix64.
struct Random {
  var state: UInt64

  mutating func next() -> Double {
    state &+= 0x9E37_79B9_7F4A_7C15
    var bits = state
    bits = (bits ^ (bits >> 30)) &* 0xBF58_476D_1CE4_E5B9
    bits = (bits ^ (bits >> 27)) &* 0x94D0_49BB_1331_11EB
    return Double((bits ^ (bits >> 31)) >> 11) * 0x1p-53
  }
}
