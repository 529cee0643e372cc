import CoreLocation
import LocationModel
import Testing

@Suite("Errors")
struct CLErrorTests {
  // The table of behaviour 12.
  static let codes: [(CLError.Code, Int)] = [
    (CLError.locationUnknown, 0), (CLError.denied, 1), (CLError.network, 2), (CLError.headingFailure, 3),
    (CLError.regionMonitoringDenied, 4), (CLError.regionMonitoringFailure, 5),
    (CLError.regionMonitoringSetupDelayed, 6), (CLError.regionMonitoringResponseDelayed, 7),
    (CLError.geocodeFoundNoResult, 8), (CLError.geocodeFoundPartialResult, 9), (CLError.geocodeCanceled, 10),
    (CLError.deferredFailed, 11), (CLError.deferredNotUpdatingLocation, 12), (CLError.deferredAccuracyTooLow, 13),
    (CLError.deferredDistanceFiltered, 14), (CLError.deferredCanceled, 15), (CLError.rangingUnavailable, 16),
    (CLError.rangingFailure, 17), (CLError.promptDeclined, 18), (CLError.historicalLocationError, 19),
  ]

  @Test("codes have Apple's numbers in Apple's domain (behaviour 12)", arguments: codes)
  func code(_ code: CLError.Code, number: Int) throws {
    let error = CLError(code)
    #expect(code.rawValue == number)
    #expect(error.code == code && error.errorCode == number)
    #expect((error as NSError).code == number && (error as NSError).domain == "kCLErrorDomain")
    #expect(CLError.errorDomain == kCLErrorDomain && kCLErrorDomain == "kCLErrorDomain")
    let fromEngine = try #require(LocationError(rawValue: number))
    #expect(CLError(fromEngine) == error)
  }

  @Test("a number without a name does not trap and matches no name")
  func unknownCode() {
    let error = CLError(_nsError: NSError(domain: kCLErrorDomain, code: 4711))
    #expect(error.errorCode == 4711)
    #expect(error.code == .locationUnknown)
    var caught = "nothing"
    do {
      throw error
    } catch CLError.locationUnknown {
      caught = "locationUnknown"
    } catch let error as CLError {
      caught = "number \(error.errorCode)"
    } catch {
      caught = "foreign"
    }
    #expect(caught == "number 4711")
    #expect(CLError.Code(rawValue: 4711) == nil)
  }

  @Test("a named error is caught by its name, a foreign one is not")
  func catching() {
    func caught(_ error: any Error) -> String {
      do { throw error } catch CLError.denied { return "denied" } catch { return "other" }
    }
    #expect(caught(CLError(.denied)) == "denied")
    #expect(caught(NSError(domain: kCLErrorDomain, code: 1)) == "denied")
    #expect(caught(CLError(.network)) == "other")
    #expect(caught(NSError(domain: NSPOSIXErrorDomain, code: 1)) == "other")
    #expect(caught(CancellationError()) == "other")
  }

  @Test("errors of one code and user info are equal")
  func equality() {
    #expect(CLError(.denied) == CLError(.denied))
    #expect(CLError(.denied) != CLError(.network))
  }

  @Test("a better region travels in the user info (behaviour 5.21)")
  func alternateRegion() {
    let region = CLCircularRegion(
      center: CLLocationCoordinate2D(latitude: 1, longitude: 2), radius: 100, identifier: "better")
    let error = CLError(
      .regionMonitoringResponseDelayed, userInfo: [kCLErrorUserInfoAlternateRegionKey: region])
    #expect(error.alternateRegion === region)
    #expect(error.userInfo.count == 1)
    #expect(CLError(.denied).alternateRegion == nil)
    let wrong = CLError(.denied, userInfo: [kCLErrorUserInfoAlternateRegionKey: "no region"])
    #expect(wrong.alternateRegion == nil)
  }

  @Test("errors of location pushes have Apple's numbers (core-location-api, 34)")
  func pushErrors() {
    let codes: [CLLocationPushServiceError.Code] = [
      CLLocationPushServiceError.unknown, CLLocationPushServiceError.missingPushExtension,
      CLLocationPushServiceError.missingPushServerEnvironment, CLLocationPushServiceError.missingEntitlement,
      CLLocationPushServiceError.unsupportedPlatform,
    ]
    #expect(codes.map(\.rawValue) == [0, 1, 2, 3, 4])
    let strange = CLLocationPushServiceError(
      _nsError: NSError(domain: CLLocationPushServiceErrorDomain, code: -3))
    #expect(strange.code == .unknown && strange.errorCode == -3)
    var isCaught = false
    do {
      throw CLLocationPushServiceError(.missingEntitlement)
    } catch CLLocationPushServiceError.missingEntitlement {
      isCaught = true
    } catch {}
    #expect(isCaught)
  }
}
