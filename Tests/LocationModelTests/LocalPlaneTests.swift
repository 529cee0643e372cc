import LocationModel
import Testing

@Suite("A flat map of the surroundings")
struct LocalPlaneTests {
  @Test(
    "is off by no more than d² tan(latitude) / 2R, in every direction and across the date line",
    arguments: [
      Coordinate(latitude: 0, longitude: 0), Coordinate(latitude: 47.5, longitude: 19.25),
      Coordinate(latitude: -33.9, longitude: 179.999), Coordinate(latitude: 65, longitude: -179.999),
    ])
  func agrees(origin: Coordinate) {
    let plane = LocalPlane(origin: origin)
    for azimuth in stride(from: 0.0, to: 360, by: 30) {
      // tan(65°) = 2.145: 0.17 m at 1 km and 151 m at 30 km, and a little for the ellipsoid.
      for (distance, tolerance) in [(1_000.0, 0.18), (30_000, 155)] {
        let place = Geodesic.destination(from: origin, azimuthDegrees: azimuth, distanceMeters: distance)
        let meters = plane.meters(to: place)
        let length = (meters.east * meters.east + meters.north * meters.north).squareRoot()
        #expect(abs(length - distance) <= tolerance, "\(azimuth) degrees, \(distance) m: \(length)")
        let back = plane.place(eastMeters: meters.east, northMeters: meters.north)
        #expect(Geodesic.distanceMeters(from: back, to: place) <= 1e-6)
      }
    }
  }

  @Test("is a map of numbers at the poles too")
  func poles() {
    for latitude in [90.0, -90] {
      let plane = LocalPlane(origin: Coordinate(latitude: latitude, longitude: 0))
      let meters = plane.meters(to: Coordinate(latitude: latitude, longitude: 120))
      #expect(meters.east.isFinite && meters.north == 0)
      #expect(plane.place(eastMeters: 10, northMeters: 10).latitude.isFinite)
    }
  }
}
