import LocationEngine
import LocationModel
import Testing

@Suite("A device that rests, as its motion sensor says")
struct RestTests {
  private func updating(_ profile: DeviceProfile = .phone, _ wish: DesiredAccuracy = .best) -> EngineBench {
    var bench = EngineBench(grant: .always, profile: profile)
    bench.configure { $0.desiredAccuracy = wish }
    bench.request(.startUpdatingLocation, at: 0)
    return bench
  }

  @Test("The sensor is watched while somebody wants places, however seldom, and not longer")
  func sensor() {
    var bench = EngineBench(grant: .always, profile: .tracker)
    #expect(bench.request(.startUpdatingLocation, at: 0) == ["motion sensor on", "receivers best"])
    #expect(bench.request(.stopUpdatingLocation, at: 5) == ["motion sensor off", "receivers off"])
  }

  @Test("A place found shortly before a rest holds: receivers are off until the device moves (algorithms 1.2)")
  func off() {
    var bench = updating()
    bench.fix(at: 10)
    #expect(bench.hear(.motionChanged(.still), at: 40) == ["receivers off"])
    #expect(bench.pass(to: 500) == [])
    #expect(bench.hear(.motionChanged(.moving), at: 501) == ["receivers best"])
  }

  @Test("One found more than 30 s before does not, so that one more is looked for, by what is heard there")
  func stale() {
    var bench = updating()
    bench.fix(at: 9)
    #expect(bench.hear(.motionChanged(.still), at: 40) == ["receivers best by wireless"])
    #expect(bench.fix(at: 42, accuracy: 38) == ["1: fix 42±38", "receivers off"])
  }

  @Test("Who came to rest too near to an edge to tell the side is looked for a minute more, and not longer")
  func nearEdge() {
    // A circle of 150 m: 10 m outside of it, by a fix with an error of 4 m.
    var bench = EngineBench(grant: .always, profile: .phone)
    bench.request(.startMonitoring(.circle()), at: 0)
    bench.fix(at: 10, east: 1_000)
    bench.fix(at: 100, east: 160)
    #expect(!bench.hear(.motionChanged(.still), at: 110).contains("receivers off"))
    #expect(!bench.fix(at: 169, east: 160).contains("receivers off"))
    #expect(bench.fix(at: 171, east: 160).contains("receivers off"))
    #expect(bench.pass(to: 5_000) == [])
  }

  @Test("Who came to rest where there is no doubt of the side sleeps at once")
  func farFromEdge() {
    var bench = EngineBench(grant: .always, profile: .phone)
    bench.request(.startMonitoring(.circle()), at: 0)
    bench.fix(at: 10, east: 1_000)
    bench.fix(at: 100, east: 400)
    #expect(bench.hear(.motionChanged(.still), at: 110).isEmpty)
    #expect(bench.engine.receiverDecisions.allSatisfy { $0.look == .onMovement })
  }

  @Test("Whoever starts during a rest, or asks once, still gets a new place")
  func starts() {
    var bench = updating()
    bench.fix(at: 10)
    bench.hear(.motionChanged(.still), at: 40)
    #expect(bench.request(.stopUpdatingLocation, at: 50) == ["motion sensor off"])
    #expect(bench.request(.startUpdatingLocation, at: 60).suffix(2) == ["motion sensor on", "receivers best"])
    bench.hear(.motionChanged(.still), at: 61)
    #expect(bench.fix(at: 62) == ["1: fix 62±4", "receivers off"])
    #expect(bench.request(.stopUpdatingLocation, at: 70) == ["motion sensor off"])
    #expect(bench.request(.requestLocation, at: 71) == ["motion sensor on", "receivers best"])
  }

  @Test("A machine without a sensor is not told to sleep by anybody")
  func none() {
    var bench = updating(.receiver)
    bench.fix(at: 10)
    #expect(bench.hear(.motionChanged(.still), at: 40) == [])
  }

  @Test("Updates pause after ten minutes of rest with no fix in between (behaviour 2.42)")
  func pause() {
    var bench = updating()
    bench.configure { $0.pausesAutomatically = true }
    bench.fix(at: 10)
    bench.hear(.motionChanged(.still), at: 40)
    // The fixes were at one place from second 10 on.
    #expect(bench.deadlineSeconds == 610)
    #expect(bench.pass(to: 610) == ["1: paused", "motion sensor off"])
  }

  @Test("A visit's arrival is told five minutes after the device came to rest, with one fix (algorithms 7)")
  func visit() {
    var bench = EngineBench(grant: .always, profile: .phone)
    bench.request(.startMonitoringVisits, at: 0)
    bench.fix(at: 1)
    bench.hear(.motionChanged(.moving), at: 2)
    bench.hear(.motionChanged(.still), at: 1_000)
    // A rest that lasts a minute is looked at; it began 30 s before the sensor said so.
    #expect(bench.deadlineSeconds == 1_060)
    #expect(bench.pass(to: 1_060) == ["receivers 75 m by wireless"])
    #expect(bench.fix(at: 1_062, east: 5_000, accuracy: 38) == ["receivers off"])
    #expect(bench.deadlineSeconds == 1_270)
    let told = bench.pass(to: 1_270)
    #expect(told.count == 1 && told[0].hasPrefix("1: visit"), "\(told)")
  }

  @Test("An app that is woken during a long rest has no wake-up left over from before its suspension")
  func woken() {
    var bench = updating()
    bench.configure { $0.pausesAutomatically = true }
    bench.fix(at: 10)
    bench.hear(.motionChanged(.still), at: 40)
    bench.become(.suspended, at: 50)
    #expect(bench.pass(to: 2_000) == [])
    // Nobody else wants the sensor, so that it has to say again that nothing moves.
    bench.become(.background, at: 2_001)
    #expect((bench.deadlineSeconds ?? .infinity) > 2_001)
  }

  @Test("A sensor that falls silent leaves nobody asleep: looks are made as without one")
  func silent() {
    var bench = EngineBench(grant: .always, profile: .phone)
    bench.request(.startMonitoringVisits, at: 0)
    bench.fix(at: 1)
    bench.hear(.motionChanged(.still), at: 2)
    #expect(bench.pass(to: 4_000).count == 1, "the arrival")
    // Nothing is looked for, and no wake-up is left over from before.
    #expect(bench.hear(.motionChanged(.unknown), at: 5_000).isEmpty)
    #expect((bench.deadlineSeconds ?? 0) > 5_000)
    bench.hear(.motionChanged(.moving), at: 5_001)
    #expect(bench.hear(.motionChanged(.unknown), at: 5_002) == ["receivers 75 m"])
  }

  @Test("Circles need nothing while the device rests, and from a rest it takes time to reach an edge (algorithms 1.4)")
  func circles() {
    var bench = EngineBench(grant: .always, profile: .phone)
    bench.monitor(.circle())
    bench.fix(at: 1, east: 2_000)
    #expect(bench.hear(.motionChanged(.still), at: 20).isEmpty)
    #expect(bench.pass(to: 5_000) == [])
    #expect(bench.hear(.motionChanged(.moving), at: 5_000).isEmpty)
    // 2000 - 150 m to the edge, less twice the error of 4 m and the cushion of 20 m: 1822 m. From rest at 2.5 m/s² it
    // takes the root of 2 x 1822 / 2.5, 38.2 s, and 5 s of slack.
    let expected = 5_000 + (2 * 1_822 / 2.5).squareRoot() + 5
    #expect(abs((bench.deadlineSeconds ?? 0) - expected) < 0.01)
  }
}
