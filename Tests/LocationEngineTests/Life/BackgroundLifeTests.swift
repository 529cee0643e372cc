import LocationEngine
import LocationModel
import Testing

@Suite("How long a supervised app runs in the background")
struct BackgroundLifeTests {
  @Test("An app that leaves the foreground runs on for 5 s and is suspended then (behaviour 3.9)")
  func entry() {
    var bench = EngineBench.supervised()
    #expect(
      bench.command(.enterBackground, at: 10) == ["client 1: time until 45", "client 1: background", "store life"])
    #expect(bench.deadlineSeconds == 15)
    #expect(bench.pass(to: 14.9) == [])
    #expect(bench.appState == .background)
    #expect(bench.pass(to: 15) == ["client 1: will be suspended", "suspend"])
    #expect(bench.appState == .suspended)
    #expect(bench.deadlineSeconds == nil)
  }

  @Test("Late, early and repeated wake-ups change nothing: a fix that comes late finds the app suspended already")
  func lateWakeUp() {
    var bench = EngineBench.supervised(grant: .whenInUse)
    bench.request(.startUpdatingLocation, at: 1)
    bench.command(.enterBackground, at: 10)
    #expect(bench.pass(to: 3) == [])
    #expect(bench.pass(to: 10) == [])
    #expect(
      bench.fix(at: 100) == ["1: failed locationUnknown", "client 1: will be suspended", "suspend", "receivers off"],
      "the silence of 10 s was due at 11, before the suspension")
    #expect(bench.pass(to: 100) == [])
  }

  @Test("Back in the foreground the app runs again, and what was kept follows (behaviour 2.16)")
  func foreground() {
    var bench = EngineBench.supervised()
    bench.command(.enterBackground, at: 10)
    bench.run(to: 20)
    #expect(
      bench.command(.enterForeground, at: 60)
        == ["resume", "client 1: foreground", "client 1: time until ever", "store life in front"])
    #expect(bench.appState == .foreground)
    #expect(bench.command(.enterForeground, at: 61) == [])
  }

  @Test("How it runs is stored: in front, on updates in the background, and no more where it is suspended or ends")
  func stored() {
    var bench = EngineBench.supervised(grant: .whenInUse)
    func stored(_ effects: [String]) -> [String] { effects.filter { $0.contains("store life") } }
    bench.configure { $0.allowsBackgroundUpdates = true }
    bench.request(.startUpdatingLocation, at: 1)
    #expect(stored(bench.command(.enterBackground, at: 2)) == ["store life running on"])
    #expect(stored(bench.request(.stopUpdatingLocation, at: 3)) == ["store life"])
    bench.run(to: 30)
    #expect(stored(bench.command(.enterForeground, at: 60)) == ["store life in front"])
    #expect(stored(bench.endProcess(at: 61)) == ["store life"])
  }

  @Test("Continuous background updates keep an app running with no end (behaviour 1.19, 3.2; seeds 000, 001)")
  func backgroundUpdates() {
    for grant in [Grant.whenInUse, .always] {
      var bench = EngineBench.supervised(grant: grant)
      bench.configure { $0.allowsBackgroundUpdates = true }
      bench.request(.startUpdatingLocation, at: 1)
      bench.command(.enterBackground, at: 2)
      bench.run(to: 500)
      #expect(bench.appState == .background)
      #expect(bench.fix(at: 600).contains("1: fix 600±4"))
      #expect(bench.request(.stopUpdatingLocation, at: 700).contains("suspend"))
    }
  }

  @Test("Without the background mode, or without the property, updates keep nobody running (behaviour 3.2, 3.3)")
  func noBackgroundUpdates() {
    var mode = EngineBench.supervised(app: .complete { ($0.isInstalled, $0.hasLocationBackgroundMode) = (true, false) })
    mode.configure { $0.allowsBackgroundUpdates = true }
    mode.request(.startUpdatingLocation, at: 1)
    mode.command(.enterBackground, at: 2)
    #expect(mode.run(to: 20).contains("7.0: suspend"))
    var property = EngineBench.supervised()
    property.request(.startUpdatingLocation, at: 1)
    property.command(.enterBackground, at: 2)
    #expect(property.run(to: 20).contains("7.0: suspend"))
  }

  @Test("Updates that paused keep nobody running; the foreground brings both back (cases CL-06, behaviour 2.42, 2.43)")
  func pausedUpdates() {
    var bench = EngineBench.supervised()
    bench.configure { $0.allowsBackgroundUpdates = true }
    bench.request(.startUpdatingLocation, at: 1)
    bench.command(.enterBackground, at: 2)
    var said: [String] = []
    for second in stride(from: 10.0, through: 1_200, by: 10) { said += bench.fix(at: second) }
    #expect(said.filter { $0 == "1: paused" }.count == 1)
    #expect(bench.appState == .suspended)
    #expect(bench.fix(at: 1_300, east: 1_000) == [], "walking on in the background")
    let back = bench.command(.enterForeground, at: 1_400)
    #expect(back.prefix(3) == ["resume", "client 1: foreground", "1: resumed"])
    #expect(bench.fix(at: 1_401, east: 1_000).contains("1: fix 1401±4"))
  }

  @Test("Allow Once lapses when the app is out of use, and the news waits for it (behaviour 1.17, cases CL-08)")
  func allowOnce() {
    var bench = EngineBench.supervised(grant: Grant())
    bench.request(.requestWhenInUseAuthorization, at: 1)
    bench.answer(.allowOnce, at: 2)
    bench.command(.enterBackground, at: 10)
    let out = bench.pass(to: 15)
    #expect(out.contains("suspend"))
    let told = out + bench.command(.enterForeground, at: 60)
    #expect(told.filter { $0 == "1: notDetermined full" }.count == 1)
  }

  @Test("What is ended is told first, unless it cannot run; it stands as it did until its process has gone")
  func termination() {
    var bench = EngineBench.supervised()
    #expect(bench.command(.terminate, at: 1) == ["client 1: will terminate", "terminate", "store life"])
    #expect(bench.command(.terminate, at: 2) == [])
    #expect(bench.command(.enterBackground, at: 2) == [])
    #expect(bench.endProcess(at: 3) == [])
    #expect(bench.appState == .notRunning)
    var suspended = EngineBench.supervised()
    suspended.command(.enterBackground, at: 1)
    suspended.run(to: 10)
    #expect(suspended.command(.terminate, at: 20) == ["terminate"])
  }

  @Test("A process is greeted with how its app stands, and why it was launched (behaviour 4.5, 5.23)")
  func greeting() {
    var bench = EngineBench.supervised()
    bench.endProcess(at: 1)
    #expect(bench.launch(.person, managers: 0, at: 2) == ["store life in front", "client 1: began foreground"])
    bench.endProcess(at: 3)
    #expect(
      bench.launch(.event, managers: 0, at: 4) == ["client 1: began background for an event"])
    #expect(bench.run(to: 20) == ["14.0: client 1: will be suspended", "14.0: suspend"])
  }

  @Test("A lost connection is not the end of a supervised app; the process is (plain apps go on as they are)")
  func lostConnection() {
    var bench = EngineBench.supervised()
    bench.hear(.clientDisconnected(EngineBench.client), at: 1)
    #expect(bench.appState == .foreground)
    bench.hear(.life(.processEnded(EngineBench.app)), at: 2)
    #expect(bench.appState == .notRunning)
    var plain = EngineBench()
    #expect(plain.hear(.life(.launched(.complete, grant: .always, .event)), at: 1) == [])
    #expect(plain.command(.enterBackground, at: 2) == [])
    #expect(plain.appState == .foreground)
    plain.hear(.clientDisconnected(EngineBench.client), at: 3)
    #expect(plain.appState == .notRunning)
  }
}
