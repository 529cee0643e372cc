import CoreLocation
import Testing

@Suite("Distances")
struct DistanceTests {
  struct Pair: Sendable {
    let start: (Double, Double)
    let end: (Double, Double)
    let meters: Double
    var toleranceMeters = 0.001
  }

  // Recorded on iOS and macOS, and the exact geodesics of behaviour 10.9.
  static let recorded: [Pair] = [
    Pair(start: (51.1269942, 16.851781), end: (52.232855, 20.9211114), meters: 307_123.6866843265),
    Pair(start: (40.733458, -73.845023), end: (33.879322, -118.080590), meters: 3_951_949.797008753),
    Pair(start: (0, 0), end: (0, 1), meters: 111_319.4908),
    Pair(start: (0, 0), end: (1, 0), meters: 110_574.3886),
    Pair(start: (45, 0), end: (45, 1), meters: 78_846.3347),
    Pair(start: (0, 179.5), end: (0, -179.5), meters: 111_319.4908),
    Pair(start: (89, 0), end: (89, 180), meters: 223_387.7298),
    Pair(start: (0, 0), end: (0.5, 179.7), meters: 19_944_127.42, toleranceMeters: 0.006),
  ]

  // "Golden distances" of client test suites, with the tolerance that each of them allows, or a millimetre.
  static let golden: [Pair] = [
    Pair(start: (50, 2), end: (76, 5), meters: 2_900_825.03478675),
    Pair(start: (43.6529, -79.3849), end: (40.7648, -73.9808), meters: 549_413.5, toleranceMeters: 0.5),
    Pair(start: (49.2609, -123.1139), end: (39.905, 116.39139), meters: 8_538_317.5, toleranceMeters: 0.5),
    Pair(
      start: (50.44409729053253, 30.570687373424885), end: (50.4540989445242, 30.606736260944334), meters: 2791,
      toleranceMeters: 1),
  ]

  @Test("distances are those of the WGS84 geodesic (behaviour 10.9)", arguments: recorded + golden)
  func distance(_ pair: Pair) {
    let start = CLLocation(latitude: pair.start.0, longitude: pair.start.1)
    let end = CLLocation(latitude: pair.end.0, longitude: pair.end.1)
    #expect(abs(start.distance(from: end) - pair.meters) <= pair.toleranceMeters)
    #expect(abs(end.distance(from: start) - pair.meters) <= pair.toleranceMeters)
  }

  @Test("a path of two legs along a parallel is 168.27 km (clients: golden distances)")
  func pathOfTwoLegs() {
    let stops = [-111.0, -112, -113].map { CLLocation(latitude: 41, longitude: $0) }
    let kilometers = zip(stops, stops.dropFirst()).reduce(0) { $0 + $1.0.distance(from: $1.1) } / 1000
    #expect(abs(kilometers - 168.27) <= 0.01)
  }

  @Test("altitude does not count (behaviour 10.8)")
  func altitudeDoesNotCount() {
    let ground = CLLocation(latitude: 10, longitude: 10)
    let high = CLLocation(
      coordinate: ground.coordinate, altitude: 9000, horizontalAccuracy: 1, verticalAccuracy: 1, timestamp: Date())
    #expect(ground.distance(from: high) == 0)
  }

  @Test("without a path the distance is 0, as on iOS (algorithms 5)")
  func invalidCoordinate() {
    let somewhere = CLLocation(latitude: 10, longitude: 10)
    let places = [
      kCLLocationCoordinate2DInvalid, CLLocationCoordinate2DMake(.nan, 0), CLLocationCoordinate2DMake(0, .infinity),
      CLLocationCoordinate2DMake(90.001, 0),
    ]
    for place in places {
      let invalid = CLLocation(latitude: place.latitude, longitude: place.longitude)
      #expect(somewhere.distance(from: invalid) == 0)
      #expect(invalid.distance(from: somewhere) == 0)
    }
  }

  // One degree of longitude on the equator is 111,319.4908 m (behaviour 10.9).
  @Test("a circle holds what is within its radius on the ellipsoid (behaviour 10.10)")
  func circleContains() {
    let center = CLLocationCoordinate2D(latitude: 0, longitude: 0)
    let edge = CLLocationCoordinate2D(latitude: 0, longitude: 1)
    let wide = CLCircularRegion(center: center, radius: 111_319.491, identifier: "wide")
    let narrow = CLCircularRegion(center: center, radius: 111_319.490, identifier: "narrow")
    #expect(wide.contains(edge) && wide.contains(center))
    #expect(!narrow.contains(edge))
    #expect(!wide.contains(kCLLocationCoordinate2DInvalid))
    #expect(!CLCircularRegion(center: center, radius: -1, identifier: "none").contains(center))
    #expect(CLCircularRegion(center: center, radius: 0, identifier: "point").contains(center))
  }

  @Test("a circle reaches across the date line and over the pole (behaviour 10.9)")
  func circleAcrossDateLine() {
    let dateLine = CLCircularRegion(
      center: CLLocationCoordinate2D(latitude: 0, longitude: 179.5), radius: 111_320, identifier: "date line")
    #expect(dateLine.contains(CLLocationCoordinate2D(latitude: 0, longitude: -179.5)))
    let pole = CLCircularRegion(
      center: CLLocationCoordinate2D(latitude: 89, longitude: 0), radius: 223_388, identifier: "pole")
    #expect(pole.contains(CLLocationCoordinate2D(latitude: 89, longitude: 180)))
  }
}
