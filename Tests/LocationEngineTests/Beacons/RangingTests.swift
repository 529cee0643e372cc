import LocationEngine
import LocationModel
import Testing

@Suite("Ranging of beacons")
struct RangingTests {
  private func ranging(grant: Grant = .whenInUse, managers: UInt64 = 1) -> EngineBench {
    var bench = EngineBench.withRadio(grant: grant, managers: managers)
    bench.request(.startRanging(.uuid()), at: 0)
    return bench
  }

  @Test("A report a second, empty ones too, and none after the stop (behaviour 6.5)")
  func everySecond() {
    var bench = ranging()
    #expect(bench.listen(to: 2) == ["1 1: ranged []", "2 1: ranged []"])
    #expect(bench.listen(to: 3, packets: [(2.5, .of(signal: -70, at: 2.5))]) == ["3 1: ranged [1.1 far -70]"])
    #expect(bench.said(bench.request(.stopRanging(.uuid()), at: 3.5)) == ["beacon scan off"])
    #expect(bench.listen(to: 10) == [])
    #expect(bench.deadlineSeconds == nil)
  }

  @Test("The signal strength is the mean of the packets since the last report, without the extremes (behaviour 6.10)")
  func mean() {
    var bench = ranging()
    let levels = [-60, -62, -61, -59, -60, -61, -60, -30, -99, -59]
    let packets = levels.enumerated().map { number, level in
      let at = 0.05 + Double(number) * 0.1
      return (at: at, packet: BeaconPacket.of(signal: level, at: at))
    }
    // Without -30 and -99 the sum is -482 of 8.
    #expect(bench.listen(to: 1, packets: packets) == ["1 1: ranged [1.1 near -60]"])
    #expect(bench.listen(to: 2, packets: [(1.5, .of(signal: -80, at: 1.5))]) == ["2 1: ranged [1.1 far -80]"])
  }

