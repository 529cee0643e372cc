import LocationModel

/// What the radio listens for beacons for.
package enum BeaconService: Hashable, Sendable {
  case ranging, regions, conditions
}

/// What has been decided about the radio for one service of one app.
package struct BeaconDecision: Hashable, Sendable {
  package var app: AppIdentifier
  package var service: BeaconService
  /// When the radio listens for it; nil where there is no Bluetooth, or it is off.
  package var look: NextLook?
  /// Since when it has listened for this app without a break; nil while it does not.
  package var since: Instant?
}

/// For whom the radio listens for beacons, and until when it rests.
extension LocationEngine {
  package var beaconDecisions: [BeaconDecision] {
    apps.indices.flatMap { index in
      beaconServices(app: index).map { service in
        BeaconDecision(
          app: apps[index].identifier, service: service, look: beaconLook, since: apps[index].hearsBeaconsSince)
      }
    }
  }

  /// One radio, so that it listens for all or for nobody.
  private var beaconLook: NextLook? {
    guard beaconsAreAudible else { return nil }
    guard beaconScan.listeningSince == nil, let next = beaconScan.nextLook else { return .now }
    return .at(next)
  }

  private func beaconServices(app index: Int) -> [BeaconService] {
    var services: [BeaconService] = []
    if mayRange(app: index), apps[index].sessions.contains(where: { !$0.ranging.isEmpty }) { services.append(.ranging) }
    if apps[index].isWatchingRegions, apps[index].regions.contains(where: { $0.beacons != nil }) {
      services.append(.regions)
    }
    if apps[index].isWatchingConditions, !conditionBeaconWatches(app: index).isEmpty { services.append(.conditions) }
    return services
  }

  /// Notes for whom the radio listens from now on.
  mutating func holdBeacons() {
    for index in apps.indices {
      let hears = beaconScan.listeningSince != nil && !beaconServices(app: index).isEmpty
      guard hears != (apps[index].hearsBeaconsSince != nil) else { continue }
      apps[index].hearsBeaconsSince = hears ? now : nil
    }
  }
}
