import LocationEngine
import LocationModel
import Testing

@Suite("Background tasks and background time")
struct BackgroundTaskTests {
  private func inBackground(policy: Policy = Policy()) -> EngineBench {
    var bench = EngineBench.supervised(policy: policy)
    bench.command(.enterBackground, at: 10)
    return bench
  }

  @Test(
    "An open task keeps an app running for 30 s after the last other reason; ended, it is suspended (behaviour 3.7)")
  func task() {
    var bench = inBackground()
    #expect(bench.beginTask(at: 11) == [])
    #expect(bench.run(to: 44) == [])
    #expect(bench.appState == .background)
    #expect(bench.endTask(at: 44) == ["client 1: will be suspended", "suspend"])
  }

  @Test("At its end every open task hears so once; the app that ends them is suspended (behaviour 3.7)")
  func expiration() {
    var bench = inBackground()
    bench.beginTask(1, at: 11)
    bench.beginTask(2, at: 12)
    #expect(bench.run(to: 46) == ["45.0: client 1: task 1 expired", "45.0: client 1: task 2 expired"])
    #expect(bench.endTask(1, at: 46) == [])
    #expect(bench.endTask(2, at: 47) == ["client 1: will be suspended", "suspend"])
  }

  @Test("A task that is not ended after that: the app is killed, and the log says why (behaviour 3.10; seed 004)")
  func notEnded() {
    var bench = inBackground()
    bench.beginTask(1, name: "track", at: 11)
    bench.beginTask(2, name: "send", at: 11)
    bench.run(to: 46)
    bench.endTask(2, at: 47)
    #expect(bench.deadlineSeconds == 50)
    #expect(
      bench.run(to: 60) == ["50.0: note: killed for track", "50.0: kill"])
    #expect(bench.run(to: 100) == [])
    bench.endProcess(at: 100)
    #expect(bench.appState == .notRunning)
  }

  @Test("Of too many open tasks the newest expire at once, and that is said once a process")
  func tooMany() {
    var policy = Policy()
    policy.backgroundTasksPerAppMax = 2
    var bench = inBackground(policy: policy)
    let heard = (UInt64(1)...5).map { bench.beginTask($0, at: 11) }
    #expect(heard.map(\.count) == [0, 0, 2, 1, 1])
    #expect(heard[4] == ["client 1: task 5 expired"])
  }

  @Test("How long it may run is told before that it is in the background, so that the callback can ask (behaviour 3.8)")
  func timeFirst() {
    var bench = EngineBench.supervised()
    let effects = bench.engine.handle(
      .life(.commanded(EngineBench.app, .enterBackground)), at: Instant.zero.advanced(bySeconds: 10))
    let told: [String] = effects.compactMap { effect in
      switch effect {
      case .life(.tell(.backgroundTimeChanged(let ends), _)): ends == nil ? "no end" : "an end"
      case .life(.tell(.enteredBackground, _)): "entered"
      default: nil
      }
    }
    #expect(told == ["an end", "entered"])
  }

  @Test("A late wake-up leaves a task its whole time to end")
  func lateExpiration() {
    var bench = inBackground()
    bench.beginTask(at: 11)
    #expect(bench.pass(to: 300) == ["client 1: task 1 expired"])
    #expect(bench.deadlineSeconds == 305)
    #expect(bench.endTask(at: 304).last == "suspend")
  }

  @Test("Another begin does not renew background time: chained tasks end together (behaviour 3.10; seed 004)")
  func chain() {
    var bench = inBackground()
    for number in UInt64(1)...6 {
      let second = 10 + Double(number) * 5
      bench.beginTask(number, at: second - 0.5)
      if number > 1 { bench.endTask(number - 1, at: second) }
      #expect(bench.appState == .background)
    }
    #expect(bench.run(to: 60).first == "45.0: client 1: task 6 expired")
    #expect(bench.beginTask(7, at: 60) == [], "what is killed gets no more time")
  }

  @Test("Begun when background time is over, a task expires at once")
  func begunTooLate() {
    var bench = inBackground()
    bench.beginTask(1, at: 11)
    bench.run(to: 45)
    #expect(bench.beginTask(2, at: 46) == ["client 1: task 2 expired"])
  }

  @Test("Updates that run give background time anew when they stop (behaviour 3.10; the tracker of seed 004)")
  func tracker() {
    // Listens 10 s in 60: with 180 s of background time it never runs out, with 30 s it does at the first stop.
    for (era, lasts) in [(Era.iOS8, true), (.iOS18, false)] {
      var bench = EngineBench.supervised(policy: Policy(era: era))
      bench.configure { $0.allowsBackgroundUpdates = true }
      bench.request(.startUpdatingLocation, at: 0)
      bench.command(.enterBackground, at: 1)
      var task: UInt64 = 1
      bench.beginTask(task, at: 2)
      var second = 10.0
      while second < 3_600, bench.appState == .background {
        bench.request(.stopUpdatingLocation, at: second)
        let expired = bench.run(to: second + 30)
        if !expired.isEmpty {
          #expect(expired == ["\(second + 30): client 1: task \(task) expired"])
          #expect(second == 10, "at its first stop")
          bench.endTask(task, at: second + 30)
          break
        }
        bench.request(.startUpdatingLocation, at: second + 50)
        task += 1
        bench.beginTask(task, at: second + 51)
        bench.endTask(task - 1, at: second + 51)
        second += 60
      }
      #expect((bench.appState == .background) == lasts, "era \(era)")
    }
  }

  @Test("The foreground ends it all: time is unlimited there, and an open task endangers nobody (behaviour 3.8)")
  func foreground() {
    var bench = inBackground()
    bench.beginTask(at: 11)
    bench.run(to: 46)
    #expect(bench.command(.enterForeground, at: 47).contains("client 1: time until ever"))
    #expect(bench.run(to: 1_000) == [])
    #expect(bench.appState == .foreground)
  }

  @Test(
    "Eras 8 and 10 give 180 s, later ones 30 (behaviour 3.7)",
    arguments: [(Era.iOS8, 195.0), (.iOS10, 195), (.iOS13, 45), (.iOS18, 45)])
  func eras(era: Era, end: Double) {
    var bench = inBackground(policy: Policy(era: era))
    bench.beginTask(at: 11)
    #expect(bench.run(to: end).last == "\(end): client 1: task 1 expired")
  }

  @Test("Tasks beyond the bound are refused by expiring at once, and noted")
  func bound() {
    var bench = EngineBench.supervised(policy: .with { $0.backgroundTasksPerAppMax = 1 })
    #expect(bench.beginTask(1, at: 1) == [])
    #expect(bench.beginTask(1, at: 1) == [], "the same again")
    #expect(bench.beginTask(2, at: 1) == ["note: more than 1 background tasks", "client 1: task 2 expired"])
  }

  @Test("A process that goes takes its tasks along")
  func goneWithTheProcess() {
    var bench = inBackground()
    bench.hear(.clientConnected(ClientIdentifier(2), .installed, grant: .always, lastFix: nil), at: 11)
    bench.hear(.life(.backgroundTaskBegun(1, name: "a", by: ClientIdentifier(2))), at: 12)
    bench.pass(to: 15)
    #expect(bench.hear(.clientDisconnected(ClientIdentifier(2)), at: 20).last == "suspend")
  }
}
