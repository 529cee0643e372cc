import LocationModel

/// The domain of Core Location's errors.
public let kCLErrorDomain: String = "kCLErrorDomain"

/// Key of a `CLRegion` in the user info of `CLError.Code.regionMonitoringResponseDelayed` (behaviour 5.21).
public let kCLErrorUserInfoAlternateRegionKey: String = "kCLErrorUserInfoAlternateRegionKey"

/// Why location services do not give what an app asked for.
public struct CLError: _BridgedStoredNSError {
  public let _nsError: NSError

  /// `_nsError` should be of `kCLErrorDomain`; it is kept as it is.
  public init(_nsError: NSError) {
    self._nsError = _nsError
  }

  public static var _nsErrorDomain: String { kCLErrorDomain }

  public static var errorDomain: String { kCLErrorDomain }

  /// The number of each error (behaviour 12).
  public enum Code: Int, Sendable, BitwiseCopyable, _ErrorCodeProtocol {
    public typealias _ErrorType = CLError

    /// No location now; the service keeps trying (behaviour 2.13).
    case locationUnknown = 0
    /// The app may not use location services.
    case denied = 1
    case network = 2
    case headingFailure = 3
    case regionMonitoringDenied = 4
    case regionMonitoringFailure = 5
    case regionMonitoringSetupDelayed = 6
    case regionMonitoringResponseDelayed = 7
    case geocodeFoundNoResult = 8
    case geocodeFoundPartialResult = 9
    case geocodeCanceled = 10
    case deferredFailed = 11
    case deferredNotUpdatingLocation = 12
    case deferredAccuracyTooLow = 13
    case deferredDistanceFiltered = 14
    case deferredCanceled = 15
    case rangingUnavailable = 16
    case rangingFailure = 17
    case promptDeclined = 18
    case historicalLocationError = 19
  }

  /// The code; `locationUnknown` for a number that has no name here, since a Swift enum cannot hold it.
  /// `errorCode` always is the number itself.
  public var code: Code {
    Code(rawValue: _nsError.code) ?? .locationUnknown
  }

  /// The region to watch instead, where the service knows a better one (behaviour 5.21).
  public var alternateRegion: CLRegion? {
    _nsError.userInfo[kCLErrorUserInfoAlternateRegionKey] as? CLRegion
  }
}

extension CLError {
  public static var locationUnknown: CLError.Code { .locationUnknown }
  public static var denied: CLError.Code { .denied }
  public static var network: CLError.Code { .network }
  public static var headingFailure: CLError.Code { .headingFailure }
  public static var regionMonitoringDenied: CLError.Code { .regionMonitoringDenied }
  public static var regionMonitoringFailure: CLError.Code { .regionMonitoringFailure }
  public static var regionMonitoringSetupDelayed: CLError.Code { .regionMonitoringSetupDelayed }
  public static var regionMonitoringResponseDelayed: CLError.Code { .regionMonitoringResponseDelayed }
  public static var geocodeFoundNoResult: CLError.Code { .geocodeFoundNoResult }
  public static var geocodeFoundPartialResult: CLError.Code { .geocodeFoundPartialResult }
  public static var geocodeCanceled: CLError.Code { .geocodeCanceled }
  public static var deferredFailed: CLError.Code { .deferredFailed }
  public static var deferredNotUpdatingLocation: CLError.Code { .deferredNotUpdatingLocation }
  public static var deferredAccuracyTooLow: CLError.Code { .deferredAccuracyTooLow }
  public static var deferredDistanceFiltered: CLError.Code { .deferredDistanceFiltered }
  public static var deferredCanceled: CLError.Code { .deferredCanceled }
  public static var rangingUnavailable: CLError.Code { .rangingUnavailable }
  public static var rangingFailure: CLError.Code { .rangingFailure }
  public static var promptDeclined: CLError.Code { .promptDeclined }
  public static var historicalLocationError: CLError.Code { .historicalLocationError }
}

extension CLError.Code {
  /// Lets `catch CLError.denied` catch. By number, so that an error without a name here matches nothing, and an
  /// `NSError` of this domain matches as it does on Apple's platforms.
  public static func ~= (match: CLError.Code, error: any Error) -> Bool {
    let error = error as NSError
    return error.domain == kCLErrorDomain && error.code == match.rawValue
  }
}

extension CLError {
  package init(_ error: LocationError) {
    self.init(_nsError: NSError(domain: kCLErrorDomain, code: error.rawValue))
  }
}
