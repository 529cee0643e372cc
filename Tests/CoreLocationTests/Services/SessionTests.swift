@testable import CoreLocation
import CoreLocationTesting
import LocationEngine
import Testing

@Suite("Sessions that an app holds", .onSimulatedDevice)
struct SessionTests {
  @Test("diagnostics begin with how the session stands and end with the session (behaviour 9.11, 9.25)")
  func serviceSession() async throws {
    let session = CLServiceSession(authorization: .none)
    var diagnostics = session.diagnostics.makeAsyncIterator()
    let first = try #require(try await diagnostics.next())
    #expect(!first.authorizationRequestInProgress && !first.serviceSessionRequired && !first.insufficientlyInUse)
    session.invalidate()
    #expect(try await diagnostics.next() == nil)
    session.invalidate()
    var late = session.diagnostics.makeAsyncIterator()
    #expect(try await late.next() == nil)
  }

  @Test("a background session's diagnostics do the same (behaviour 9.11)")
  func backgroundSession() async throws {
    let session = CLBackgroundActivitySession()
    var diagnostics = session.diagnostics.makeAsyncIterator()
    let first = try #require(try await diagnostics.next())
    #expect(!first.authorizationRequestInProgress && !first.serviceSessionRequired && !first.insufficientlyInUse)
    session.invalidate()
    #expect(try await diagnostics.next() == nil)
  }

  @Test("an iteration that waits ends when its task is cancelled")
  func cancelling() async throws {
    let (firstSeen, sayFirstSeen) = AsyncStream<Void>.makeStream()
    let task = Task {
      var count = 0
      let session = CLServiceSession(authorization: .always, fullAccuracyPurposeKey: "navigation")
      for try await _ in session.diagnostics {
        count += 1
        sayFirstSeen.yield()
      }
      return count
    }
    for await _ in firstSeen { break }
    task.cancel()
    #expect(try await task.value == 1)
  }

  @Test("an iteration holds its session, as a variable does")
  func iterationHoldsSession() async throws {
    var diagnostics = CLServiceSession(authorization: .none).diagnostics.makeAsyncIterator()
    #expect(try await diagnostics.next() != nil)
  }

  @Test("two iterations hear the same, each from where the session stands (behaviour 9.25)")
  func twoIterations() async throws {
    let device = SimulatedDevice()
    try await device.run { () async throws in
      let session = CLServiceSession(authorization: .whenInUse)
      var early = session.diagnostics.makeAsyncIterator()
      #expect(try await early.next()?.authorizationRequestInProgress == true)
      device.chooseInSettings(.denied)
      var late = session.diagnostics.makeAsyncIterator()
      #expect(try await early.next()?.authorizationDenied == true)
      #expect(try await late.next()?.authorizationDenied == true)
    }
  }

  @Test("services that are off deny each app (behaviour 9.4)")
  func servicesOff() async throws {
    let device = SimulatedDevice(grant: Grant(level: .always))
    device.switchLocationServices(on: false)
    try await device.run {
      var diagnostics = CLServiceSession(authorization: .always).diagnostics.makeAsyncIterator()
      let first = try #require(try await diagnostics.next())
      #expect(first.authorizationDenied && first.authorizationDeniedGlobally && !first.authorizationRestricted)
      #expect(first.alwaysAuthorizationDenied)
    }
  }
}
