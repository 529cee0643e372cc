import LocationModel

/// Where the device is with respect to a region (behaviour 5.9).
public enum CLRegionState: Int, Sendable, BitwiseCopyable {
  case unknown = 0
  case inside = 1
  case outside = 2
}

extension CLRegionState {
  package init(_ state: RegionState) {
    switch state {
    case .unknown: self = .unknown
    case .inside: self = .inside
    case .outside: self = .outside
    }
  }
}
