@testable import CoreLocation
import Testing

@Suite("Sessions without a service behind them", .onSimulatedDevice)
struct SessionTests {
  @Test("diagnostics begin with one element and end with the session (behaviour 9.11, 9.25)")
  func serviceSession() async throws {
    let session = CLServiceSession(authorization: .whenInUse)
    var diagnostics = session.diagnostics.makeAsyncIterator()
    let first = try #require(try await diagnostics.next())
    #expect(!first.authorizationRequestInProgress && !first.serviceSessionRequired && !first.insufficientlyInUse)
    session.invalidate()
    #expect(try await diagnostics.next() == nil)
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

  @Test("services that are off deny each app (behaviour 9.4)")
  func standing() {
    let off = SessionStanding(status: .authorizedAlways, servicesEnabled: false)
    #expect(off.isDenied && off.isDeniedGlobally && !off.isRestricted)
    let denied = SessionStanding(status: .denied, servicesEnabled: true)
    #expect(denied.isDenied && !denied.isDeniedGlobally)
    let restricted = SessionStanding(status: .restricted, servicesEnabled: true)
    #expect(!restricted.isDenied && restricted.isRestricted)
    let granted = SessionStanding(status: .authorizedWhenInUse, servicesEnabled: true)
    #expect(!granted.isDenied && !granted.isDeniedGlobally && !granted.isRestricted)
  }
}
