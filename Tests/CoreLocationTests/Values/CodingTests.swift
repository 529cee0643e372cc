import CoreLocation
import LocationModel
import Testing

@Suite("Archives (behaviour 10.13)")
struct CodingTests {
  static let uuid = UUID(uuid: (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16))
  static let moment = Date(timeIntervalSinceReferenceDate: 617_726_538.123_456)

  @Test("a location keeps every value, to the last bit of its time")
  func location() throws {
    let original = CLLocation(
      Fix(
        coordinate: Coordinate(latitude: 48.123456789012, longitude: -2.987654321), horizontalAccuracyMeters: 4.5,
        time: WallTime(nanosecondsSince1970: 1_596_033_738_123_456_789), altitudeMeters: 35.5,
        ellipsoidalAltitudeMeters: 80.25, verticalAccuracyMeters: 3, speedMetersPerSecond: 12.5,
        speedAccuracyMetersPerSecond: 0.5, courseDegrees: 359.9, courseAccuracyDegrees: 2, floor: 0,
        isSimulated: false, isFromAccessory: true))
    let copy = try #require(try roundTrip(original))
    #expect(copy.coordinate.latitude == 48.123456789012 && copy.coordinate.longitude == -2.987654321)
    #expect(copy.horizontalAccuracy == 4.5 && copy.verticalAccuracy == 3)
    #expect(copy.altitude == 35.5 && copy.ellipsoidalAltitude == 80.25)
    #expect(copy.speed == 12.5 && copy.speedAccuracy == 0.5)
    #expect(copy.course == 359.9 && copy.courseAccuracy == 2)
    #expect(copy.timestamp == original.timestamp)
    #expect(copy.floor?.level == 0)
    #expect(copy.sourceInformation?.isProducedByAccessory == true)
    #expect(copy.sourceInformation?.isSimulatedBySoftware == false)
  }

  @Test("a location keeps its sentinels and what it does not have")
  func locationOfSentinels() throws {
    let copy = try #require(try roundTrip(CLLocation(latitude: 1, longitude: 2)))
    #expect(copy.horizontalAccuracy == 0 && copy.verticalAccuracy == -1)
    #expect(copy.speed == -1 && copy.course == -1 && copy.speedAccuracy == -1 && copy.courseAccuracy == -1)
    #expect(copy.floor == nil && copy.sourceInformation == nil)
  }

  @Test("a heading keeps every value")
  func heading() throws {
    let original = CLHeading(
      magneticHeading: 0, trueHeading: -1, headingAccuracy: 5.5, x: 1.25, y: -2.5, z: 40, timestamp: Self.moment)
    let copy = try #require(try roundTrip(original))
    #expect(copy.magneticHeading == 0 && copy.trueHeading == -1 && copy.headingAccuracy == 5.5)
    #expect(copy.x == 1.25 && copy.y == -2.5 && copy.z == 40)
    #expect(copy.timestamp == Self.moment)
  }

  @Test("a visit keeps its unknown dates (behaviour 8.2)")
  func visit() throws {
    let original = CLVisit(
      coordinate: CLLocationCoordinate2D(latitude: 1, longitude: 2), horizontalAccuracy: 50, arrivalDate: nil,
      departureDate: nil)
    let copy = try #require(try roundTrip(original))
    #expect(copy.coordinate.latitude == 1 && copy.coordinate.longitude == 2 && copy.horizontalAccuracy == 50)
    #expect(copy.arrivalDate == .distantPast && copy.departureDate == .distantFuture)
    let dated = CLVisit(
      coordinate: copy.coordinate, horizontalAccuracy: 50, arrivalDate: Self.moment,
      departureDate: Self.moment + 0.5)
    let datedCopy = try #require(try roundTrip(dated))
    #expect(datedCopy.arrivalDate == Self.moment && datedCopy.departureDate == Self.moment + 0.5)
  }

  @Test("a beacon keeps every value")
  func beacon() throws {
    let original = CLBeacon(
      uuid: Self.uuid, major: 65535, minor: 0, proximity: .far, accuracy: 7.5, rssi: -71, timestamp: Self.moment)
    let copy = try #require(try roundTrip(original))
    #expect(copy.uuid == Self.uuid && copy.major == 65535 && copy.minor == 0)
    #expect(copy.proximity == .far && copy.accuracy == 7.5 && copy.rssi == -71)
    #expect(copy.timestamp == Self.moment)
  }

  @Test("a constraint tells any number from number 0")
  func constraint() throws {
    let any = try #require(try roundTrip(CLBeaconIdentityConstraint(uuid: Self.uuid)))
    #expect(any.uuid == Self.uuid && any.major == nil && any.minor == nil)
    let zero = try #require(try roundTrip(CLBeaconIdentityConstraint(uuid: Self.uuid, major: 0, minor: 0)))
    #expect(zero.major == 0 && zero.minor == 0)
  }

  @Test("a circle keeps its flags")
  func circle() throws {
    let original = CLCircularRegion(
      center: CLLocationCoordinate2D(latitude: 1, longitude: 2), radius: 100.5, identifier: "home")
    original.notifyOnEntry = false
    let copy = try #require(try roundTrip(original))
    #expect(copy.center.latitude == 1 && copy.center.longitude == 2 && copy.radius == 100.5)
    #expect(copy.identifier == "home" && !copy.notifyOnEntry && copy.notifyOnExit)
  }

