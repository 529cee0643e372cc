import LocationModel

extension ReceiverDecision {
  /// What it is for, for a person.
  package var serviceWords: String {
    switch service {
    case .standard: "locations"
    case .live: "live updates"
    case .significantChanges: "significant changes"
    case .visits: "visits"
    case .regions: "regions"
    case .conditions: "conditions"
    }
  }

  package var accuracyWords: String {
    switch accuracy {
    case .bestForNavigation: "navigation"
    case .best: "best"
    case .meters(let meters): meters >= 1_000 ? "\(Int(min(meters, 1e9) / 1_000)) km" : "\(Int(max(0, meters))) m"
    case .reduced: "reduced"
    }
  }

  /// Whether receivers run for it, and until when they sleep.
  package func lookWords(at now: Instant) -> String {
    switch look {
    case .at(let instant) where instant > now:
      "off for \(Int(instant.seconds(since: now).rounded(.up))) s: nothing can matter before"
    case .now, .at: "on"
    case .onMovement: "off until the device moves"
    }
  }
}

extension BeaconDecision {
  /// What it is for, for a person.
  package var serviceWords: String {
    switch service {
    case .ranging: "ranging beacons"
    case .regions: "regions of beacons"
    case .conditions: "conditions on beacons"
    }
  }

  /// Whether the radio listens for it, and until when it rests.
  package func lookWords(at now: Instant) -> String {
    switch look {
    case nil: "off: there is no Bluetooth, or it is off"
    case .at(let instant)? where instant > now:
      "off for \(Int(instant.seconds(since: now).rounded(.up))) s: it listens now and then"
    case .now?, .at?: "on"
    case .onMovement?: "off until the device moves"
    }
  }
}

extension ReceiverTechnologies {
  /// In the order of their exactness.
  package var words: String {
    let names: [(ReceiverTechnologies, String)] = [(.satellite, "satellites"), (.wireless, "Wi-Fi"), (.cell, "cell")]
    return isEmpty ? "none" : names.filter { contains($0.0) }.map(\.1).joined(separator: ", ")
  }
}
