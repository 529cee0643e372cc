import CoreLocation
import XCTest

// XCTest, because completions come on the main queue, which Swift Testing does not run on the main thread.

final class CLGeocoderTests: XCTestCase {
  private let place = CLLocation(latitude: 1, longitude: 2)

  func testARequestEndsWithNetworkOnTheMainThread() {
    let ended = expectation(description: "completion")
    let geocoder = Geocoders.make()
    XCTAssertFalse(geocoder.isGeocoding)
    geocoder.reverseGeocodeLocation(place) { placemarks, error in
      XCTAssertTrue(Thread.isMainThread)
      XCTAssertNil(placemarks)
      XCTAssertEqual((error as? CLError)?.code, .network)
      ended.fulfill()
    }
    XCTAssertTrue(geocoder.isGeocoding)
    wait(for: [ended], timeout: 10)
    XCTAssertFalse(geocoder.isGeocoding)
  }

  func testCancellingEndsAPendingRequestOnce() {
    let ended = expectation(description: "completion")
    let geocoder = Geocoders.make()
    geocoder.geocodeAddressString("Paris") { placemarks, error in
      XCTAssertNil(placemarks)
      XCTAssertEqual((error as? CLError)?.code, .geocodeCanceled)
      ended.fulfill()
    }
    geocoder.cancelGeocode()
    XCTAssertFalse(geocoder.isGeocoding)
    geocoder.cancelGeocode()
    wait(for: [ended], timeout: 10)
  }

  func testASecondRequestIsRefusedAndTheFirstGoesOn() {
    let first = expectation(description: "first")
    let second = expectation(description: "second")
    let geocoder = Geocoders.make()
    geocoder.geocodeAddressString("Paris", in: nil) { _, error in
      XCTAssertEqual((error as? CLError)?.code, .network)
      first.fulfill()
    }
    geocoder.geocodeAddressString("London", in: nil, preferredLocale: nil) { _, error in
      XCTAssertEqual((error as? CLError)?.code, .geocodeCanceled)
      second.fulfill()
    }
    XCTAssertTrue(geocoder.isGeocoding)
    wait(for: [first, second], timeout: 10)
  }

  func testACompletionMayAskAgain() {
    let again = expectation(description: "again")
    let geocoder = GeocoderBox(Geocoders.make())
    geocoder.value.reverseGeocodeLocation(place, preferredLocale: nil) { _, _ in
      geocoder.value.geocodeAddressDictionary(["City": "Paris"]) { _, error in
        XCTAssertEqual((error as? CLError)?.code, .network)
        again.fulfill()
      }
    }
    wait(for: [again], timeout: 10)
  }

  func testACompletionRunsThoughTheGeocoderIsGone() {
    let ended = expectation(description: "completion")
    Geocoders.make().reverseGeocodeLocation(place) { _, _ in ended.fulfill() }
    wait(for: [ended], timeout: 10)
  }

  @MainActor
  func testTheAwaitedFormsThrowNetwork() async {
    let geocoder = Geocoders.make()
    let requests: [@MainActor () async throws -> [CLPlacemark]] = [
      { try await geocoder.reverseGeocodeLocation(self.place) },
      { try await geocoder.reverseGeocodeLocation(self.place, preferredLocale: nil) },
      { try await geocoder.geocodeAddressDictionary([:]) },
      { try await geocoder.geocodeAddressString("Paris") },
      { try await geocoder.geocodeAddressString("Paris", in: nil) },
      { try await geocoder.geocodeAddressString("Paris", in: nil, preferredLocale: nil) },
    ]
    for request in requests {
      do {
        _ = try await request()
        XCTFail("no error")
      } catch CLError.network {
      } catch {
        XCTFail("\(error)")
      }
    }
  }

  /// Clients subclass the geocoder: the awaited form goes through what they override.
  @MainActor
  func testAnOverriddenRequestServesTheAwaitedFormToo() async throws {
    let places = try await Geocoders.makeEcho().geocodeAddressString("Paris")
    XCTAssertEqual(places.map(\.locality), ["Paris"])
  }
}

/// Carries a geocoder into its own completion, which runs on the thread that uses it.
private struct GeocoderBox: @unchecked Sendable {
  let value: any Geocoding
  init(_ value: any Geocoding) { self.value = value }
}
