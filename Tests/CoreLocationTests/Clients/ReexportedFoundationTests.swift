import CoreLocation
import Testing

// Client code of point 4: Foundation's names and the C library's mathematics without an import of their own.

private struct Trip: Codable {
  var identifier = UUID()
  var start = Date(timeIntervalSinceReferenceDate: 0)
  var length = Measurement(value: 1.5, unit: UnitLength.kilometers)
  var link = URL(string: "https://example.com")
}

private func bearing(from start: CLLocationCoordinate2D, to end: CLLocationCoordinate2D) -> Double {
  let difference = (end.longitude - start.longitude) * .pi / 180
  let (one, other) = (start.latitude * .pi / 180, end.latitude * .pi / 180)
  let east = sin(difference) * cos(other)
  let north = cos(one) * sin(other) - sin(one) * cos(other) * cos(difference)
  return atan2(east, north) * 180 / .pi
}

@Suite("Clients 4: Foundation comes with the module")
struct ReexportedFoundationTests {
  @Test("Foundation's types and the mathematical functions are there")
  func foundation() throws {
    let trip = try JSONDecoder().decode(Trip.self, from: JSONEncoder().encode(Trip()))
    #expect(trip.length.converted(to: .meters).value == 1500)
    #expect(NSNumber(value: 3).intValue == 3)
    let east = bearing(
      from: CLLocationCoordinate2D(latitude: 0, longitude: 0), to: CLLocationCoordinate2D(latitude: 0, longitude: 1))
    #expect(abs(east - 90) < 1e-9)
  }
}
