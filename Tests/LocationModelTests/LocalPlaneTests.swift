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

  @Test("near a pole keeps distances and directions from its origin, and knows where north is elsewhere")
  func nearPoles() {
    for latitude in [89.97, -89.999, 86] {
      let origin = Coordinate(latitude: latitude, longitude: 170)
      let plane = LocalPlane(origin: origin)
      for azimuth in stride(from: -150.0, through: 180, by: 30) {
        let place = Geodesic.destination(from: origin, azimuthDegrees: azimuth, distanceMeters: 9_000)
        let meters = plane.meters(to: place)
        #expect(abs(meters.east - 9_000 * sineAndCosineOfDegrees(azimuth).sine) < 1e-3)
        #expect(abs(meters.north - 9_000 * cosineOfDegrees(azimuth)) < 1e-3)
        let back = plane.place(eastMeters: meters.east, northMeters: meters.north)
        #expect(Geodesic.distanceMeters(from: back, to: place) < 1e-3)
        // Going on straight, seen from there and on the map.
        let course = Geodesic.path(from: origin, to: place).endDegrees
        #expect(abs(cosineOfDegrees(course + plane.northDegrees(at: place) - azimuth) - 1) < 1e-9)
      }
    }
    // Farther from the poles the map's north is north everywhere.
    let plane = LocalPlane(origin: Coordinate(latitude: 47, longitude: 19))
    #expect(plane.northDegrees(at: Coordinate(latitude: 47.1, longitude: 19.1)) == 0)
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
