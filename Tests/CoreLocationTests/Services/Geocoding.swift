import CoreLocation

/// A client's mirror of the geocoder. The class is deprecated; through the mirror tests use it without warnings.
protocol Geocoding: AnyObject {
  typealias Completion = @Sendable ([CLPlacemark]?, (any Error)?) -> Void

  var isGeocoding: Bool { get }
  func cancelGeocode()
  func reverseGeocodeLocation(_ location: CLLocation, completionHandler: @escaping Completion)
  func reverseGeocodeLocation(
    _ location: CLLocation, preferredLocale locale: Locale?, completionHandler: @escaping Completion)
  func geocodeAddressDictionary(_ addressDictionary: [AnyHashable: Any], completionHandler: @escaping Completion)
  func geocodeAddressString(_ addressString: String, completionHandler: @escaping Completion)
  func geocodeAddressString(_ addressString: String, in region: CLRegion?, completionHandler: @escaping Completion)
  func geocodeAddressString(
    _ addressString: String, in region: CLRegion?, preferredLocale locale: Locale?,
    completionHandler: @escaping Completion)

  nonisolated(nonsending) func reverseGeocodeLocation(_ location: CLLocation) async throws -> [CLPlacemark]
  nonisolated(nonsending) func reverseGeocodeLocation(
    _ location: CLLocation, preferredLocale locale: Locale?
  ) async throws -> [CLPlacemark]
  nonisolated(nonsending) func geocodeAddressDictionary(
    _ addressDictionary: [AnyHashable: Any]
  ) async throws -> [CLPlacemark]
  nonisolated(nonsending) func geocodeAddressString(_ addressString: String) async throws -> [CLPlacemark]
  nonisolated(nonsending) func geocodeAddressString(
    _ addressString: String, in region: CLRegion?
  ) async throws -> [CLPlacemark]
  nonisolated(nonsending) func geocodeAddressString(
    _ addressString: String, in region: CLRegion?, preferredLocale locale: Locale?
  ) async throws -> [CLPlacemark]
}

@available(*, deprecated)
extension CLGeocoder: Geocoding {}

/// Makes geocoders.
enum Geocoders {
  static func make() -> any Geocoding { factory.make() }

  /// A client's geocoder, which finds a place of any name.
  static func makeEcho() -> any Geocoding { factory.makeEcho() }

  private static var factory: any GeocoderMaking { GeocoderFactory() }
}

private protocol GeocoderMaking {
  func make() -> any Geocoding
  func makeEcho() -> any Geocoding
}

private struct GeocoderFactory: GeocoderMaking {
  @available(*, deprecated)
  func make() -> any Geocoding { CLGeocoder() }

  @available(*, deprecated)
  func makeEcho() -> any Geocoding { EchoGeocoder() }
}

@available(*, deprecated)
private final class EchoGeocoder: CLGeocoder {
  override func geocodeAddressString(
    _ addressString: String, completionHandler: @escaping @Sendable ([CLPlacemark]?, (any Error)?) -> Void
  ) {
    var values = CLPlacemark.Values()
    values.texts[.locality] = addressString
    completionHandler([CLPlacemark(values: values)], nil)
  }
}
