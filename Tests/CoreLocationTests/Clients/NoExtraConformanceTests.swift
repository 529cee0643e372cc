import CoreLocation
import Testing

// Client code of point 6: apps say themselves what equality and which format a coordinate has. A conformance of the
// module's own would win over theirs in generic code, and the compiler would warn, which fails the build.

extension CLLocationCoordinate2D: Equatable, Hashable {
  public static func == (left: CLLocationCoordinate2D, right: CLLocationCoordinate2D) -> Bool {
    abs(left.latitude - right.latitude) < 0.001 && abs(left.longitude - right.longitude) < 0.001
  }

  public func hash(into hasher: inout Hasher) {}
}

extension CLLocationCoordinate2D: Codable {
  public init(from decoder: any Decoder) throws {
    var values = try decoder.unkeyedContainer()
    let longitude = try values.decode(Double.self)
    self.init(latitude: try values.decode(Double.self), longitude: longitude)
  }

  public func encode(to encoder: any Encoder) throws {
    var values = encoder.unkeyedContainer()
    try values.encode(longitude)
    try values.encode(latitude)
  }
}

@Suite("Clients 6: a client's own conformances")
struct NoExtraConformanceTests {
  @Test("generic code uses the client's equality")
  func equality() {
    func areEqual<Value: Equatable>(_ left: Value, _ right: Value) -> Bool { left == right }
    let near = CLLocationCoordinate2D(latitude: 1.0001, longitude: 2)
    #expect(areEqual(near, CLLocationCoordinate2D(latitude: 1, longitude: 2)))
    #expect(Set([near, CLLocationCoordinate2D(latitude: 1, longitude: 2)]).count == 1)
  }

  @Test("generic code uses the client's format")
  func format() throws {
    let data = try JSONEncoder().encode(CLLocationCoordinate2D(latitude: 1.5, longitude: 2.5))
    #expect(String(decoding: data, as: UTF8.self) == "[2.5,1.5]")
  }
}
