/// Turns addresses into places and places into addresses.
///
/// There is no geocoding service on Linux yet: every request ends with `CLError.network`, the answer of a device that
/// cannot reach one (behaviour 11.5). Completions run on the main queue (behaviour 11.2).
///
/// A geocoder has one request at a time (behaviour 11.1). A second one while the first is pending is refused: its
/// completion gets `CLError.geocodeCanceled`, and the first goes on. Apple leaves open whether that completion ever
/// runs; here it always does, so that no caller waits for ever.
@available(*, deprecated, message: "Use MapKit")
open class CLGeocoder: NSObject {
  private let requests = GeocodeRequests()

  public override init() {
    super.init()
  }

  /// True only while a request is pending (behaviour 11.3).
  open var isGeocoding: Bool { requests.isPending }

  /// Ends a pending request with `CLError.geocodeCanceled`; does nothing without one (behaviour 11.4).
  open func cancelGeocode() {
    requests.cancel()
  }

  // MARK: Places to addresses

  open func reverseGeocodeLocation(
    _ location: CLLocation,
    completionHandler: @escaping @Sendable ([CLPlacemark]?, (any Error)?) -> Void
  ) {
    requests.start(completionHandler)
  }

  /// `locale` nil is the user's.
  open func reverseGeocodeLocation(
    _ location: CLLocation, preferredLocale locale: Locale?,
    completionHandler: @escaping @Sendable ([CLPlacemark]?, (any Error)?) -> Void
  ) {
    requests.start(completionHandler)
  }

  // MARK: Addresses to places

  @available(*, deprecated, message: "Use geocodeAddressString")
  open func geocodeAddressDictionary(
    _ addressDictionary: [AnyHashable: Any],
    completionHandler: @escaping @Sendable ([CLPlacemark]?, (any Error)?) -> Void
  ) {
    requests.start(completionHandler)
  }

  open func geocodeAddressString(
    _ addressString: String,
    completionHandler: @escaping @Sendable ([CLPlacemark]?, (any Error)?) -> Void
  ) {
    requests.start(completionHandler)
  }

  /// Prefers places in `region`; nil is near the device.
  open func geocodeAddressString(
    _ addressString: String, in region: CLRegion?,
    completionHandler: @escaping @Sendable ([CLPlacemark]?, (any Error)?) -> Void
  ) {
    requests.start(completionHandler)
  }

  open func geocodeAddressString(
    _ addressString: String, in region: CLRegion?, preferredLocale locale: Locale?,
    completionHandler: @escaping @Sendable ([CLPlacemark]?, (any Error)?) -> Void
  ) {
    requests.start(completionHandler)
  }

  // MARK: The same, awaited

  nonisolated(nonsending) open func reverseGeocodeLocation(
    _ location: CLLocation
  ) async throws -> [CLPlacemark] {
    try await awaitPlacemarks { reverseGeocodeLocation(location, completionHandler: $0) }
  }

  nonisolated(nonsending) open func reverseGeocodeLocation(
    _ location: CLLocation, preferredLocale locale: Locale?
  ) async throws -> [CLPlacemark] {
    try await awaitPlacemarks {
      reverseGeocodeLocation(location, preferredLocale: locale, completionHandler: $0)
    }
  }

  @available(*, deprecated, message: "Use geocodeAddressString")
  nonisolated(nonsending) open func geocodeAddressDictionary(
    _ addressDictionary: [AnyHashable: Any]
  ) async throws -> [CLPlacemark] {
    try await awaitPlacemarks { geocodeAddressDictionary(addressDictionary, completionHandler: $0) }
  }

  nonisolated(nonsending) open func geocodeAddressString(
    _ addressString: String
  ) async throws -> [CLPlacemark] {
    try await awaitPlacemarks { geocodeAddressString(addressString, completionHandler: $0) }
  }

  nonisolated(nonsending) open func geocodeAddressString(
    _ addressString: String, in region: CLRegion?
  ) async throws -> [CLPlacemark] {
    try await awaitPlacemarks {
      geocodeAddressString(addressString, in: region, completionHandler: $0)
    }
  }

  nonisolated(nonsending) open func geocodeAddressString(
    _ addressString: String, in region: CLRegion?, preferredLocale locale: Locale?
  ) async throws -> [CLPlacemark] {
    try await awaitPlacemarks {
      geocodeAddressString(
        addressString, in: region, preferredLocale: locale, completionHandler: $0)
    }
  }

  nonisolated(nonsending) private func awaitPlacemarks(
    _ start: (@escaping @Sendable ([CLPlacemark]?, (any Error)?) -> Void) -> Void
  ) async throws -> [CLPlacemark] {
    try await withCheckedThrowingContinuation { continuation in
      start { placemarks, error in
        if let placemarks {
          continuation.resume(returning: placemarks)
        } else {
          continuation.resume(throwing: error ?? CLError(.geocodeFoundNoResult))
        }
      }
    }
  }
}
