import LocationModel

/// The same circles looked through one by one with the geodesic: what the index has to agree with.
struct MeasuredCircles {
  private(set) var circles: [Int: Geofence<Int>] = [:]

  init(_ circles: [Geofence<Int>] = []) {
    for circle in circles { self.circles[circle.identifier] = circle }
  }

  mutating func insert(_ circle: Geofence<Int>) { circles[circle.identifier] = circle }
  mutating func remove(_ identifier: Int) { circles[identifier] = nil }

  /// Sorted.
  func identifiers(at point: GeofencePoint) -> [Int] {
    circles.values.filter { $0.measuredMeters(to: point) <= $0.radiusMeters }.map(\.identifier).sorted()
  }
}

extension Geofence {
  /// GeographicLib's geodesic from the centre.
  func measuredMeters(to point: GeofencePoint) -> Double {
    Geodesic.distanceMeters(from: Coordinate(center), to: Coordinate(point))
  }

  /// The place in a direction from the centre.
  func place(azimuthDegrees: Double, meters: Double) -> GeofencePoint {
    let place = Geodesic.destination(
      from: Coordinate(center), azimuthDegrees: azimuthDegrees, distanceMeters: meters)
    return GeofencePoint(latitude: place.latitude, longitude: place.longitude)
  }
}

extension Coordinate {
  init(_ point: GeofencePoint) {
    self.init(latitude: point.latitude, longitude: point.longitude)
  }
}

/// SplitMix64: the same numbers from the same seed.
struct SeededNumbers: RandomNumberGenerator {
  var state: UInt64

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var bits = state
    bits = (bits ^ (bits >> 30)) &* 0xBF58_476D_1CE4_E5B9
    bits = (bits ^ (bits >> 27)) &* 0x94D0_49BB_1331_11EB
    return bits ^ (bits >> 31)
  }
}
