import Foundation
import LocationModel

/// Where drawn circles lie, and how large they are.
enum Layout: String, CaseIterable {
  case anywhere, cities, dateLine, northPole, southPole, oneSpot, everySize, fineMix

  func center(_ numbers: inout SeededNumbers) -> GeofencePoint {
    switch self {
    case .anywhere, .everySize:
      return GeofencePoint(
        latitude: asin(Double.random(in: -1...1, using: &numbers)) * 180 / .pi,
        longitude: .random(in: -180...180, using: &numbers))
    case .cities:
      let city = [(47.4979, 19.0402), (-33.8688, 151.2093), (64.1466, -21.9426)].randomElement(using: &numbers)!
      return GeofencePoint(
        latitude: city.0 + .random(in: -0.05...0.05, using: &numbers),
        longitude: city.1 + .random(in: -0.05...0.05, using: &numbers))
    case .dateLine:
      let longitude = Double.random(in: 179.97...180, using: &numbers)
      let exact = Int.random(in: 0..<10, using: &numbers) == 0
      return GeofencePoint(
        latitude: .random(in: 51...51.1, using: &numbers),
        longitude: (exact ? 180 : longitude) * (Bool.random(using: &numbers) ? 1 : -1))
    case .northPole, .southPole:
      // Powers, so that many lie within metres of the pole and some a few kilometres off.
      let fromPole =
        Int.random(in: 0..<50, using: &numbers) == 0 ? 0 : pow(10, Double.random(in: -5...0.3, using: &numbers))
      return GeofencePoint(
        latitude: (90 - fromPole) * (self == .northPole ? 1 : -1), longitude: .random(in: -180...180, using: &numbers))
    case .oneSpot: return GeofencePoint(latitude: 12.5, longitude: -70.25)
    case .fineMix:
      return GeofencePoint(
        latitude: 80 + .random(in: -0.02...0.02, using: &numbers), longitude: .random(in: 10...10.1, using: &numbers))
    }
  }

  func radius(_ numbers: inout SeededNumbers) -> Double {
    switch self {
    case .everySize: pow(10, Double.random(in: 0...7.35, using: &numbers))
    case .fineMix: pow(10, Double.random(in: -1...3.5, using: &numbers))
    case .northPole, .southPole: pow(10, Double.random(in: 0...5, using: &numbers))
    default: .random(in: 1...1_500, using: &numbers)
    }
  }

  func circle(_ identifier: Int, _ numbers: inout SeededNumbers) -> Geofence<Int> {
    Geofence(identifier: identifier, center: center(&numbers), radiusMeters: radius(&numbers))
  }

  /// Half of them in the neighbourhood, half at the edge of a circle: some metres, millimetres or micrometres off it.
  func point(near circles: [Geofence<Int>], _ numbers: inout SeededNumbers) -> GeofencePoint {
    guard Bool.random(using: &numbers), let circle = circles.randomElement(using: &numbers) else {
      return center(&numbers)
    }
    let offset = pow(10, Double.random(in: -8...2, using: &numbers)) * (Bool.random(using: &numbers) ? 1 : -1)
    return circle.place(
      azimuthDegrees: .random(in: 0...360, using: &numbers), meters: max(0, circle.radiusMeters + offset))
  }
}

/// How much is tried: small by default, in full with `CORELOCATION_PROOF=full`. `CORELOCATION_SEED` sets the seed.
enum GeofenceProof {
  static let isFull = ProcessInfo.processInfo.environment["CORELOCATION_PROOF"] == "full"
  static let seed =
    ProcessInfo.processInfo.environment["CORELOCATION_SEED"].flatMap { UInt64($0) } ?? 20_260_601
}
