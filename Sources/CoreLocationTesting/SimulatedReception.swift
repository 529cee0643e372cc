/// How well the receiver hears its satellites (algorithms 1.3).
public enum SimulatedReception: Sendable, Hashable {
  /// Under open sky: 5 m.
  case open
  /// Between houses: 12 m.
  case urban
  /// In a building: 18 m.
  case indoors
  /// No satellites, but places of so many metres, as Wi-Fi and cell towers give them. Above 0.
  case within(meters: Double)
  /// In a tunnel: nothing comes.
  case none

  var accuracyMeters: Double {
    switch self {
    case .open: 5
    case .urban: 12
    case .indoors: 18
    case .within(let meters): max(0, meters)
    case .none: 0
    }
  }
}
