/// The domain of the errors of location pushes.
public let CLLocationPushServiceErrorDomain: String = "CLLocationPushServiceErrorDomain"

/// Why an app gets no location pushes.
public struct CLLocationPushServiceError: _BridgedStoredNSError {
  public let _nsError: NSError

  /// `_nsError` should be of `CLLocationPushServiceErrorDomain`; it is kept as it is.
  public init(_nsError: NSError) {
    self._nsError = _nsError
  }

  public static var _nsErrorDomain: String { CLLocationPushServiceErrorDomain }

  public static var errorDomain: String { CLLocationPushServiceErrorDomain }

  public enum Code: Int, Sendable, BitwiseCopyable, _ErrorCodeProtocol {
    public typealias _ErrorType = CLLocationPushServiceError

    case unknown = 0
    case missingPushExtension = 1
    case missingPushServerEnvironment = 2
    case missingEntitlement = 3
    case unsupportedPlatform = 4
  }

  /// The code; `unknown` for a number that has no name here. `errorCode` always is the number itself.
  public var code: Code {
    Code(rawValue: _nsError.code) ?? .unknown
  }
}

extension CLLocationPushServiceError {
  public static var unknown: CLLocationPushServiceError.Code { .unknown }
  public static var missingPushExtension: CLLocationPushServiceError.Code { .missingPushExtension }
  public static var missingPushServerEnvironment: CLLocationPushServiceError.Code {
    .missingPushServerEnvironment
  }
  public static var missingEntitlement: CLLocationPushServiceError.Code { .missingEntitlement }
  public static var unsupportedPlatform: CLLocationPushServiceError.Code { .unsupportedPlatform }
}

extension CLLocationPushServiceError.Code {
  /// Lets `catch CLLocationPushServiceError.missingEntitlement` catch, by number.
  public static func ~= (match: CLLocationPushServiceError.Code, error: any Error) -> Bool {
    let error = error as NSError
    return error.domain == CLLocationPushServiceErrorDomain && error.code == match.rawValue
  }
}
