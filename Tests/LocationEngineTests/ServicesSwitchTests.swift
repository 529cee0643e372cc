import LocationEngine
import LocationModel
import Testing

@Suite("The global switch")
struct ServicesSwitchTests {
  /// Adds a second app with one manager; its client is 2.
  private func addApp(_ name: String, grant: Grant, to bench: inout EngineBench) {
    var app = AppDescription.complete
    app.identifier = AppIdentifier(name)
    let client = ClientIdentifier(2)
    bench.hear(.clientConnected(client, app, grant: grant, lastFix: nil), at: 0)
    bench.hear(.appStateChanged(app.identifier, .foreground), at: 0)
    bench.hear(.managerCreated(EngineBench.manager(1, of: client)), at: 0)
  }

  @Test("Off tells every app denied, on gives each its own status back (behaviour 1.3, 1.30)")
  func offAndOn() {
    var bench = EngineBench(grant: .always, managers: 2)
    addApp("org.example.other", grant: .reduced, to: &bench)
    #expect(
      bench.hear(.locationServicesSwitched(on: false), at: 1)
        == ["1: denied full", "2: denied full", "2.1: denied reduced"])
    #expect(bench.hear(.locationServicesSwitched(on: false), at: 2) == [])
    #expect(
      bench.hear(.locationServicesSwitched(on: true), at: 3)
        == ["1: authorizedAlways full", "2: authorizedAlways full", "2.1: authorizedWhenInUse reduced"])
  }

  @Test("An app that a person denied hears nothing of the switch: its status does not change (behaviour 1.26)")
  func deniedAppHearsNothing() {
    var bench = EngineBench(grant: Grant(level: .denied))
    #expect(bench.hear(.locationServicesSwitched(on: false), at: 1) == [])
    #expect(bench.hear(.locationServicesSwitched(on: true), at: 2) == [])
  }

  @Test("Running updates are refused by it, and resume with the cached fix when it is back on (behaviour 2.14)")
  func updatesResume() {
    var bench = EngineBench(grant: .whenInUse)
    bench.request(.startUpdatingLocation, at: 0)
    bench.fix(at: 1)
    #expect(
      bench.hear(.locationServicesSwitched(on: false), at: 2)
        == ["1: denied full", "1: failed denied", "receivers off"])
    #expect(bench.fix(at: 3) == [])
    #expect(
      bench.hear(.locationServicesSwitched(on: true), at: 4)
        == ["1: authorizedWhenInUse full", "1: fix 3±4", "receivers best"])
  }

  @Test("A start while it is off shows the service's own alert, once for each process, and fails (behaviour 1.31)")
  func alertOnce() {
    var bench = EngineBench(grant: .whenInUse, managers: 2)
    bench.hear(.locationServicesSwitched(on: false), at: 0)
    #expect(bench.request(.startUpdatingLocation, at: 1) == ["services alert", "1: failed denied"])
    #expect(bench.request(.startUpdatingLocation, at: 2, by: 2) == ["2: failed denied"])
    #expect(bench.request(.stopUpdatingLocation, at: 3) == [])
    #expect(bench.request(.requestLocation, at: 4) == ["1: answer failed denied"])
    let second = ClientIdentifier(2)
    bench.hear(.clientConnected(second, .complete, grant: .whenInUse, lastFix: nil), at: 5)
    bench.hear(.managerCreated(EngineBench.manager(1, of: second)), at: 5)
    #expect(
      bench.hear(.requested(.requestLocation, by: EngineBench.manager(1, of: second)), at: 6)
        == ["services alert", "2.1: answer failed denied"])
  }

  @Test("Requests for permission do nothing while it is off (behaviour 1.5)")
  func noPromptWhileOff() {
    var bench = EngineBench()
    bench.hear(.locationServicesSwitched(on: false), at: 0)
    #expect(bench.request(.requestWhenInUseAuthorization, at: 1) == [])
    #expect(bench.request(.requestAlwaysAuthorization, at: 2) == [])
  }

  @Test("An answer given while it is off is kept, and shows when it is on (behaviour 1.30)")
  func answerWhileOff() {
    var bench = EngineBench()
    bench.request(.requestWhenInUseAuthorization, at: 0)
    #expect(bench.hear(.locationServicesSwitched(on: false), at: 1) == ["1: denied full"])
    #expect(bench.answer(.allowWhileUsing, at: 2) == ["store whenInUse"])
    #expect(bench.hear(.locationServicesSwitched(on: true), at: 3) == ["1: authorizedWhenInUse full"])
  }

  @Test("A denied start is told at once, one that nobody has decided about waits in silence (behaviour 1.31, 1.32)")
  func startWithoutPermission() {
    for grant in [Grant(level: .denied), Grant(isRestricted: true)] {
      var refused = EngineBench(grant: grant)
      #expect(refused.request(.startUpdatingLocation, at: 0) == ["1: failed denied"])
      #expect(refused.request(.stopUpdatingLocation, at: 1) == [])
      #expect(refused.request(.requestLocation, at: 2) == ["1: answer failed denied"])
    }
    var undecided = EngineBench()
    #expect(undecided.request(.startUpdatingLocation, at: 0) == [])
    #expect(undecided.fix(at: 1) == [])
    undecided.request(.requestWhenInUseAuthorization, at: 2)
    #expect(
      undecided.answer(.allowWhileUsing, at: 3)
        == ["store whenInUse", "1: authorizedWhenInUse full", "1: fix 1±4", "receivers best"])
  }
}
