import CoreLocation
import Testing

@Suite("Descriptions")
struct DescriptionTests {
  static let uuid = UUID(uuidString: "74278BDA-B644-4520-8F0C-720EAF059935") ?? UUID()
  static let place = CLLocationCoordinate2D(latitude: 1.5, longitude: -2)

  @Test("regions name their identifier and shape")
  func regions() {
    let circle = CLCircularRegion(center: Self.place, radius: 100, identifier: "home")
    #expect(
      circle.description
        == "CLCircularRegion (identifier:'home', center:<+1.50000000,-2.00000000>, radius:100.00m)")
    let beacons = CLBeaconRegion(uuid: Self.uuid, major: 3, identifier: "shop")
    #expect(
      beacons.description
        == "CLBeaconRegion (identifier:'shop', uuid:74278BDA-B644-4520-8F0C-720EAF059935, major:3, minor:any)")
  }

  @Test("an unknown date of a visit is called unknown (behaviour 8.2)")
  func visit() {
    let visit = CLVisit(coordinate: Self.place, horizontalAccuracy: 50, arrivalDate: nil, departureDate: nil)
    #expect(visit.description == "<+1.50000000,-2.00000000> +/- 50.00m (unknown to unknown)")
  }

  @Test("headings, beacons, floors and sources say their values")
  func others() {
    let moment = Date(timeIntervalSinceReferenceDate: 0)
    let heading = CLHeading(
      magneticHeading: 10, trueHeading: -1, headingAccuracy: 5, x: 1, y: -2, z: 3, timestamp: moment)
    #expect(
      heading.description.hasPrefix(
        "magneticHeading 10.00 trueHeading -1.00 accuracy 5.00 x +1.000 y -2.000 z +3.000 @ 2001-01-01"))
    let beacon = CLBeacon(
      uuid: Self.uuid, major: 1, minor: 2, proximity: .near, accuracy: 1.5, rssi: -60, timestamp: moment)
    #expect(beacon.description.contains("major 1, minor 2, proximity near, accuracy +/- 1.50m, rssi -60"))
    #expect(CLFloor(level: -1).description == "Floor -1")
    let source = CLLocationSourceInformation(
      softwareSimulationState: true, andExternalAccessoryState: false)
    #expect(source.description == "simulated by software: true, produced by accessory: false")
  }
}
