import LocationModel

/// What the device carries while it moves: a hint for automatic pauses (behaviour 2.41).
public enum CLActivityType: Int, Sendable, BitwiseCopyable {
  case other = 1
  case automotiveNavigation = 2
  case fitness = 3
  case otherNavigation = 4
  case airborne = 5
}

extension ActivityType {
  package init(_ activityType: CLActivityType) {
    switch activityType {
    case .other: self = .other
    case .automotiveNavigation: self = .automotiveNavigation
    case .fitness: self = .fitness
    case .otherNavigation: self = .otherNavigation
    case .airborne: self = .airborne
    }
  }
}
