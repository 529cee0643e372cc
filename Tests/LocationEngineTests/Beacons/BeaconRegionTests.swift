import LocationEngine
import LocationModel
import Testing

@Suite("Regions of beacons")
struct BeaconRegionTests {
  private let door = Region.beacons("door")

  private func monitoring(_ region: Region = .beacons("door"), grant: Grant = .always) -> EngineBench {
    var bench = EngineBench.withRadio(grant: grant)
    bench.monitor(region)
    bench.listen(to: 5)
    return bench
  }

  @Test("Entered with the first packet, left after 30 s without one, and a gap of 12 s is none (RB-07, behaviour 6.3)")
  func gaps() {
    var bench = EngineBench.withRadio()
    #expect(bench.monitor(door) == ["1: monitoring door", "beacon scan 1"])
    // After three seconds of silence it is outside: told as a state, since nobody has seen a crossing.
    #expect(bench.listen(to: 5) == ["3 1: door is outside"])
    let packets = EngineBench.packets(10...30) + EngineBench.packets(42...50)
    #expect(
      bench.listen(to: 200, packets: packets)
        == ["10 1: entered door", "10 1: door is inside", "80 1: exited door", "80 1: door is outside"])
  }

  @Test("For whom the radio listens can be told, since when, and when it listens next (behaviour 6.3, AltBeacon)")
  func decisions() {
    var bench = EngineBench.withRadio()
    #expect(bench.engine.beaconDecisions == [])
    bench.monitor(door)
    func isDecided(_ look: NextLook?, since: Double?) -> Bool {
      let told = bench.engine.beaconDecisions
      return told.map(\.app) == [EngineBench.app] && told.map(\.service) == [.regions] && told.map(\.look) == [look]
        && told.map(\.since) == [since.map { Instant.zero.advanced(bySeconds: $0) }]
    }
    #expect(isDecided(.now, since: 0))
    bench.listen(to: 10)
    // In the background it goes on for 10 s, and listens again 300 s after that look began.
    bench.become(.background, at: 10)
    #expect(isDecided(.now, since: 0))
    bench.listen(to: 25)
    #expect(isDecided(.at(Instant.zero.advanced(bySeconds: 310)), since: nil))
    #expect(
      bench.engine.beaconDecisions.map { $0.lookWords(at: Instant.zero.advanced(bySeconds: 25)) }
        == ["off for 285 s: it listens now and then"])
    bench.listen(to: 312)
    #expect(isDecided(.now, since: 310))
    bench.hear(.beaconRadioChanged(.off), at: 313)
    #expect(isDecided(nil, since: nil))
  }

  @Test("A beacon that is there from the start is a state and no crossing (behaviour 5.8, 5.11)")
  func insideAtStart() {
    var bench = EngineBench.withRadio()
    bench.monitor(door)
    #expect(bench.listen(to: 20, packets: EngineBench.packets(1...20)) == ["1 1: door is inside"])
    #expect(bench.request(.requestState(door), at: 20) == ["1: door is inside"])
  }

  @Test("A region for any beacon is entered once, and left when all have gone (behaviour 6.2)")
  func wildcard() {
    var bench = monitoring()
    let first = EngineBench.packets(10...40)
    let second = EngineBench.packets(20...60) { .of(major: 2, minor: 9, at: $0) }
    let packets = (first + second).sorted { $0.at < $1.at }
    #expect(
      bench.listen(to: 200, packets: packets)
        == ["10 1: entered door", "10 1: door is inside", "90 1: exited door", "90 1: door is outside"])
  }

  @Test("Of one number or both only those beacons count (behaviour 6.1)")
  func numbers() {
    var bench = EngineBench.withRadio()
    bench.monitor(Region(identifier: "seven", shape: .beacons(.uuid(major: 7))))
    bench.monitor(Region(identifier: "one", shape: .beacons(.uuid(major: 7, minor: 1))))
    bench.listen(to: 5)
    #expect(bench.listen(to: 6, packets: EngineBench.packets(6...6) { .of(major: 1, minor: 1, at: $0) }) == [])
    #expect(
      bench.listen(to: 7, packets: EngineBench.packets(7...7) { .of(major: 7, minor: 2, at: $0) })
        == ["7 1: entered seven", "7 1: seven is inside"])
    #expect(
      bench.listen(to: 8, packets: EngineBench.packets(8...8) { .of(major: 7, minor: 1, at: $0) })
        == ["8 1: entered one", "8 1: one is inside"])
  }

  @Test("A second region of the same name replaces the first: its beacons are heard no more (RB-04)")
  func sameName() {
    var bench = EngineBench.withRadio()
    bench.monitor(.beacons("door", number: 1))
    bench.monitor(.beacons("door", number: 2))
    #expect(bench.monitored == [.beacons("door", number: 2)])
    bench.listen(to: 5)
    #expect(bench.listen(to: 10, packets: EngineBench.packets(6...10) { .of(1, at: $0) }) == [])
    #expect(
      bench.listen(to: 11, packets: EngineBench.packets(11...11) { .of(2, at: $0) })
        == ["11 1: entered door", "11 1: door is inside"])
  }

  @Test("Twenty regions of circles and beacons together; the 21st fails, one of a known name does not (RB-02)")
  func twenty() {
    var bench = EngineBench.withRadio(managers: 2)
    var said: [String] = []
    for number in 1...19 { said += bench.monitor(.circle("r\(number)")) }
    said += bench.monitor(.beacons("b20"))
    #expect(said.filter { $0.hasPrefix("1: monitoring") && !$0.contains("failed") }.count == 20)
    #expect(
      bench.monitor(.circle("r21"), by: 2)
        == ["note: more than 20 regions", "2: monitoring r21 failed regionMonitoringFailure"])
    #expect(bench.monitored.count == 20)
    #expect(bench.monitor(.circle("r5", radius: 300)).contains("1: monitoring r5"))
    #expect(bench.monitored.count == 20)
    #expect(bench.monitored.contains(.circle("r5", radius: 300)))
  }

  @Test("Whether it is ranged, too, changes nothing about a region (SP-4)", arguments: [false, true])
  func ranged(isRanged: Bool) {
    var bench = monitoring()
    if isRanged { bench.request(.startRanging(.uuid()), at: 5) }
    let said = bench.listen(to: 100, packets: EngineBench.packets(10...40)).filter { !$0.contains("ranged") }
    #expect(said == ["10 1: entered door", "10 1: door is inside", "70 1: exited door", "70 1: door is outside"])
  }

  @Test("Only what is wanted is told: without an entry its state alone (behaviour 5.14)")
  func notified() {
    var region = door
    region.notifiesOnEntry = false
    var bench = monitoring(region)
    #expect(
      bench.listen(to: 60, packets: EngineBench.packets(10...20))
        == ["10 1: door is inside", "50 1: exited door", "50 1: door is outside"])
  }

  @Test("The state is told each time the screen turns on inside, where that is wanted (behaviour 6.4)")
  func display() {
    var region = door
    region.notifiesEntryStateOnDisplay = true
    var bench = monitoring(region)
    bench.monitor(.beacons("other"), at: 5)
    #expect(bench.said(bench.hear(.displayTurnedOn, at: 6)) == [])
    bench.listen(to: 20, packets: EngineBench.packets(10...20))
    for second in [21.0, 22] { #expect(bench.said(bench.hear(.displayTurnedOn, at: second)) == ["1: door is inside"]) }
    bench.listen(to: 60)
    #expect(bench.said(bench.hear(.displayTurnedOn, at: 61)) == [])
  }

  @Test("The screen starts an installed app for it, and the radio looks at once")
  func displayStarts() {
    var region = door
    region.notifiesEntryStateOnDisplay = true
    var bench = EngineBench.withRadio(app: .complete { $0.isInstalled = true })
    bench.monitor(region)
    bench.listen(to: 10, packets: EngineBench.packets(1...10))
    bench.hear(.clientDisconnected(EngineBench.client), at: 11)
    bench.listen(to: 25, packets: EngineBench.packets(12...25))
    let effects = bench.hear(.displayTurnedOn, at: 40)
    #expect(effects.contains("launch org.example.walk: door is inside"))
    #expect(effects.contains("beacon scan 1"))
  }

  @Test("Without an adapter it fails and is kept, and begins once there is one (behaviour 5.22)")
  func adapter() {
    var bench = EngineBench(grant: .always)
    #expect(
      bench.monitor(door)
        == ["1: monitoring door failed regionMonitoringFailure", "note: no beacon monitoring", "beacon scan 1"])
    #expect(bench.engine.snapshot(for: EngineBench.client)?.capabilities.monitorsBeaconRegions == false)
    #expect(bench.monitored == [door])
    #expect(bench.said(bench.hear(.beaconRadioChanged(.off), at: 10)) == ["1: monitoring door"])
    #expect(bench.engine.snapshot(for: EngineBench.client)?.capabilities.monitorsBeaconRegions == true)
    #expect(bench.listen(to: 60) == [])
    bench.hear(.beaconRadioChanged(.on), at: 60)
    #expect(bench.listen(to: 70) == ["63 1: door is outside"])
  }

  @Test("While the adapter is away nobody can say that a beacon is; afterwards silence counts anew")
  func adapterAway() {
    var bench = monitoring()
    bench.listen(to: 20, packets: EngineBench.packets(10...20))
    bench.hear(.beaconRadioChanged(.absent), at: 21)
    #expect(bench.listen(to: 500) == [])
    bench.hear(.beaconRadioChanged(.on), at: 500)
    #expect(bench.listen(to: 600) == ["530 1: exited door", "530 1: door is outside"])
  }

  @Test(
    "In the background, too, a radio that is absent or off is wanted all along, and nothing wakes for it",
    arguments: [BeaconRadio.absent, .off])
  func withoutRadioInBackground(radio: BeaconRadio) {
    var bench = monitoring()
    bench.become(.background, at: 10)
    bench.listen(to: 100)
    #expect(bench.said(bench.hear(.beaconRadioChanged(radio), at: 100)) == ["beacon scan 1"])
    #expect(bench.deadlineSeconds == nil)
    #expect(bench.said(bench.hear(.beaconRadioChanged(.on), at: 1_000)) == [])
    #expect(bench.listen(to: 1_020) == ["1010 beacon scan off"])
  }

  @Test("Airplane mode switches the radio off, and what was inside stays so (behaviour 3.12)")
  func airplane() {
    var bench = monitoring()
    bench.listen(to: 20, packets: EngineBench.packets(10...20))
    #expect(bench.said(bench.hear(.airplaneModeChanged(isOn: true), at: 21)) == ["beacon scan off"])
    #expect(bench.listen(to: 100) == [])
    #expect(bench.said(bench.hear(.airplaneModeChanged(isOn: false), at: 100)) == ["beacon scan 1"])
    #expect(bench.listen(to: 110, packets: EngineBench.packets(101...110)) == [])
  }

  @Test("Nothing listens without a region that may be told: not denied, not with reduced accuracy (behaviour 1.45)")
  func permission() {
    for grant in [Grant(level: .denied), .reduced, Grant()] {
      var bench = EngineBench.withRadio(grant: grant)
      #expect(!bench.monitor(door).contains { $0.hasPrefix("beacon scan") })
      #expect(bench.deadlineSeconds == nil)
    }
    var bench = monitoring(grant: .whenInUse)
    #expect(bench.request(.stopMonitoring(regionIdentifier: "door"), at: 6).contains("beacon scan off"))
    #expect(bench.deadlineSeconds == nil)
  }

  @Test("In the background the radio listens 10 s in 5 min (algorithms 3)")
  func duty() {
    var bench = monitoring()
    bench.become(.background, at: 10)
    #expect(
      bench.listen(to: 1_000).filter { $0.contains("scan") } == [
        "20 beacon scan off", "310 beacon scan 1", "320 beacon scan off", "610 beacon scan 1", "620 beacon scan off",
        "910 beacon scan 1", "920 beacon scan off",
      ])
    #expect(bench.said(bench.become(.foreground, at: 1_000)) == ["beacon scan 1"])
  }

  @Test("There an exit takes 30 s of listening, too: a look goes on while what was inside has not been heard")
  func dutyExit() {
    var bench = monitoring()
    bench.listen(to: 10, packets: EngineBench.packets(6...10))
    bench.become(.background, at: 10)
    let packets = EngineBench.packets(11...20)
    #expect(
      bench.listen(to: 700, packets: packets) == [
        "20 beacon scan off", "310 beacon scan 1", "340 1: exited door", "340 1: door is outside",
        "340 beacon scan off", "610 beacon scan 1", "620 beacon scan off",
      ])
    // Heard late in a look, which is then over.
    var other = monitoring()
    other.listen(to: 10, packets: EngineBench.packets(6...10))
    other.become(.background, at: 10)
    #expect(
      other.listen(to: 400, packets: EngineBench.packets(11...20) + EngineBench.packets(335...335))
        == ["20 beacon scan off", "310 beacon scan 1", "335 beacon scan off"])
  }

  @Test("An installed app is started for an entry that a look finds, also after a restart (behaviour 5.23)")
  func launch() {
    let app = AppDescription.complete { $0.isInstalled = true }
    var bench = EngineBench.withRadio(app: app)
    bench.monitor(door)
    bench.listen(to: 5)
    bench.hear(.clientDisconnected(EngineBench.client), at: 6)
    let said = bench.listen(to: 320, packets: [(307, .of(at: 307))])
    #expect(said.contains("307 launch org.example.walk: entered door"))
    // A service that was started anew knows that it was outside, so that a packet is an entry.
    var registrations = Registrations()
    registrations.regions = [RegisteredRegion(region: door, state: .outside)]
    let other = AppDescription.complete { $0.identifier = AppIdentifier("x") }
    var restarted = EngineBench.withRadio(state: nil, managers: 0, app: other)
    restarted.hear(.appRestored(app, grant: .always, registrations: registrations), at: 0)
    restarted.hear(.timePassed, at: 1)
    #expect(
      restarted.packet(.of(at: 2), at: 2).contains("launch org.example.walk: entered door"))
  }
}
