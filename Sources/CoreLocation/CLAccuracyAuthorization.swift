import LocationEngine

/// Whether an app sees precise places (behaviour 1.40).
public enum CLAccuracyAuthorization: Int, Sendable, BitwiseCopyable {
  case fullAccuracy = 0
  case reducedAccuracy = 1
}

extension CLAccuracyAuthorization {
  package init(_ accuracy: AccuracyAuthorization) {
    switch accuracy {
    case .full: self = .fullAccuracy
    case .reduced: self = .reducedAccuracy
    }
  }
}
