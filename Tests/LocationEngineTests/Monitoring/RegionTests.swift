import LocationEngine
import LocationModel
import Testing

@Suite("Regions: what is told of a circle")
struct RegionTests {
  @Test("Monitoring is told to who asked, then the state once it is known, and nothing is entered (5.7, 5.8, 5.11)")
  func firstDetermination() {
    var bench = EngineBench(grant: .whenInUse)
    #expect(
      bench.request(.startMonitoring(.circle()), at: 0)
        == ["store regions [home]", "1: monitoring home", "receivers 100 m"])
    #expect(bench.snapshotChanges == ["org.example.walk"])
    #expect(bench.stay(from: 0, to: 600, east: 0) == ["1 1: home is inside"])
  }

  @Test("A region that is asked for while a fresh fix is known has its state at once")
  func freshFix() {
    var bench = EngineBench(grant: .whenInUse)
    bench.request(.startUpdatingLocation, at: 0)
    bench.fix(at: 1, east: 500)
    #expect(bench.monitor(at: 2) == ["1: monitoring home", "1: home is outside"])
    #expect(bench.monitor(.circle("late"), at: 40) == ["1: monitoring late"], "a minute-old fix is no knowledge")
  }

  @Test("A crossing is told after 20 seconds beyond the cushion, to every manager (behaviour 5.10, 5.13, 5.15)")
  func crossing() {
    var bench = EngineBench(grant: .whenInUse, managers: 2)
    bench.monitor()
    #expect(bench.stay(from: 0, to: 5, east: 0) == ["1 1: home is inside"])
    // The cushion of a radius of 150 m is 20 m.
    #expect(bench.stay(from: 5, to: 100, east: 168) == [])
    #expect(
      bench.stay(from: 100, to: 200, east: 172)
        == [
          "121 1: exited home", "121 2: exited home", "121 1: home is outside", "121 2: home is outside",
        ])
    #expect(bench.stay(from: 200, to: 300, east: 132) == [])
    #expect(
      bench.stay(from: 300, to: 400, east: 128)
        == [
          "321 1: entered home", "321 2: entered home", "321 1: home is inside", "321 2: home is inside",
        ])
  }

  @Test("A step back within the hold begins it anew; time without fixes proves nothing (behaviour 5.15)")
  func hold() {
    var bench = EngineBench(grant: .whenInUse)
    bench.monitor()
    bench.stay(from: 0, to: 1, east: 0)
    bench.stay(from: 1, to: 15, east: 300)
    #expect(bench.stay(from: 15, to: 16, east: 140) == [])
    #expect(bench.stay(from: 16, to: 36, east: 300) == [])
    #expect(bench.pass(to: 600) == [], "one belief for ten minutes is no event")
    #expect(bench.stay(from: 599, to: 600, east: 0) == [])
    #expect(bench.stay(from: 600, to: 900, east: 0) == [])
  }

  @Test("The same measurement given twice is no second witness")
  func repeatedMeasurement() {
    var bench = EngineBench(grant: .whenInUse)
    bench.monitor()
    bench.stay(from: 0, to: 1, east: 0)
    for second in 2...100 {
      let effects = bench.hear(.fixReceived(.east(400, at: 2)), at: Double(second))
      #expect(bench.said(effects) == [])
    }
  }

  @Test("A vague fix proves neither side: a cell tower's around a small circle is no exit (algorithms 6)")
  func vagueFixes() {
    var bench = EngineBench(grant: .whenInUse)
    bench.monitor()
    bench.stay(from: 0, to: 1, east: 0)
    #expect(bench.stay(from: 1, to: 200, east: 300, accuracy: 1_500) == [])
    #expect(bench.stay(from: 200, to: 300, east: 5_000, accuracy: 1_500).first == "221 1: exited home")
  }

  @Test("Circles are judged by the fix itself, however coarse another wish of the app is")
  func reducedWish() {
    var bench = EngineBench(grant: .whenInUse)
    bench.configure { $0.desiredAccuracy = .reduced }
    bench.monitor()
    bench.request(.startUpdatingLocation, at: 0)
    #expect(bench.stay(from: 0, to: 1, east: 0).contains("1 1: home is inside"))
    #expect(bench.stay(from: 1, to: 60, east: 300).contains("22 1: exited home"))
  }

  @Test("notifyOnEntry and notifyOnExit keep their event back, not the state (behaviour 5.10, 5.14)")
  func notifications() {
    var bench = EngineBench(grant: .whenInUse)
    bench.monitor(.circle(entry: false, exit: false))
    bench.stay(from: 0, to: 1, east: 0)
    #expect(bench.stay(from: 1, to: 60, east: 300) == ["22 1: home is outside"])
    #expect(bench.stay(from: 60, to: 120, east: 0) == ["81 1: home is inside"])
  }

  @Test("startMonitoring with an accuracy: the crossing is told so far past the edge (behaviour 5.24)")
  func margin() {
    var bench = EngineBench(grant: .whenInUse)
    bench.monitor(.circle(margin: 200))
    bench.stay(from: 0, to: 1, east: 0)
    #expect(bench.stay(from: 1, to: 60, east: 345) == [])
    #expect(bench.stay(from: 60, to: 120, east: 355).first == "81 1: exited home")
  }

  // MARK: The set of regions

  @Test("Twenty an app over both kinds and all managers; the next fails later and alone (5.1, 5.3, cases RB-02)")
  func limit() {
    var bench = EngineBench(grant: .whenInUse, managers: 2)
    for number in 1...19 { bench.monitor(.circle("r\(number)")) }
    #expect(
      bench.monitor(.beacons("b20"))
        == ["1: monitoring b20 failed regionMonitoringFailure", "note: no beacon monitoring", "beacon scan 1"])
    #expect(
      bench.monitor(.circle("r21"), by: 2) == [
        "note: more than 20 regions", "2: monitoring r21 failed regionMonitoringFailure",
      ])
    #expect(bench.monitored.count == 20)
    #expect(bench.monitor(.circle("r5", radius: 300)) == ["1: monitoring r5"])
    #expect(bench.monitored.count == 20)
    #expect(bench.monitored[4].shape == Region.circle(radius: 300).shape)
    // A name counts once, whatever it names (cases RB-04).
    #expect(bench.monitor(.circle("b20")) == ["1: monitoring b20", "beacon scan off"])
    bench.request(.stopMonitoring(regionIdentifier: "r1"), at: 1, by: 2)
    #expect(bench.monitor(.circle("r21"), by: 2) == ["2: monitoring r21"])
  }

  @Test("An operator may raise the limit")
  func raisedLimit() {
    var bench = EngineBench(policy: .with { $0.regionsPerAppMax = 40 }, grant: .whenInUse)
    for number in 1...40 { #expect(bench.monitor(.circle("r\(number)")) == ["1: monitoring r\(number)"]) }
    #expect(bench.monitor(.circle("r41")).last == "1: monitoring r41 failed regionMonitoringFailure")
  }

  @Test(
    "A place that is none and a radius that is none, or too large, fail and register nothing (5.18, 5.19)",
    arguments: [
      (91.0, 0.0, 100.0), (.nan, 0, 100), (0, 181, 100), (0, .infinity, 100), (0, 0, .nan), (0, 0, -1), (0, 0, 0),
      (0, 0, .infinity), (0, 0, 1_000_001),
    ])
  func invalid(latitude: Double, longitude: Double, radius: Double) {
    var bench = EngineBench(grant: .whenInUse)
    let center = Coordinate(latitude: latitude, longitude: longitude)
    let region = Region(identifier: "bad", shape: .circle(center: center, radiusMeters: radius))
    #expect(bench.monitor(region) == ["1: monitoring bad failed regionMonitoringFailure"])
    #expect(bench.monitored.isEmpty)
    #expect(bench.snapshotChanges.isEmpty)
  }

  @Test("Registered again with the same place a region keeps its state, with another it is taken anew")
  func registeredAgain() {
    var bench = EngineBench(grant: .whenInUse)
    bench.monitor()
    bench.stay(from: 0, to: 1, east: 0)
    #expect(bench.monitor(at: 60) == ["1: monitoring home", "1: home is inside"])
    #expect(bench.monitor(.circle(radius: 120), at: 120) == ["1: monitoring home"])
    #expect(bench.stay(from: 120, to: 180, east: 400) == ["121 1: home is outside"])
  }

  @Test("Any manager stops what another has started, and nothing more is told (behaviour 5.6)")
  func stop() {
    var bench = EngineBench(grant: .whenInUse, managers: 2)
    bench.monitor()
    bench.stay(from: 0, to: 10, east: 0)
    bench.stay(from: 10, to: 20, east: 300)
    #expect(
      bench.request(.stopMonitoring(regionIdentifier: "home"), at: 21, by: 2) == ["store regions []", "receivers off"])
    #expect(bench.stay(from: 21, to: 100, east: 300) == [])
    #expect(bench.request(.stopMonitoring(regionIdentifier: "home"), at: 101) == [])
  }

  // MARK: requestState

  @Test("Every question is answered once and to who asked, from what is known (5.9, 5.12, cases RB-05)")
  func requestState() {
    var bench = EngineBench(grant: .whenInUse, managers: 2)
    bench.monitor()
    #expect(bench.request(.requestState(.circle()), at: 0) == ["1: home is unknown"])
    bench.stay(from: 0, to: 1, east: 0)
    #expect(bench.request(.requestState(.circle()), at: 1, by: 2) == ["2: home is inside"])
    #expect(bench.request(.requestState(.circle()), at: 1, by: 2) == ["2: home is inside"])
    #expect(bench.request(.requestState(.circle("other")), at: 1) == ["1: other is unknown"])
    bench.settings(.denied, at: 2)
    #expect(bench.request(.requestState(.circle()), at: 2) == ["1: home is unknown"])
  }
}
