import CoreLocation
import Testing

@Suite("Coordinates, constants and numbers")
struct CoordinateTests {
  @Test(
    "a coordinate is valid within 90 and 180 degrees (behaviour 10.10)",
    arguments: [
      (0, 0, true), (90, 180, true), (-90, -180, true), (90.000001, 0, false), (0, 180.000001, false),
      (-91, 0, false), (0, -181, false), (.nan, 0, false), (0, .nan, false), (.infinity, 0, false),
    ] as [(Double, Double, Bool)])
  func validity(latitude: Double, longitude: Double, isValid: Bool) {
    #expect(CLLocationCoordinate2DIsValid(CLLocationCoordinate2DMake(latitude, longitude)) == isValid)
  }

  @Test("the invalid coordinate is (-180, -180) and not valid (behaviour 2.11, 10.10)")
  func invalidCoordinate() {
    #expect(kCLLocationCoordinate2DInvalid.latitude == -180)
    #expect(kCLLocationCoordinate2DInvalid.longitude == -180)
    #expect(!CLLocationCoordinate2DIsValid(kCLLocationCoordinate2DInvalid))
  }

  @Test("a coordinate begins at zero and may change")
  func mutability() {
    var coordinate = CLLocationCoordinate2D()
    #expect(coordinate.latitude == 0 && coordinate.longitude == 0)
    coordinate.latitude = 1
    coordinate.longitude = 2
    #expect(coordinate.latitude == 1 && coordinate.longitude == 2)
  }

  @Test("constants have Apple's values (behaviour 2.11)")
  func constants() {
    #expect(kCLLocationAccuracyBestForNavigation == -2)
    #expect(kCLLocationAccuracyBest == -1)
    #expect(kCLLocationAccuracyNearestTenMeters == 10)
    #expect(kCLLocationAccuracyHundredMeters == 100)
    #expect(kCLLocationAccuracyKilometer == 1000)
    #expect(kCLLocationAccuracyThreeKilometers == 3000)
    #expect(kCLDistanceFilterNone == -1)
    #expect(kCLHeadingFilterNone == -1)
    #expect(CLLocationDistanceMax == .greatestFiniteMagnitude)
    #expect(CLTimeIntervalMax == .greatestFiniteMagnitude)
    #expect(CL_TARGET_SUPPORTS_CONDITIONS == 1)
  }

  @Test("reduced accuracy differs from every other accuracy (behaviour 2.12)")
  func reducedAccuracy() {
    let others = [
      kCLLocationAccuracyBestForNavigation, kCLLocationAccuracyBest, kCLLocationAccuracyNearestTenMeters,
      kCLLocationAccuracyHundredMeters, kCLLocationAccuracyKilometer, kCLLocationAccuracyThreeKilometers,
    ]
    #expect(!others.contains(kCLLocationAccuracyReduced))
  }

  @Test("authorization has Apple's numbers (behaviour 1.1, 1.40)")
  func authorizationNumbers() {
    let statuses: [CLAuthorizationStatus] = [
      .notDetermined, .restricted, .denied, .authorizedAlways, .authorizedWhenInUse,
    ]
    #expect(statuses.map(\.rawValue) == [0, 1, 2, 3, 4] as [Int32])
    let accuracies: [CLAccuracyAuthorization] = [.fullAccuracy, .reducedAccuracy]
    #expect(accuracies.map(\.rawValue) == [0, 1])
  }

  @Test("activities begin at 1 (behaviour 2.41)")
  func activityNumbers() {
    let activities: [CLActivityType] = [.other, .automotiveNavigation, .fitness, .otherNavigation, .airborne]
    #expect(activities.map(\.rawValue) == [1, 2, 3, 4, 5])
    #expect(CLActivityType(rawValue: 0) == nil)
  }

  @Test("states of regions and proximities have Apple's numbers (behaviour 5.9, 6.7)")
  func regionNumbers() {
    let states: [CLRegionState] = [.unknown, .inside, .outside]
    #expect(states.map(\.rawValue) == [0, 1, 2])
    let proximities: [CLProximity] = [.unknown, .immediate, .near, .far]
    #expect(proximities.map(\.rawValue) == [0, 1, 2, 3])
  }

  @Test("orientations have the numbers of UIDeviceOrientation, as 32 bits (core-location-api, 14)")
  func orientationNumbers() {
    let orientations: [CLDeviceOrientation] = [
      .unknown, .portrait, .portraitUpsideDown, .landscapeLeft, .landscapeRight, .faceUp, .faceDown,
    ]
    #expect(orientations.map(\.rawValue) == [0, 1, 2, 3, 4, 5, 6] as [Int32])
  }
}
