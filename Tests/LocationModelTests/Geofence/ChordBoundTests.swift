import Testing

@testable import LocationModel

@Suite("The straight line through the Earth")
struct ChordBoundTests {
  /// Metres, from the unit vectors of reduced latitudes stretched to the ellipsoid.
  static func chordMeters(_ first: Coordinate, _ second: Coordinate) -> Double {
    let from = UnitVector(latitude: first.latitude, longitude: first.longitude)
    let to = UnitVector(latitude: second.latitude, longitude: second.longitude)
    let dx = (from.x - to.x) * ChordBound.semiMajorAxisMeters
    let dy = (from.y - to.y) * ChordBound.semiMajorAxisMeters
    let dz = (from.z - to.z) * ChordBound.semiMinorAxisMeters
    return (dx * dx + dy * dy + dz * dz).squareRoot()
  }

  @Test(
    "is no longer than the geodesic, and shorter by no more than κ² s³ / 24",
    arguments: [1.0, 62.5, 250, 1_000, 4_000, 16_000, 64_000, 256_000, 1_024_000, 3_000_000])
  func bound(meters: Double) {
    var numbers = SeededNumbers(state: GeofenceProof.seed)
    for _ in 0..<(GeofenceProof.isFull ? 200_000 : 2_000) {
      let start = Coordinate(
        latitude: .random(in: -90...90, using: &numbers), longitude: .random(in: -180...180, using: &numbers))
      let end = Geodesic.destination(
        from: start, azimuthDegrees: .random(in: 0...360, using: &numbers), distanceMeters: meters)
      let geodesic = Geodesic.distanceMeters(from: start, to: end)
      let chord = Self.chordMeters(start, end)
      // Coordinates of 6.4e6 m have steps of 1 nm, and degrees of 180 of 3 nm.
      #expect(chord <= geodesic + 2e-8)
      #expect(chord >= geodesic - 2 * ChordBound.halfWidthMeters(radiusMeters: geodesic) - 2e-8)
    }
  }

  @Test("differs from the geodesic by less than 2 µm up to 1 km")
  func small() {
    #expect(2 * ChordBound.halfWidthMeters(radiusMeters: 1_000) < 2e-6)
  }

  @Test("between rounded places is off by no more than it says")
  func rounding() {
    var numbers = SeededNumbers(state: GeofenceProof.seed)
    for _ in 0..<2_000 {
      let start = Layout.anywhere.circle(0, &numbers)
      let place = start.place(azimuthDegrees: .random(in: 0...360, using: &numbers), meters: start.radiusMeters)
      let from = GridPosition(latitude: start.center.latitude, longitude: start.center.longitude)
      let to = GridPosition(latitude: place.latitude, longitude: place.longitude)
      let (dx, dy, dz) = (Double(from.x) - Double(to.x), Double(from.y) - Double(to.y), Double(from.z) - Double(to.z))
      let rounded = (dx * dx + dy * dy + dz * dz).squareRoot() / GridPosition.unitsPerMeter
      let exact = Self.chordMeters(Coordinate(start.center), Coordinate(place))
      #expect(abs(rounded - exact) <= GridPosition.roundingMeters)
    }
  }
}

@Suite("The cells of the geofence grid")
struct GridShapeTests {
  @Test("reach as far in latitude and longitude as any circle of their size", arguments: GridShape.all.indices)
  func reaches(level: Int) {
    let shape = GridShape.all[level]
    var numbers = SeededNumbers(state: GeofenceProof.seed)
    for _ in 0..<(GeofenceProof.isFull ? 20_000 : 500) {
      let layout = [Layout.anywhere, .northPole, .southPole].randomElement(using: &numbers) ?? .anywhere
      let radius = shape.reachMeters * .random(in: 0...1, using: &numbers)
      let circle = Geofence(identifier: 0, center: layout.center(&numbers), radiusMeters: radius)
      let exact = ExactCircle(
        latitude: circle.center.latitude, longitude: circle.center.longitude, radiusMeters: radius)
      let place = circle.place(azimuthDegrees: .random(in: 0...360, using: &numbers), meters: radius)
      let turn = abs(place.longitude - circle.center.longitude)
      #expect(abs(place.latitude - circle.center.latitude) <= GridShape.latitudeReach(meters: radius))
      #expect(min(turn, 360 - turn) <= shape.longitudeReach(exact))
      #expect(min(turn, 360 - turn) <= GridShape.longitudeReach(latitude: circle.center.latitude, meters: radius))
    }
  }
}
