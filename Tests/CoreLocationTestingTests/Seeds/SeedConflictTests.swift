import CoreLocation
import CoreLocationTesting
import Testing

/// docs/compatibility.md says the same ("Where Apple says nothing, or two things").
@Suite("Where the seeds disagree: which of them holds, and since when")
struct SeedConflictTests {
  private static let eras: [SimulatedEra] = [.iOS8, .iOS10, .iOS13, .iOS18]

  @Test("Seed 000 has a manager's start ask the person, seed 004 only a request: 004 holds since iOS 8 (1.32)")
  func startAsksNobody() {
    var info = AppInfo()
    info.alwaysUsage = "Follows you."
    for era in Self.eras {
      for (service, begins) in [
        ("standard", { $0.startUpdatingLocation() }),
        ("significant changes", { $0.startMonitoringSignificantLocationChanges() }),
      ] as [(String, (CLLocationManager) -> Void)] {
        let device = SimulatedDevice(info, era: era, at: ProductTests.home)
        device.person.willAnswer(era == .iOS8 || era == .iOS10 ? .allow : .allowWhileUsing)
        let probe = device.launch { launch in Probe(launch) { begins($0.manager) } }
        device.advance(by: .seconds(120))
        #expect(device.person.questionCount == 0 && probe.statuses == [.notDetermined], "\(service), \(era)")
        #expect(probe.locations.isEmpty && probe.failures.isEmpty && !device.isReceiverOn, "\(service), \(era)")
        device.run { probe.manager.requestAlwaysAuthorization() }
        device.advance(by: .seconds(120))
        #expect(device.person.questionCount == 1 && !probe.locations.isEmpty, "\(service) goes on, \(era)")
      }
    }
  }

  @Test("As seed 000 has it, live updates ask by themselves as soon as they start, and not before (iOS 18, 9.22)")
  func liveUpdatesAsk() async throws {
    let device = SimulatedDevice(at: ProductTests.home)
    try await device.run {
      device.launch { Probe($0) }
      try await device.advance(by: .seconds(60))
      #expect(device.person.questionCount == 0)
      let task = Task { for try await _ in CLLocationUpdate.liveUpdates() {} }
      try await device.listening(1)
      #expect(device.person.questionCount == 1)
      task.cancel()
      _ = try? await task.value
    }
  }

  @Test("Seed 003 has significant changes take Always, seed 004 all services both: 003 holds up to iOS 12 (1.21)")
  func servicesInUse() {
    for era in Self.eras {
      for service in EveryService.allCases {
        let takesAlways = (era == .iOS8 || era == .iOS10) && EveryService.watching.contains(service)
        #expect(service.isServed(.always, era: era), "\(service), \(era)")
        #expect(service.isServed(.whenInUse, era: era) == !takesAlways, "\(service), \(era)")
      }
    }
  }
}
