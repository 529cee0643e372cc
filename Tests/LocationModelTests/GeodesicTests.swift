import LocationModel
import Testing

@Suite("Geodesic distances")
struct GeodesicTests {
  /// Two places, the metres between them and how far off one may be.
  struct Pair: Sendable {
    var start: (Double, Double)
    var end: (Double, Double)
    var meters: Double
    var toleranceMeters = 1e-4
  }

  @Test(
    "distances are those of the WGS84 ellipsoid, Apple's published results to 1 mm (behaviour 10.9)",
    arguments: [
      // Results of iOS that developers have published.
      Pair(
        start: (51.1269942, 16.851781), end: (52.232855, 20.9211114), meters: 307_123.6866843265,
        toleranceMeters: 1e-3),
      Pair(
        start: (40.733458, -73.845023), end: (33.879322, -118.080590), meters: 3_951_949.797008753,
        toleranceMeters: 1e-3),
      // On the equator the geodesic is an arc of the circle: 6378137 m x pi / 180.
      Pair(start: (0, 0), end: (0, 1), meters: 111_319.4908),
      Pair(start: (0, 179.5), end: (0, -179.5), meters: 111_319.4908),
      Pair(start: (0, 0), end: (1, 0), meters: 110_574.3886), Pair(start: (45, 0), end: (45, 1), meters: 78_846.3347),
      Pair(start: (89, 0), end: (89, 180), meters: 223_387.7298),
      // Nearly opposite, where simpler methods do not converge.
      Pair(start: (0, 0), end: (0.5, 179.7), meters: 19_944_127.42, toleranceMeters: 0.01),
    ])
  func knownPairs(pair: Pair) {
    let start = Coordinate(latitude: pair.start.0, longitude: pair.start.1)
    let end = Coordinate(latitude: pair.end.0, longitude: pair.end.1)
    #expect(abs(Geodesic.distanceMeters(from: start, to: end) - pair.meters) <= pair.toleranceMeters)
    #expect(abs(Geodesic.distanceMeters(from: end, to: start) - pair.meters) <= pair.toleranceMeters)
  }

  @Test("a place is no distance from itself, also where its longitude is written in another turn")
  func coincident() {
    let place = Coordinate(latitude: 47.5, longitude: 180)
    #expect(Geodesic.distanceMeters(from: place, to: place) == 0)
    #expect(Geodesic.distanceMeters(from: place, to: Coordinate(latitude: 47.5, longitude: -180)) == 0)
    let pole = Coordinate(latitude: 90, longitude: 0)
    #expect(Geodesic.distanceMeters(from: pole, to: Coordinate(latitude: 90, longitude: 123)) < 1e-8)
  }

  @Test(
    "what is no place has no distance",
    arguments: [
      Coordinate(latitude: .nan, longitude: 0), Coordinate(latitude: 91, longitude: 0),
      Coordinate(latitude: 0, longitude: .nan), Coordinate(latitude: 0, longitude: .infinity),
    ])
  func noPlace(coordinate: Coordinate) {
    #expect(Geodesic.distanceMeters(from: Coordinate(latitude: 0, longitude: 0), to: coordinate).isNaN)
  }
}
