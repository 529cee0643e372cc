import LocationEngine
import LocationModel
import Testing

@Suite("Automatic pausing")
struct PauseTests {
  private func updating(
    policy: Policy = Policy(), activity: ActivityType = .other, pauses: Bool = true
  ) -> EngineBench {
    var bench = EngineBench(policy: policy, grant: .always)
    bench.configure {
      $0.activityType = activity
      $0.pausesAutomatically = pauses
      $0.allowsBackgroundUpdates = true
    }
    bench.request(.startUpdatingLocation, at: 0)
    return bench
  }

  /// A fix a second at one place, from second 1; the seconds of pauses.
  private func rest(_ bench: inout EngineBench, until end: Int) -> [Double] {
    var pauses: [Double] = []
    for second in (Int(bench.seconds) + 1)...end {
      // Errors of some metres are no movement.
      let said = bench.fix(at: Double(second), east: Double(second % 7) * 3)
      if said.contains("1: paused") { pauses.append(Double(second)) }
    }
    return pauses
  }

  @Test(
    "Rest of 10 minutes pauses, 15 in a car, none in the air (behaviour 2.41, 2.42)",
    arguments: [
      (ActivityType.other, [601.0]), (.fitness, [601]), (.otherNavigation, [601]), (.automotiveNavigation, [901]),
      (.airborne, []),
    ])
  func activities(activity: ActivityType, expected: [Double]) {
    var bench = updating(activity: activity)
    #expect(rest(&bench, until: 3_600) == expected)
  }

  @Test("The last location comes before the pause, the receivers go off, nothing comes after (behaviour 2.41)")
  func pausing() {
    var bench = updating()
    _ = rest(&bench, until: 600)
    #expect(bench.fix(at: 601) == ["1: fix 601±4", "1: paused", "store fix 601±4", "receivers off"])
    #expect(bench.fix(at: 602, east: 5_000) == [])
    #expect(bench.hear(.receiversChanged(.unavailable), at: 603) == [])
    #expect(bench.deadlineSeconds == nil)
  }

  @Test("Off: updates go on, however long the rest (behaviour 2.40)")
  func switchedOff() {
    var bench = updating(pauses: false)
    #expect(rest(&bench, until: 2_000) == [])
    #expect(bench.fix(at: 2_001).first == "1: fix 2001±4")
  }

  @Test("Movement begins the rest anew; vague fixes and silence are no rest")
  func notResting() {
    var walking = updating()
    for second in 1...1_500 {
      #expect(!walking.fix(at: Double(second), east: Double(second)).contains("1: paused"))
    }
    var vague = updating()
    for second in 1...1_500 {
      #expect(!vague.fix(at: Double(second), accuracy: 500).contains("1: paused"))
    }
    var silent = updating()
    silent.fix(at: 1)
    #expect(silent.pass(to: 3_000) == [])
  }

  @Test("Rest counts from the start of the updates, not from before (behaviour 2.41)")
  func restBeforeStart() {
    var bench = updating()
    _ = rest(&bench, until: 500)
    bench.request(.stopUpdatingLocation, at: 500)
    bench.request(.startUpdatingLocation, at: 500)
    #expect(rest(&bench, until: 2_000) == [1_100])
  }

  @Test("A start ends the pause: didResume, then locations as at a start (behaviour 2.43)")
  func resumedByStart() {
    var bench = updating()
    _ = rest(&bench, until: 700)
    #expect(bench.request(.startUpdatingLocation, at: 800) == ["1: resumed", "1: fix 700±4", "receivers best"])
    #expect(bench.fix(at: 801, east: 10).first == "1: fix 801±4")
    #expect(rest(&bench, until: 1_500) == [1_400])
  }

  @Test("A stop ends it without a word, and the next start resumes nothing")
  func stopped() {
    var bench = updating()
    _ = rest(&bench, until: 700)
    #expect(bench.request(.stopUpdatingLocation, at: 701) == [])
    #expect(!bench.request(.startUpdatingLocation, at: 702).contains("1: resumed"))
  }

  @Test("Back in the foreground the app is told didResume, then its locations (behaviour 2.43)")
  func resumedInForeground() {
    var bench = updating()
    bench.become(.background, at: 1)
    _ = rest(&bench, until: 700)
    #expect(bench.become(.foreground, at: 2_000) == ["1: resumed", "1: fix 700±4", "receivers best"])
    #expect(bench.fix(at: 2_001, east: 3_000).first == "1: fix 2001±4")
  }

  @Test("By the documentation's policy only a start ends it (behaviour 2.43)")
  func onStartOnly() {
    var bench = updating(policy: .with { $0.pausedUpdatesResume = .onStart })
    bench.become(.background, at: 1)
    _ = rest(&bench, until: 700)
    #expect(bench.become(.foreground, at: 2_000) == [])
    #expect(bench.request(.startUpdatingLocation, at: 2_001).first == "1: resumed")
  }

  @Test("By the header's policy movement ends it: a look a minute, and didResume before the location (behaviour 2.43)")
  func onMovement() {
    var bench = updating(policy: .with { $0.pausedUpdatesResume = .onMovement })
    #expect(rest(&bench, until: 601) == [601])
    #expect(bench.pass(to: 661) == ["receivers best"])
    #expect(bench.fix(at: 662) == ["receivers off"])
    #expect(bench.pass(to: 722) == ["receivers best"])
    #expect(bench.fix(at: 723, east: 400) == ["1: resumed", "1: fix 723±4"])
    #expect(bench.fix(at: 724, east: 410).first == "1: fix 724±4")
  }

  @Test("Permission that goes and comes leaves the pause as it is")
  func permission() {
    var bench = updating()
    _ = rest(&bench, until: 700)
    bench.settings(.denied, at: 800)
    #expect(bench.settings(.always, at: 900) == ["store always", "1: authorizedAlways full"])
    #expect(bench.request(.startUpdatingLocation, at: 901).first == "1: resumed")
  }

  @Test("A pause ends a deferral with its locations, then pauses (behaviour 2.52)")
  func endsDeferral() {
    var bench = updating()
    bench.fix(at: 0.5)
    bench.become(.background, at: 1)
    bench.request(.allowDeferredUpdates(distanceMeters: 1e12, timeoutSeconds: 1e12), at: 1)
    _ = rest(&bench, until: 599)
    let said = bench.fix(at: 600.5)
    #expect(said.first == "1: deferral finished deferredNotUpdatingLocation")
    #expect(said.dropFirst().first?.hasPrefix("1: fix 2±4, fix 3±4") == true)
    #expect(said.dropFirst(2).first == "1: paused")
  }
}
