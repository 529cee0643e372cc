import LocationEngine

/// How well the receiver hears its satellites (algorithms 1.3). Fixes of a recording become as bad as this, where they
/// were better; they never become better than they were recorded.
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
    case .within(let meters): meters
    case .none: 0
    }
  }
}

/// How a receiver of satellites starts: the more of them it remembers the sooner it has a fix. How long each takes is
/// in the device's profile (docs/energy.md); the figures here are those of most.
public enum SimulatedStart: Sendable, Hashable {
  /// As after two hours at the most: 2 s.
  case hot
  /// As after four days at the most: 6 s.
  case warm
  /// As after a longer time, or in another country: 28 s.
  case cold

  func seconds(_ energy: EnergyModel) -> Double {
    switch self {
    case .hot: energy.satelliteHotStartSeconds
    case .warm: energy.satelliteWarmStartSeconds
    case .cold: energy.satelliteColdStartSeconds
    }
  }
}
