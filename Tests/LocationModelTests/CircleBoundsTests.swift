import LocationModel
import Testing

@Suite("Bounds and chances for circles")
struct CircleBoundsTests {
  @Test("A chord is never longer than its geodesic, and the bound on the geodesic never shorter, all over the Earth")
  func chords() {
    var latitude = -90.0
    while latitude <= 90 {
      let start = Coordinate(latitude: latitude, longitude: 179.9)
      let point = EarthCenteredPoint(start)
      for azimuth in stride(from: 0.0, to: 360, by: 22.5) {
        for meters in [0.5, 20, 1_000, 50_000, 400_000, 1_000_000, 1_900_000] {
          let end = Geodesic.destination(from: start, azimuthDegrees: azimuth, distanceMeters: meters)
          let chord = point.chordMeters(to: EarthCenteredPoint(end))
          #expect(chord <= meters + 1e-6)
          #expect(EarthCenteredPoint.geodesicMetersMax(chordMeters: chord) >= meters - 1e-6)
        }
      }
      latitude += 7.5
    }
    #expect(EarthCenteredPoint.geodesicMetersMax(chordMeters: 3_000_000) == .infinity)
  }

  @Test("The normal distribution, from its tables")
  func normal() {
    #expect(abs(NormalDistribution.probability(upToDeviations: 0) - 0.5) < 1e-12)
    #expect(abs(NormalDistribution.probability(upToDeviations: -1.0364) - 0.15) < 1e-4)
    #expect(abs(NormalDistribution.probability(upToDeviations: 1.96) - 0.975) < 1e-4)
  }

  @Test("The chance to be in a circle: exact at its middle, half at the edge of a wide one, else as a sum of columns")
  func circles() {
    func chance(_ radius: Double, _ distance: Double) -> Double {
      NormalDistribution.probabilityInCircle(radius: radius, distance: distance, deviation: 1)
    }
    // 1 - exp(-r² / 2)
    #expect(abs(chance(1.515, 0) - 0.6827) < 1e-3)
    #expect(abs(chance(1, 0) - 0.393469) < 1e-5)
    #expect(abs(chance(1_000, 1_000) - 0.5) < 0.01)
    for (radius, distance) in [(1.0, 0.5), (1, 0.99), (2, 1.5), (5, 4), (3, 0), (0.3, 0.2), (1, 1.5), (2, 4)] {
      #expect(abs(chance(radius, distance) - sum(radius, distance)) < 0.01, "r \(radius), d \(distance)")
    }
    #expect(NormalDistribution.probabilityInCircle(radius: 1, distance: 0.5, deviation: 0) == 1)
  }

  /// The same chance in columns across the circle, from the normal distribution of either axis.
  private func sum(_ radius: Double, _ distance: Double) -> Double {
    let step = 0.02
    var sum = 0.0
    var x = -radius
    while x <= radius {
      let half = (radius * radius - x * x).squareRoot()
      // Along y the normal distribution is known; along x it is summed.
      let column =
        NormalDistribution.probability(upToDeviations: half) - NormalDistribution.probability(upToDeviations: -half)
      let slice =
        NormalDistribution.probability(upToDeviations: x + step / 2 - distance)
        - NormalDistribution.probability(upToDeviations: x - step / 2 - distance)
      sum += column * slice
      x += step
    }
    return sum
  }
}