  @Test("a beacon region keeps its flags and its any numbers")
  func beaconRegion() throws {
    let original = CLBeaconRegion(uuid: Self.uuid, major: 7, identifier: "shop")
    original.notifyOnExit = false
    original.notifyEntryStateOnDisplay = true
    let copy = try #require(try roundTrip(original))
    #expect(copy.uuid == Self.uuid && copy.major == 7 && copy.minor == nil && copy.identifier == "shop")
    #expect(copy.notifyOnEntry && !copy.notifyOnExit && copy.notifyEntryStateOnDisplay)
  }

  @Test("floors and source information keep their values")
  func parts() throws {
    #expect(try roundTrip(CLFloor(level: -3))?.level == -3)
    #expect(try roundTrip(CLFloor(level: .max))?.level == .max)
    let information = CLLocationSourceInformation(
      softwareSimulationState: true, andExternalAccessoryState: false)
    let copy = try #require(try roundTrip(information))
    #expect(copy.isSimulatedBySoftware && !copy.isProducedByAccessory)
  }

  @Test("a placemark keeps every name, its region, time zone and address")
  func placemark() throws {
    var values = CLPlacemark.Values()
    values.location = CLLocation(latitude: 1, longitude: 2)
    values.region = CLCircularRegion(
      center: CLLocationCoordinate2D(latitude: 1, longitude: 2), radius: 9, identifier: "area")
    values.timeZone = TimeZone(identifier: "Europe/Paris")
    values.addressDictionary = ["City": "Paris", "FormattedAddressLines": ["1 Rue", "Paris"]]
    for text in CLPlacemark.Values.Text.allCases { values.texts[text] = "the \(text.rawValue)" }
    values.areasOfInterest = ["Tower", "River"]
    let copy = try #require(try roundTrip(CLPlacemark(values: values)))
    #expect(copy.location?.coordinate.longitude == 2)
    #expect((copy.region as? CLCircularRegion)?.radius == 9)
    #expect(copy.timeZone?.identifier == "Europe/Paris")
    #expect(copy.name == "the name" && copy.thoroughfare == "the thoroughfare")
    #expect(copy.subThoroughfare == "the subThoroughfare" && copy.locality == "the locality")
    #expect(copy.subLocality == "the subLocality" && copy.country == "the country")
    #expect(copy.administrativeArea == "the administrativeArea")
    #expect(copy.subAdministrativeArea == "the subAdministrativeArea")
    #expect(copy.postalCode == "the postalCode" && copy.isoCountryCode == "the isoCountryCode")
    #expect(copy.inlandWater == "the inlandWater" && copy.ocean == "the ocean")
    #expect(copy.areasOfInterest == ["Tower", "River"])
    let empty = try #require(try roundTrip(CLPlacemark(values: CLPlacemark.Values())))
    #expect(empty.name == nil && empty.region == nil && empty.timeZone == nil && empty.areasOfInterest == nil)
  }

  @Test("a missing value reads as nil, not as a place")
  func missingValues() throws {
    #expect(try decode(CLLocation.self, from: [:]) == nil)
    #expect(try decode(CLHeading.self, from: [:]) == nil)
    #expect(try decode(CLVisit.self, from: [:]) == nil)
    #expect(try decode(CLBeacon.self, from: [:]) == nil)
    #expect(try decode(CLBeaconIdentityConstraint.self, from: [:]) == nil)
    #expect(try decode(CLRegion.self, from: [:]) == nil)
    #expect(try decode(CLCircularRegion.self, from: ["identifier": NSString("a")]) == nil)
    #expect(try decode(CLBeaconRegion.self, from: ["identifier": NSString("a")]) == nil)
    #expect(try decode(CLFloor.self, from: [:]) == nil)
    #expect(try decode(CLLocationSourceInformation.self, from: [:]) == nil)
  }

  @Test("a value of another type or out of range reads as nil")
  func wrongValues() throws {
    #expect(try decode(CLFloor.self, from: ["level": NSString("first")]) == nil)
    #expect(try decode(CLFloor.self, from: ["level": NSNumber(value: 1.5)]) == nil)
    #expect(try decode(CLFloor.self, from: ["level": NSNumber(value: 1e300)]) == nil)
    #expect(try decode(CLFloor.self, from: ["level": NSNumber(value: Double.nan)]) == nil)
    #expect(try decode(CLFloor.self, from: ["level": NSNumber(value: 2)])?.level == 2)
    let text = NSString(string: Self.uuid.uuidString)
    #expect(try decode(CLBeaconIdentityConstraint.self, from: ["uuid": NSString("no")]) == nil)
    let tooLarge = ["uuid": text, "major": NSNumber(value: 65536)] as [String: any NSSecureCoding & NSObject]
    #expect(try decode(CLBeaconIdentityConstraint.self, from: tooLarge) == nil)
    let fitting = ["uuid": text, "major": NSNumber(value: 65535)] as [String: any NSSecureCoding & NSObject]
    #expect(try decode(CLBeaconIdentityConstraint.self, from: fitting)?.major == 65535)
    #expect(try decode(CLPlacemark.self, from: ["name": NSNumber(value: 3)]) == nil)
  }
}
