/// How well the receiver hears its satellites (algorithms 1.3).
public enum SimulatedReception: Sendable, Hashable {
  /// Under open sky: 5 m.
  case open
  /// Between houses: 12 m.
  case urban
  /// In a building: 18 m.
  case indoors
  /// As vague as a test says: so many metres, above 0, as of places that come from Wi-Fi or cell towers.
  case within(meters: Double)
  /// In a tunnel: nothing comes.
  case none

  var accuracyMeters: Double {
    switch self {
    case .open: 5
    case .urban: 12
    case .indoors: 18
    case .within(let meters): meters > 0 ? meters : 0
    case .none: 0
    }
  }
}
