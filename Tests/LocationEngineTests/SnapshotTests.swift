import LocationEngine
import LocationModel
import Testing

@Suite("What clients keep a copy of")
struct SnapshotTests {
  @Test("A changed status, accuracy or switch makes a client's copy stale, and nothing else does")
  func changes() {
    var bench = EngineBench(grant: .whenInUse)
    bench.request(.startUpdatingLocation, at: 0)
    #expect(bench.snapshotChanges == [])
    bench.fix(at: 1)
    #expect(bench.snapshotChanges == [])
    bench.hear(.preciseChanged(EngineBench.app, false), at: 2)
    #expect(bench.snapshotChanges == ["org.example.walk"])
    bench.settings(.denied, at: 3)
    #expect(bench.snapshotChanges == ["org.example.walk"])
    bench.settings(.denied, at: 4)
    #expect(bench.snapshotChanges == [])
    // The app's own status stays denied (behaviour 1.3), but the switch is part of what it may ask for at once.
    bench.hear(.locationServicesSwitched(on: false), at: 5)
    #expect(bench.snapshotChanges == ["org.example.walk"])
  }

  @Test("An app that the host forgets is known no more; one with a process cannot be forgotten")
  func forgetting() {
    var bench = EngineBench(grant: .always)
    var other = AppDescription.complete
    other.identifier = AppIdentifier("org.example.other")
    let second = ClientIdentifier(2)
    bench.hear(.clientConnected(second, other, grant: .whenInUse, lastFix: nil), at: 0)
    bench.hear(.appForgotten(EngineBench.app), at: 1)
    #expect(bench.engine.grant(of: EngineBench.app) == .always)
    bench.hear(.clientDisconnected(EngineBench.client), at: 2)
    bench.hear(.appForgotten(EngineBench.app), at: 3)
    #expect(bench.engine.grant(of: EngineBench.app) == nil)
    // The one that stays is still found by its client and by its name.
    #expect(bench.engine.snapshot(for: second)?.authorization.status == .authorizedWhenInUse)
    #expect(bench.engine.grant(of: other.identifier) == .whenInUse)
  }
}

@Suite("Identities")
struct AppIdentifierTests {
  @Test("One program of two users is two apps, each with its own grant")
  func users() {
    var bench = EngineBench(grant: .always)
    var other = AppDescription.complete
    other.identifier = AppIdentifier(EngineBench.app.name, userNumber: 1_001)
    bench.hear(.clientConnected(ClientIdentifier(2), other, grant: Grant(level: .denied), lastFix: nil), at: 0)
    #expect(bench.engine.grant(of: EngineBench.app)?.level == .always)
    #expect(bench.engine.grant(of: other.identifier)?.level == .denied)
  }

  @Test("Two paths that only look alike are two apps")
  func lookalikes() {
    let composed = AppIdentifier("/opt/caf\u{E9}"), decomposed = AppIdentifier("/opt/cafe\u{301}")
    #expect(composed.name == decomposed.name)
    #expect(composed != decomposed)
    #expect(Set([composed, decomposed]).count == 2)
  }
}
