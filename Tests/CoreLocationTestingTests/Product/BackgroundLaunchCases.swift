import CoreLocation
import CoreLocationTesting
import LocationEngine
import Testing

/// What an app may do that was started in the background.
@Suite("Cases: started in the background")
struct BackgroundLaunchCases {
  @Test("RB-08: no session begins there, and a monitor's event waits for its reader: exactly one, and then the record")
  func monitorAndSession() async throws {
    let home = ProductTests.home
    var app = SimulatedDevice.describedApp()
    app.hasLocationBackgroundMode = true
    app.isInstalled = true
    // As before era 18: Always needs no session (behaviour 9.23).
    var policy = Policy()
    policy.alwaysNeedsServiceSession = false
    let device = SimulatedDevice(
      app: app, policy: policy, grant: Grant(level: .always, hasRequestedAlways: true), launchesNow: false)
    device.put(at: ProductTests.station)
    try await device.run {
      device.launch { _ in NSObject() }
      let monitor = await CLMonitor("geo")
      await monitor.add(
        CLMonitor.CircularGeographicCondition(center: home, radius: 150), identifier: "c", assuming: .unsatisfied)
      try await device.advance(by: .seconds(30))
      device.terminate()

      device.setOut(on: Journey(from: ProductTests.station).drive(to: home).stay(for: .seconds(60)))
      try await device.advance(within: .seconds(600), until: "the device has started the app for the entry") {
        device.eventLaunchCount == 1
      }
      #expect(device.appState == .background)
      let session = CLBackgroundActivitySession()
      var diagnostics = session.diagnostics.makeAsyncIterator()
      let standing = try await diagnostics.next()
      #expect(standing?.insufficientlyInUse == true)

      let again = await CLMonitor("geo")
      #expect(await again.record(for: "c")?.lastEvent.state == .unsatisfied)
      let reader = Task {
        var states: [CLMonitor.Event.State] = []
        for try await event in await again.events { states.append(event.state) }
        return states
      }
      // The reader waits when it has handled the event; the session's iteration is this test's own, and at work.
      try await device.listening(1)
      #expect(await again.record(for: "c")?.lastEvent.state == .satisfied)
      reader.cancel()
      #expect(try await reader.value == [.satisfied])
      withExtendedLifetime((monitor, session)) {}
    }
  }
}
