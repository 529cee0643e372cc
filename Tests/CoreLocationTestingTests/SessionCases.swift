import CoreLocation
import CoreLocationTesting
import LocationEngine
import LocationModel
import Testing

/// Sessions as apps hold them, on a simulated device.
@Suite("Sessions on a simulated device")
struct SessionCases {
  private static var app: AppDescription {
    var app = SimulatedDevice.describedApp()
    app.hasLocationBackgroundMode = true
    app.temporaryUsages = [AppDescription.TemporaryUsage(purposeKey: "turn", text: "Tells you where to turn.")]
    return app
  }

  @Test("9.20, 9.25: a session asks by itself, and its diagnostics follow the answer")
  func asks() async throws {
    let device = SimulatedDevice(app: Self.app, grant: Grant())
    try await device.run {
      let session = CLServiceSession(authorization: .whenInUse)
      var diagnostics = session.diagnostics.makeAsyncIterator()
      #expect(try await diagnostics.next()?.authorizationRequestInProgress == true)
      #expect(device.person.answer(PromptAnswer(.allowWhileUsing)))
      let settled = try #require(try await diagnostics.next())
      #expect(!settled.authorizationRequestInProgress && !settled.authorizationDenied)
      #expect(device.grantInSettings.level == .whenInUse)
    }
  }

  @Test("9.10, 9.11: a While Using app is served in the background until its background session goes")
  func backgroundSession() throws {
    let device = SimulatedDevice(app: Self.app, grant: Grant(level: .whenInUse))
    try device.run { () throws in
      let manager = CLLocationManager()
      manager.startUpdatingLocation()
      var session: CLBackgroundActivitySession? = CLBackgroundActivitySession()
      device.moveToBackground()
      device.advance(bySeconds: 60)
      #expect(device.receiver.demand != nil)
      _ = session
      session = nil
      #expect(device.receiver.demand == nil)
    }
  }

  @Test("9.12: made in the background a background session does nothing, and says that the app is not in use")
  func madeInBackground() async throws {
    let device = SimulatedDevice(app: Self.app, grant: Grant(level: .whenInUse))
    device.moveToBackground()
    device.advance(bySeconds: 60)
    try await device.run { () async throws in
      let session = CLBackgroundActivitySession()
      var diagnostics = session.diagnostics.makeAsyncIterator()
      #expect(try await diagnostics.next()?.insufficientlyInUse == true)
    }
  }

  @Test("9.21, 9.23: full accuracy is asked for on top, and its refusal is named")
  func fullAccuracy() async throws {
    let device = SimulatedDevice(app: Self.app, grant: Grant(level: .whenInUse, isPrecise: false))
    try await device.run { () async throws in
      let session = CLServiceSession(authorization: .whenInUse, fullAccuracyPurposeKey: "turn")
      var diagnostics = session.diagnostics.makeAsyncIterator()
      #expect(try await diagnostics.next()?.authorizationRequestInProgress == true)
      #expect(device.person.answer(PromptAnswer(.doNotAllow)))
      #expect(try await diagnostics.next()?.fullAccuracyDenied == true)
    }
  }
}
