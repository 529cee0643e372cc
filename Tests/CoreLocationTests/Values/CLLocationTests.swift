import CoreLocation
import LocationModel
import Testing

@Suite("CLLocation")
struct CLLocationTests {
  static let paris = CLLocationCoordinate2D(latitude: 48.8566, longitude: 2.3522)
  static let moment = Date(timeIntervalSinceReferenceDate: 617_726_538.123_456)

  @Test("a latitude and a longitude make a place measured now, its other values invalid (behaviour 10.1)")
  func fromLatitudeAndLongitude() {
    let before = Date()
    let location = CLLocation(latitude: 10, longitude: 20)
    #expect(location.coordinate.latitude == 10 && location.coordinate.longitude == 20)
    #expect(location.altitude == 0)
    #expect(location.horizontalAccuracy == 0)
    #expect(location.verticalAccuracy == -1)
    #expect(location.course == -1 && location.courseAccuracy == -1)
    #expect(location.speed == -1 && location.speedAccuracy == -1)
    #expect((before...Date()).contains(location.timestamp))
    #expect(location.floor == nil && location.sourceInformation == nil)
  }

  @Test("without course and speed they are -1 (behaviour 10.2)")
  func fromFiveArguments() {
    let location = CLLocation(
      coordinate: Self.paris, altitude: 35, horizontalAccuracy: 5, verticalAccuracy: 3, timestamp: Self.moment)
    #expect(location.altitude == 35 && location.verticalAccuracy == 3)
    #expect(location.course == -1 && location.speed == -1)
    #expect(location.courseAccuracy == -1 && location.speedAccuracy == -1)
    #expect(location.timestamp == Self.moment)
  }

  @Test("without their accuracies course and speed keep their values (behaviour 10.3)")
  func fromSevenArguments() {
    let location = CLLocation(
      coordinate: Self.paris, altitude: 35, horizontalAccuracy: 5, verticalAccuracy: 3, course: 0, speed: 0,
      timestamp: Self.moment)
    #expect(location.course == 0 && location.speed == 0)
    #expect(location.courseAccuracy == -1 && location.speedAccuracy == -1)
  }

  @Test("every argument is kept, the source too (behaviour 10.3, 10.11)")
  func fromAllArguments() {
    let location = Self.full
    #expect(location.horizontalAccuracy == 5 && location.verticalAccuracy == 3)
    #expect(location.course == 90 && location.courseAccuracy == 2)
    #expect(location.speed == 12 && location.speedAccuracy == 0.5)
    #expect(location.ellipsoidalAltitude == 0)
    #expect(location.sourceInformation?.isSimulatedBySoftware == true)
    #expect(location.sourceInformation?.isProducedByAccessory == false)
  }

  static var full: CLLocation {
    CLLocation(
      coordinate: paris, altitude: 35, horizontalAccuracy: 5, verticalAccuracy: 3, course: 90, courseAccuracy: 2,
      speed: 12, speedAccuracy: 0.5, timestamp: moment,
      sourceInfo: CLLocationSourceInformation(
        softwareSimulationState: true, andExternalAccessoryState: false))
  }

  @Test("what a receiver did not say is -1, or 0 for the height above the ellipsoid (behaviour 10.3, 10.4)")
  func fromBareFix() {
    let location = CLLocation(
      Fix(
        coordinate: Coordinate(latitude: 1, longitude: 2), horizontalAccuracyMeters: nil,
        time: WallTime(secondsSince1970: 1_000_000_000.25)))
    #expect(location.coordinate.latitude == 1 && location.coordinate.longitude == 2)
    #expect(location.horizontalAccuracy == -1 && location.verticalAccuracy == -1)
    #expect(location.altitude == 0 && location.ellipsoidalAltitude == 0)
    #expect(location.speed == -1 && location.speedAccuracy == -1)
    #expect(location.course == -1 && location.courseAccuracy == -1)
    #expect(location.floor == nil)
    #expect(location.timestamp == Date(timeIntervalSince1970: 1_000_000_000.25))
    #expect(location.sourceInformation?.isSimulatedBySoftware == false)
  }

