import LocationModel

/// How exact a location is asked for: the levels of GeoClue, GClueAccuracyLevel in its interface's documentation.
package enum GeoClueAccuracyLevel: UInt32, Sendable {
  case city = 4
  case neighborhood = 5
  case street = 6
  case exact = 8

  /// The coarsest level that still serves the wish, by the sizes that the levels are named after.
  package init(_ accuracy: DesiredAccuracy) {
    self =
      switch accuracy {
      case .bestForNavigation, .best: .exact
      case .meters(let meters) where meters < 100: .exact
      case .meters(let meters) where meters < 1_000: .street
      case .meters(let meters) where meters < 3_000: .neighborhood
      case .meters(let meters): meters.isNaN ? .exact : .city
      case .reduced: .city
      }
  }

  /// The same level in the location portal, whose numbers have no gaps.
  package var portalValue: UInt32 {
    switch self {
    case .city: 2
    case .neighborhood: 3
    case .street: 4
    case .exact: 5
    }
  }
}