  @Test("Nearest first: by proximity, then by distance, those of unknown distance last (behaviour 6.6)")
  func order() {
    var bench = ranging()
    let packets: [(at: Double, packet: BeaconPacket)] = [
      (0.1, .of(minor: 1, signal: -80, at: 0.1)), (0.2, .of(minor: 2, signal: -50, at: 0.2)),
      (0.3, .of(minor: 3, signal: -62, at: 0.3)), (0.4, .of(minor: 4, signal: -60, at: 0.4)),
      (0.5, .of(minor: 5, signal: -60, power: 0, at: 0.5)), (0.6, .of(2, minor: 6, signal: -50, at: 0.6)),
    ]
    #expect(
      bench.listen(to: 1, packets: packets) == [
        "1 1: ranged [1.2 immediate -50, 1.4 near -60, 1.3 near -62, 1.1 far -80, 1.5 unknown -60]"
      ])
  }

  @Test("A beacon that falls silent is unknown after 5 s and gone after 10 (behaviour 6.10)")
  func silence() {
    var bench = ranging()
    let said = bench.listen(to: 12, packets: [(0.5, .of(signal: -59, at: 0.5))])
    let expected = (1...12).map { second in
      "\(second) 1: ranged [" + (second <= 5 ? "1.1 near -59]" : second <= 10 ? "1.1 unknown 0]" : "]")
    }
    #expect(said == expected)
  }

  @Test("Half a step over a bound does not make a beacon farther; a fifth more does (algorithms 3)")
  func hysteresis() {
    var bench = ranging()
    // -69 dBm is 3.1 m at -59, -72 is 4.3 m, -68 is 2.8 m.
    for (second, level, expected) in [
      (0, -69, "far"), (1, -68, "near"), (2, -69, "near"), (3, -72, "far"), (4, -69, "far"), (5, -68, "near"),
    ] {
      let at = Double(second) + 0.5
      let said = bench.listen(to: Double(second + 1), packets: [(at, .of(signal: level, at: at))])
      #expect(said == ["\(second + 1) 1: ranged [1.1 \(expected) \(level)]"])
    }
  }

  @Test("The curve of the field: one metre at the measured power, and near it no step (behaviour 6.9)")
  func curve() throws {
    var bench = EngineBench.withRadio(grant: .whenInUse)
    bench.request(.startRanging(.uuid()), at: 0)
    // By hand: 0.89976 · (70/59)^7.7095 + 0.111, (50/59)^10.
    for (second, level, meters) in [(0, -59, 1.01076), (1, -70, 3.4724), (2, -50, 0.19105)] {
      let at = Double(second) + 0.5
      bench.packet(.of(signal: level, at: at), at: at)
      let effects = bench.engine.handle(.timePassed, at: Instant.zero.advanced(bySeconds: Double(second + 1)))
      let sightings = effects.compactMap { effect -> [BeaconSighting]? in
        if case .deliver(.beaconsRanged(let found, _), _) = effect { found } else { nil }
      }
      let told = try #require(sightings.first?.first?.accuracyMeters)
      #expect(abs(told - meters) < 1e-3, "\(level) dBm is told as \(told) m")
    }
  }

  @Test("Each constraint of each manager has its own reports (behaviour 6.13)")
  func separate() {
    var bench = ranging(managers: 2)
    bench.request(.startRanging(.uuid(2)), at: 0.5)
    bench.request(.startRanging(.uuid()), at: 0.75, by: 2)
    // Asked twice, and told once.
    bench.request(.startRanging(.uuid()), at: 0.8, by: 2)
    let said = bench.listen(to: 2, packets: [(0.9, .of(2, minor: 7, at: 0.9))])
    #expect(
      said == [
        "1 1: ranged []", "1.5 1: ranged [1.7 near -59]", "1.75 2: ranged []", "2 1: ranged []",
      ])
    bench.request(.stopRanging(.uuid()), at: 2)
    #expect(bench.listen(to: 2.8) == ["2.5 1: ranged [1.7 near -59]", "2.75 2: ranged []"])
  }

  @Test("Reports come late with the host, and none is made up for")
  func lateHost() {
    var bench = ranging()
    #expect(bench.pass(to: 5.5) == ["1: ranged []"])
    #expect(bench.listen(to: 7) == ["6.5 1: ranged []"])
  }

  @Test("Not decided, nothing is said; denied, it fails; with permission it begins (behaviour 6.12)")
  func permission() {
    var bench = EngineBench.withRadio(grant: Grant())
    #expect(bench.request(.startRanging(.uuid()), at: 0) == [])
    #expect(bench.listen(to: 5) == [])
    #expect(bench.settings(.denied, at: 5).contains("1: ranging failed denied"))
    #expect(bench.listen(to: 10) == [])
    #expect(bench.settings(.whenInUse, at: 10).contains("beacon scan 1"))
    #expect(bench.listen(to: 11) == ["11 1: ranged []"])
    #expect(
      bench.said(bench.hear(.preciseChanged(EngineBench.app, false), at: 11.5)).suffix(2)
        == ["1: ranging failed rangingUnavailable", "beacon scan off"])
    #expect(bench.listen(to: 20) == [])
  }

  @Test("While Using ends with the use, and comes back with it (behaviour 6.11, 6.14)")
  func inUse() {
    var bench = ranging()
    bench.become(.background, at: 0.5)
    // The grace of five seconds is use.
    #expect(bench.listen(to: 5).count == 5)
    #expect(bench.listen(to: 20) == ["5.5 beacon scan off"])
    #expect(bench.become(.foreground, at: 20).contains("beacon scan 1"))
    #expect(bench.listen(to: 21) == ["21 1: ranged []"])
    bench.become(.suspended, at: 21.5)
    #expect(bench.listen(to: 60).filter { !$0.contains("scan") } == [])
  }

  @Test("An adapter that is absent, off, failing or in airplane mode is an error each time (behaviour 6.12)")
  func radio() {
    var bench = EngineBench(grant: .whenInUse)
    #expect(
      Set(bench.request(.startRanging(.uuid()), at: 0))
        == ["note: no beacon ranging", "1: ranging failed rangingUnavailable", "beacon scan 1"])
    #expect(bench.engine.snapshot(for: EngineBench.client)?.capabilities.rangesBeacons == false)
    #expect(bench.said(bench.hear(.beaconRadioChanged(.off), at: 1)) == [])
    #expect(bench.engine.snapshot(for: EngineBench.client)?.capabilities.rangesBeacons == true)
    bench.hear(.beaconRadioChanged(.on), at: 2)
    #expect(bench.listen(to: 3) == ["3 1: ranged []"])
    #expect(bench.said(bench.hear(.beaconRadioChanged(.failing), at: 3.5)) == ["1: ranging failed rangingFailure"])
    #expect(
      bench.said(bench.hear(.beaconRadioChanged(.absent), at: 4))
        == ["1: ranging failed rangingUnavailable"])
    #expect(bench.listen(to: 9) == [])
    #expect(bench.deadlineSeconds == nil)
    bench.hear(.beaconRadioChanged(.on), at: 9)
    #expect(bench.listen(to: 10) == ["10 1: ranged []"])
    #expect(
      bench.said(bench.hear(.airplaneModeChanged(isOn: true), at: 10.5))
        == ["1: ranging failed rangingUnavailable", "beacon scan off"])
    bench.hear(.airplaneModeChanged(isOn: false), at: 11)
    #expect(bench.listen(to: 12) == ["12 1: ranged []"])
  }

  @Test("An adapter of which nobody knows yet whether it is on is no error, and nothing is reported meanwhile")
  func starting() {
    var bench = EngineBench(grant: .whenInUse)
    bench.hear(.beaconRadioChanged(.starting), at: 0)
    #expect(bench.request(.startRanging(.uuid()), at: 0) == ["beacon scan 1"])
    #expect(bench.listen(to: 5) == [])
    bench.hear(.beaconRadioChanged(.on), at: 5)
    #expect(bench.listen(to: 6) == ["6 1: ranged []"])
  }

  @Test("Packets without end take bounded memory: the beacons heard last are followed")
  func bounds() {
    var policy = Policy()
    policy.beaconsHeardMax = 3
    policy.rangedConstraintsMax = 2
    var bench = EngineBench.withRadio(policy: policy, grant: .whenInUse)
    bench.request(.startRanging(.uuid()), at: 0)
    bench.request(.startRanging(.uuid(2)), at: 0)
    #expect(bench.request(.startRanging(.uuid(3)), at: 0) == ["1: ranging failed rangingFailure"])
    let packets = (1...9).map { number -> (at: Double, packet: BeaconPacket) in
      (Double(number) / 10, .of(minor: UInt16(number), at: Double(number) / 10))
    }
    #expect(
      bench.listen(to: 1, packets: packets).first == "1 1: ranged [1.7 near -59, 1.8 near -59, 1.9 near -59]")
  }

  @Test("What is not listened for is not taken")
  func unasked() {
    var bench = EngineBench.withRadio(grant: .whenInUse)
    bench.packet(.of(at: 0), at: 0)
    bench.request(.startRanging(.uuid()), at: 0)
    bench.packet(.of(2, at: 0.5), at: 0.5)
    #expect(bench.listen(to: 1) == ["1 1: ranged []"])
  }
}