  @Test("what a receiver said arrives as it was said (behaviour 10.5, 10.6, 10.11, 10.12)")
  func fromFullFix() {
    let location = CLLocation(
      Fix(
        coordinate: Coordinate(latitude: 1, longitude: 2), horizontalAccuracyMeters: 0,
        time: WallTime(secondsSince1970: 0), altitudeMeters: 35, ellipsoidalAltitudeMeters: 80,
        verticalAccuracyMeters: 3, speedMetersPerSecond: 0, speedAccuracyMetersPerSecond: 0.5, courseDegrees: 0,
        courseAccuracyDegrees: 2, floor: -1, isSimulated: true, isFromAccessory: true))
    #expect(location.horizontalAccuracy == 0)
    #expect(location.altitude == 35 && location.ellipsoidalAltitude == 80 && location.verticalAccuracy == 3)
    #expect(location.speed == 0 && location.speedAccuracy == 0.5)
    #expect(location.course == 0 && location.courseAccuracy == 2)
    #expect(location.floor?.level == -1)
    #expect(location.sourceInformation?.isSimulatedBySoftware == true)
    #expect(location.sourceInformation?.isProducedByAccessory == true)
  }

  @Test("an accuracy makes nothing valid that is not there (behaviour 10.4, 10.6)")
  func accuracyWithoutValue() {
    let location = CLLocation(
      Fix(
        coordinate: Coordinate(latitude: 1, longitude: 2), horizontalAccuracyMeters: 5,
        time: WallTime(secondsSince1970: 0), ellipsoidalAltitudeMeters: 80, verticalAccuracyMeters: 3,
        speedAccuracyMetersPerSecond: 0.5, courseAccuracyDegrees: 2))
    #expect(location.verticalAccuracy == -1 && location.ellipsoidalAltitude == 0)
    #expect(location.speedAccuracy == -1 && location.courseAccuracy == -1)
  }

  @Test("without a vertical accuracy the height above the ellipsoid is 0 (behaviour 10.4)")
  func altitudeWithoutAccuracy() {
    let location = CLLocation(
      Fix(
        coordinate: Coordinate(latitude: 1, longitude: 2), horizontalAccuracyMeters: 5,
        time: WallTime(secondsSince1970: 0), altitudeMeters: 35, ellipsoidalAltitudeMeters: 80))
    #expect(location.altitude == 35)
    #expect(location.verticalAccuracy == -1 && location.ellipsoidalAltitude == 0)
  }

  @Test("all delivered locations of one origin share their source information")
  func sharedSourceInformation() {
    let fix = Fix(
      coordinate: Coordinate(latitude: 1, longitude: 2), horizontalAccuracyMeters: 5,
      time: WallTime(secondsSince1970: 0), isSimulated: true)
    #expect(CLLocation(fix).sourceInformation === CLLocation(fix).sourceInformation)
  }

  // The sample of behaviour 10.7: 2020-07-29T14:42:18Z is 8:12:18 PM in India.
  @Test("description reads as Apple's in the user's locale and time zone (behaviour 10.7)")
  func descriptionInIndia() throws {
    let location = CLLocation(
      coordinate: CLLocationCoordinate2D(latitude: 37.785834, longitude: -122.406417), altitude: 0,
      horizontalAccuracy: 0, verticalAccuracy: -1, timestamp: Date(timeIntervalSince1970: 1_596_033_738))
    let text = location.description(
      locale: Locale(identifier: "en_US"), timeZone: try #require(TimeZone(identifier: "Asia/Kolkata")))
    let withPlainSpaces = text.replacingOccurrences(of: "\u{202f}", with: " ")
    #expect(
      withPlainSpaces == "<+37.78583400,-122.40641700> +/- 0.00m (speed -1.00 mps / course -1.00) "
        + "@ 7/29/20, 8:12:18 PM India Standard Time")
  }

  @Test("description follows a German locale (behaviour 10.7)")
  func descriptionInGermany() throws {
    let location = CLLocation(
      coordinate: CLLocationCoordinate2D(latitude: -1.5, longitude: 0), altitude: 0, horizontalAccuracy: 12.345,
      verticalAccuracy: -1, course: 359.9, speed: 1.005, timestamp: Date(timeIntervalSince1970: 1_515_407_582))
    let text = location.description(
      locale: Locale(identifier: "de_DE"), timeZone: try #require(TimeZone(identifier: "Europe/Berlin")))
    #expect(
      text.hasPrefix("<-1.50000000,+0.00000000> +/- 12.35m (speed 1.00 mps / course 359.90) @ 08.01.18, 11:33:02 "))
  }

  @Test("description is that of the current locale")
  func descriptionIsOfCurrentLocale() {
    let location = CLLocation(latitude: 1, longitude: 2)
    #expect(location.description == location.description(locale: .current, timeZone: .current))
  }

  @Test("two equal fixes are two locations (behaviour 10.14)")
  func noValueEquality() {
    let one = Self.full
    #expect(one == one)
    #expect(one != Self.full)
  }

  @Test("a location without values is invalid and nowhere")
  func emptyLocation() {
    let location = CLLocation()
    #expect(location.horizontalAccuracy < 0)
    #expect(!CLLocationCoordinate2DIsValid(location.coordinate))
  }
}
