import CoreLocation
import CoreLocationTesting
import Testing

/// The field's reports about monitors.
@Suite("Cases: monitors")
struct ConditionCases {
  private final class Holder {
    var session: CLServiceSession?
  }

  private static let away = CLLocationCoordinate2D(latitude: 47.51, longitude: 19.2)

  @Test("RB-08: in the background no session begins, and an event waits for its reader: exactly one, then the record")
  func startedInBackground() async throws {
    let device = SimulatedDevice(
      AppInfo(hasLocationBackgroundMode: true), permission: .always, at: Self.away)
    try await device.run {
      let first = device.launch { _ in Holder() }
      // From iOS 18 on Always takes a session, which the app takes up again at each start (9.23, 9.26).
      first.session = CLServiceSession(authorization: .always)
      var monitor: CLMonitor? = await CLMonitor("geo")
      await monitor?.add(
        CLMonitor.CircularGeographicCondition(center: CaseApp.home, radius: 150), identifier: "c",
        assuming: .unsatisfied)
      try await device.advance(by: .seconds(30))
      monitor = nil
      device.terminate()

      device.setOut(on: Journey(from: Self.away).drive(to: CaseApp.home).stay(for: .seconds(60)))
      try await device.advance(within: .seconds(600), until: "the device has started the app for the entry") {
        device.eventLaunchCount == 1
      }
      device.app(as: Holder.self)?.session = CLServiceSession(authorization: .always)
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
