import CoreLocation
import Testing

// Client code of point 12: the modern API as apps spell it.

private actor Watcher {
  var seen: [String] = []

  func watch(_ monitor: CLMonitor, count: Int) async throws -> [String] {
    for try await event in await monitor.events {
      switch event.state {
      case .satisfied: seen.append("\(event.identifier) satisfied")
      case .unsatisfied: seen.append("\(event.identifier) unsatisfied")
      case .unknown: seen.append("\(event.identifier) unknown")
      case .unmonitored: seen.append("\(event.identifier) unmonitored")
      @unknown default: seen.append("new")
      }
      if event.conditionUnsupported { seen.append("unsupported") }
      if let beacon = event.refinement as? CLMonitor.BeaconIdentityCondition {
        seen.append("\(String(describing: beacon.major))")
      }
      if seen.count >= count { break }
    }
    return seen
  }
}

@Suite("Clients 12: the modern API", .onSimulatedDevice)
struct MonitorClientTests {
  private let home = CLMonitor.CircularGeographicCondition(
    center: CLLocationCoordinate2D(latitude: 1, longitude: 2), radius: 100)

  @Test("a monitor is used as Apple's guides use it")
  func monitor() async throws {
    let monitor = await CLMonitor("places")
    await monitor.add(home, identifier: "home")
    let uuid = UUID()
    let beacons: any CLCondition = CLMonitor.BeaconIdentityCondition(uuid: uuid, major: 1, minor: 2)
    await monitor.add(beacons, identifier: "shop", assuming: .unsatisfied)
    #expect(await monitor.identifiers == ["home", "shop"])
    let state: CLMonitor.Event.State? = await monitor.record(for: "shop")?.lastEvent.state
    #expect(state == .unsatisfied && state?.rawValue == UInt(2))
    let condition = await monitor.record(for: "shop")?.condition as? CLMonitor.BeaconIdentityCondition
    #expect(condition?.uuid == uuid && condition?.major == 1 && condition?.minor == 2)
    let seen = try await Watcher().watch(monitor, count: 3)
    // Beacons are not watched yet; for the circle the person is being asked.
    #expect(seen == ["shop unmonitored", "unsupported", "home unmonitored"])
    await monitor.remove("home")
    #expect(await monitor.identifiers == ["shop"])
  }

  @Test("an event has Apple's ten diagnostics")
  func diagnostics() async throws {
    let monitor = await CLMonitor("diagnostics")
    await monitor.add(home, identifier: "home")
    let event = try #require(await monitor.record(for: "home")?.lastEvent)
    let flags = [
      event.authorizationDenied, event.authorizationDeniedGlobally, event.authorizationRestricted,
      event.insufficientlyInUse, event.accuracyLimited, event.conditionUnsupported, event.conditionLimitExceeded,
      event.persistenceUnavailable, event.serviceSessionRequired, event.authorizationRequestInProgress,
    ]
    #expect(flags == Array(repeating: false, count: 10))
    #expect(event.refinement == nil && event.date <= Date())
  }

  @Test("live updates are iterated in their three spellings, with both names of rest")
  @available(*, deprecated)
  func liveUpdates() async throws {
    let all: [CLLocationUpdate.Updates] = [
      CLLocationUpdate.liveUpdates(), CLLocationUpdate.liveUpdates(.fitness),
      CLLocationUpdate.liveUpdates(.default),
    ]
    for updates in all {
      for try await update in updates {
        #expect(update.location == nil && !update.stationary && !update.isStationary)
        if update.authorizationRequestInProgress { break }
      }
    }
  }
}
