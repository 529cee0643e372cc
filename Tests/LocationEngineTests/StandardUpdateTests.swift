import LocationEngine
import LocationModel
import Testing

@Suite("Standard updates")
struct StandardUpdateTests {
  @Test("A start asks for receivers and gives the next fix (behaviour 2.3)")
  func start() {
    var bench = EngineBench(grant: .whenInUse)
    #expect(bench.request(.startUpdatingLocation, at: 0) == ["receivers best"])
    #expect(bench.fix(at: 1) == ["1: fix 1±4", "store fix 1±4"])
    #expect(bench.fix(at: 2) == ["1: fix 2±4"])
    #expect(bench.request(.stopUpdatingLocation, at: 3) == ["receivers off"])
    #expect(bench.fix(at: 4) == [])
  }

  @Test("First the cached fix with its own time, then a fresh one whatever the filter (behaviour 2.4; cases CL-03)")
  func cachedFirst() {
    var bench = EngineBench(grant: .whenInUse, lastFix: .east(0, at: -3_600))
    bench.configure { $0.distanceFilterMeters = 1_000 }
    #expect(bench.request(.startUpdatingLocation, at: 0) == ["1: fix -3600±4", "receivers best"])
    #expect(bench.fix(at: 1, east: 1).first == "1: fix 1±4")
    #expect(bench.fix(at: 2, east: 2) == [])
  }

  @Test("A cached fix of the last seconds is the initial fix itself: the filter measures from it (behaviour 2.4)")
  func freshCached() {
    var bench = EngineBench(grant: .whenInUse, managers: 2)
    bench.request(.startUpdatingLocation, at: 0)
    bench.fix(at: 1)
    bench.configure(by: 2) { $0.distanceFilterMeters = 10 }
    #expect(bench.request(.startUpdatingLocation, at: 15, by: 2) == ["2: fix 1±4"])
    #expect(bench.fix(at: 16, east: 5) == ["1: fix 16±4"])
    #expect(bench.fix(at: 17, east: 11) == ["1: fix 17±4", "2: fix 17±4"])
  }

  @Test("Of what stores remember, the newest counts; a fix of this run counts before any of them (behaviour 2.6)")
  func newestStored() {
    var bench = EngineBench(grant: .whenInUse, lastFix: .east(0, at: -100))
    var other = AppDescription.complete
    other.identifier = AppIdentifier("org.example.other")
    let client = ClientIdentifier(2)
    bench.hear(.clientConnected(client, other, grant: .whenInUse, lastFix: .east(9, at: -50)), at: 0)
    #expect(bench.engine.snapshot(for: EngineBench.client)?.lastFix == .east(9, at: -50))
    bench.fix(at: 1)
    let third = ClientIdentifier(3)
    bench.hear(.clientConnected(third, other, grant: .whenInUse, lastFix: .east(5, at: 500)), at: 2)
    #expect(bench.engine.snapshot(for: EngineBench.client)?.lastFix == .east(0, at: 1))
  }

  @Test("A repeated start gives no new initial event; stop then start does (behaviour 2.5)")
  func repeatedStart() {
    var bench = EngineBench(grant: .whenInUse)
    bench.request(.startUpdatingLocation, at: 0)
    bench.fix(at: 1)
    #expect(bench.request(.startUpdatingLocation, at: 2) == [])
    bench.request(.stopUpdatingLocation, at: 3)
    #expect(bench.request(.startUpdatingLocation, at: 4) == ["1: fix 1±4", "receivers best"])
  }

  @Test("The distance filter measures from the last delivered fix, not from the last seen (behaviour 2.9)")
  func distanceFilter() {
    var bench = EngineBench(grant: .whenInUse)
    bench.configure { $0.distanceFilterMeters = 10 }
    bench.request(.startUpdatingLocation, at: 0)
    var delivered: [Int] = []
    // 4 m each second. From 0: 4, 8, then 12 >= 10. From 12: 16, 20 (8 m), then 24 (12 m), and so on.
    for step in 0...12 {
      let effects = bench.fix(at: Double(step + 1), east: Double(step * 4))
      if effects.contains(where: { $0.hasPrefix("1: fix") }) { delivered.append(step * 4) }
    }
    #expect(delivered == [0, 12, 24, 36, 48])
  }

  @Test(
    "The filter's metres are the ellipsoid's: published lengths of one degree decide",
    arguments: [
      // WGS84: a degree of longitude along the equator is 111 319.491 m; a degree of latitude is 110 574.389 m from
      // the equator north and 111 693.865 m down from the pole (National Geospatial-Intelligence Agency, TR8350.2).
      (0.0, 0.0, 0.0, 1.0, 111_319.491), (0, 0, 1, 0, 110_574.389), (90, 0, 89, 0, 111_693.865),
      (0, 179.5, 0, -179.5, 111_319.491),
    ])
  func filterDistances(
    fromLatitude: Double, fromLongitude: Double, latitude: Double, longitude: Double, meters: Double
  ) {
    for (filter, isDelivered) in [(meters - 0.01, true), (meters + 0.01, false)] {
      var bench = EngineBench(grant: .whenInUse)
      bench.configure { $0.distanceFilterMeters = filter }
      bench.request(.startUpdatingLocation, at: 0)
      for (second, place) in [(1.0, (fromLatitude, fromLongitude)), (2, (latitude, longitude))] {
        let fix = Fix(
          coordinate: Coordinate(latitude: place.0, longitude: place.1), horizontalAccuracyMeters: 4,
          time: Fix.start.advanced(bySeconds: second))
        let isLast = second == 2
        let heard = bench.hear(.fixReceived(fix), at: second).contains("1: fix \(Int(second))±4")
        #expect(heard == (isLast ? isDelivered : true))
      }
    }
  }

  @Test("Within the filter a fix of at most half the error is delivered; one hardly better is not (behaviour 2.3, 2.9)")
  func improvedAccuracy() {
    var bench = EngineBench(grant: .whenInUse)
    bench.configure { $0.distanceFilterMeters = 100 }
    bench.request(.startUpdatingLocation, at: 0)
    bench.fix(at: 1, accuracy: 65)
    #expect(bench.fix(at: 2, accuracy: 33) == [])
    #expect(bench.fix(at: 3, accuracy: 32.5) == ["1: fix 3±32.5"])
    #expect(bench.fix(at: 4, accuracy: nil) == [])
    #expect(bench.fix(at: 5, accuracy: 17) == [])
    #expect(bench.fix(at: 6, accuracy: 5) == ["1: fix 6±5"])
  }

  @Test("A fix whose error is known follows one whose error is not (behaviour 2.3)")
  func knownAfterUnknown() {
    var bench = EngineBench(grant: .whenInUse)
    bench.configure { $0.distanceFilterMeters = 100 }
    bench.request(.startUpdatingLocation, at: 0)
    bench.fix(at: 1, accuracy: nil)
    #expect(bench.fix(at: 2, accuracy: 500) == ["1: fix 2±500"])
  }

  @Test("Worse fixes than wished are delivered all the same (behaviour 2.10)")
  func wishIsNoFilter() {
    var bench = EngineBench(grant: .whenInUse)
    bench.configure { $0.desiredAccuracy = .meters(10) }
    bench.request(.startUpdatingLocation, at: 0)
    #expect(bench.fix(at: 1, accuracy: 3_000).first == "1: fix 1±3000")
  }

  @Test("Managers of one app are independent: own filter, own start, own stop (behaviour 2.17)")
  func independentManagers() {
    var bench = EngineBench(grant: .whenInUse, managers: 3)
    bench.configure(by: 2) { $0.distanceFilterMeters = 10 }
    bench.request(.startUpdatingLocation, at: 0, by: 1)
    bench.request(.startUpdatingLocation, at: 0, by: 2)
    #expect(bench.fix(at: 1) == ["1: fix 1±4", "2: fix 1±4", "store fix 1±4"])
    #expect(bench.fix(at: 2, east: 6) == ["1: fix 2±4"])
    #expect(bench.request(.stopUpdatingLocation, at: 3, by: 1) == [])
    #expect(bench.fix(at: 4, east: 12) == ["2: fix 4±4"])
  }

  @Test(
    "A fix that names no place is dropped (behaviour 10.10)",
    arguments: [(91.0, 0.0), (0, 181), (.nan, 0), (0, .nan), (.infinity, 0)])
  func invalidFix(latitude: Double, longitude: Double) {
    var bench = EngineBench(grant: .whenInUse)
    bench.request(.startUpdatingLocation, at: 0)
    let fix = Fix(
      coordinate: Coordinate(latitude: latitude, longitude: longitude), horizontalAccuracyMeters: 4, time: Fix.start)
    #expect(bench.hear(.fixReceived(fix), at: 1) == [])
    #expect(bench.engine.snapshot(for: EngineBench.client)?.lastFix == nil)
  }

  // MARK: No fix

  @Test("Silence after a start is told once, after 10 s, and the service stays armed (behaviour 2.13)")
  func unknownOnce() {
    var bench = EngineBench(grant: .whenInUse)
    bench.request(.startUpdatingLocation, at: 0)
    #expect(bench.deadlineSeconds == 10)
    #expect(bench.pass(to: 10) == ["1: failed locationUnknown"])
    #expect(bench.deadlineSeconds == nil)
    #expect(bench.pass(to: 100) == [])
    #expect(bench.fix(at: 101).first == "1: fix 101±4")
  }

  @Test("A lost receiver is told once, and again only after a fix has come between (behaviour 2.13)")
  func unavailable() {
    var bench = EngineBench(grant: .whenInUse)
    bench.request(.startUpdatingLocation, at: 0)
    #expect(bench.hear(.receiversChanged(.unavailable), at: 1) == ["1: failed locationUnknown"])
    #expect(bench.hear(.receiversChanged(.searching), at: 2) == [])
    #expect(bench.hear(.receiversChanged(.unavailable), at: 3) == [])
    #expect(bench.pass(to: 60) == [])
    bench.fix(at: 61)
    #expect(bench.hear(.receiversChanged(.unavailable), at: 62) == ["1: failed locationUnknown"])
  }

  @Test("A start where there is no receiver is told so at once")
  func startWithoutReceiver() {
    var bench = EngineBench(grant: .whenInUse, managers: 2)
    bench.request(.startUpdatingLocation, at: 0)
    bench.hear(.receiversChanged(.unavailable), at: 1)
    #expect(bench.request(.startUpdatingLocation, at: 2, by: 2) == ["2: failed locationUnknown"])
  }

  @Test("Refused receivers are told as denied, once until a fix has come, and updates stay armed (cases GC-01)")
  func refused() {
    var bench = EngineBench(grant: .whenInUse)
    bench.request(.startUpdatingLocation, at: 0)
    #expect(bench.hear(.receiversChanged(.refused), at: 1) == ["1: failed denied"])
    #expect(bench.hear(.receiversChanged(.refused), at: 61) == [])
    #expect(bench.hear(.receiversChanged(.unavailable), at: 70) == [])
    #expect(bench.pass(to: 100) == [])
    #expect(bench.fix(at: 121).first == "1: fix 121±4")
    #expect(bench.hear(.receiversChanged(.refused), at: 130) == ["1: failed denied"])
  }

  @Test("Denied is the last word although the location was unknown before (cases GC-01)")
  func refusedAfterUnknown() {
    var bench = EngineBench(grant: .whenInUse)
    bench.request(.startUpdatingLocation, at: 0)
    #expect(bench.pass(to: 10) == ["1: failed locationUnknown"])
    #expect(bench.hear(.receiversChanged(.refused), at: 11) == ["1: failed denied"])
  }

  @Test("A start where the receivers are refused is told so at once, also after a suspension (cases GC-01)")
  func startWhereRefused() {
    var bench = EngineBench(grant: .whenInUse, managers: 2)
    bench.request(.startUpdatingLocation, at: 0)
    bench.hear(.receiversChanged(.refused), at: 1)
    #expect(bench.request(.startUpdatingLocation, at: 2, by: 2) == ["2: failed denied"])
    #expect(bench.become(.suspended, at: 3) == ["receivers off"])
    #expect(bench.become(.foreground, at: 4) == ["receivers best"])
    #expect(bench.hear(.receiversChanged(.refused), at: 4) == [])
  }

  @Test("A receiver that searches again after fixes is waited for as after a start (behaviour 2.13)")
  func searchingAgain() {
    var bench = EngineBench(grant: .whenInUse)
    bench.request(.startUpdatingLocation, at: 0)
    bench.fix(at: 1)
    #expect(bench.deadlineSeconds == nil)
    bench.hear(.receiversChanged(.searching), at: 20)
    #expect(bench.deadlineSeconds == 30)
    #expect(bench.pass(to: 30) == ["1: failed locationUnknown"])
  }

  @Test("Denied is told to running updates, and they resume without a new start (behaviour 2.14)")
  func deniedAndResumed() {
    var bench = EngineBench(grant: .whenInUse)
    bench.request(.startUpdatingLocation, at: 0)
    bench.fix(at: 1)
    #expect(
      bench.settings(.denied, at: 2)
        == ["store denied", "1: denied full", "1: failed denied", "receivers off"])
    #expect(bench.fix(at: 3) == [])
    #expect(
      bench.settings(.whenInUse, at: 4)
        == ["store whenInUse", "1: authorizedWhenInUse full", "1: fix 3±4", "receivers best"])
    #expect(bench.fix(at: 5) == ["1: fix 5±4"])
  }

  // MARK: Suspension and end

  @Test("What came while suspended arrives as one array when the app runs again (behaviour 2.7, 2.16)")
  func suspended() {
    var bench = EngineBench(grant: .always, managers: 2)
    bench.request(.startUpdatingLocation, at: 0)
    bench.become(.background, at: 1)
    #expect(bench.become(.suspended, at: 2) == ["receivers off"])
    #expect(bench.fix(at: 3) == ["store fix 3±4"])
    #expect(bench.fix(at: 4) == [])
    #expect(bench.become(.background, at: 5) == ["1: fix 3±4, fix 4±4", "receivers best"])
  }

  @Test("The newest 1,000 are kept for a suspended app, in order (behaviour 2.16)")
  func suspendedBound() {
    var bench = EngineBench(grant: .always)
    bench.request(.startUpdatingLocation, at: 0)
    bench.become(.suspended, at: 1)
    for second in 2...1_502 { bench.fix(at: Double(second)) }
    let words = bench.become(.foreground, at: 1_503)
    // 1,501 came, seconds 2 to 1502; the newest 1,000 are 503 to 1502.
    #expect(words == ["1: " + (503...1_502).map { "fix \($0)±4" }.joined(separator: ", "), "receivers best"])
  }

  @Test("A suspended app hears of no missing fix; its wait begins anew when it runs (behaviour 2.16)")
  func suspendedWait() {
    var bench = EngineBench(grant: .always)
    bench.request(.startUpdatingLocation, at: 0)
    bench.become(.background, at: 1)
    bench.become(.suspended, at: 2)
    bench.pass(to: 6)
    #expect(bench.deadlineSeconds == nil)
    #expect(bench.hear(.receiversChanged(.unavailable), at: 7) == [])
    #expect(bench.pass(to: 100) == [])
    #expect(bench.become(.background, at: 101) == ["receivers best"])
    #expect(bench.deadlineSeconds == 111)
  }

  @Test("Terminated, standard updates are gone for good (behaviour 2.16)")
  func terminated() {
    var bench = EngineBench(grant: .always)
    bench.request(.startUpdatingLocation, at: 0)
    #expect(bench.become(.notRunning, at: 1) == ["receivers off"])
    #expect(bench.become(.foreground, at: 2) == [])
    #expect(bench.fix(at: 3) == [])
  }

  @Test("A client that leaves ends its own updates, not those of the app's other process (behaviour 2.17)")
  func clientLeaves() {
    var bench = EngineBench(grant: .whenInUse)
    let second = ClientIdentifier(2)
    bench.hear(.clientConnected(second, .complete, grant: .whenInUse, lastFix: nil), at: 0)
    bench.hear(.managerCreated(EngineBench.manager(1, of: second)), at: 0)
    bench.request(.startUpdatingLocation, at: 0)
    bench.hear(.requested(.startUpdatingLocation, by: EngineBench.manager(1, of: second)), at: 0)
    #expect(bench.hear(.clientDisconnected(EngineBench.client), at: 1) == [])
    #expect(bench.fix(at: 2) == ["2.1: fix 2±4", "store fix 2±4"])
    #expect(bench.hear(.clientDisconnected(second), at: 3) == ["receivers off"])
  }

  @Test("An app that may not follow in the background hears nothing as its process ends (behaviour 2.16)")
  func nothingToTheDead() {
    var bench = EngineBench(managers: 2)
    bench.request(.requestWhenInUseAuthorization, at: 0)
    bench.answer(.allowOnce, at: 1)
    bench.configure { $0.allowsBackgroundUpdates = true }
    bench.request(.startUpdatingLocation, at: 2)
    bench.become(.background, at: 3)
    bench.pass(to: 60)
    #expect(bench.hear(.clientDisconnected(EngineBench.client), at: 61) == ["receivers off"])
  }

  @Test("The last fix goes to the store at most once a minute, for an app that is served")
  func storedFix() {
    var bench = EngineBench(grant: .whenInUse)
    #expect(bench.fix(at: 1) == [])
    bench.request(.requestLocation, at: 2)
    #expect(bench.fix(at: 3) == ["1: answer fix 3±4", "store fix 3±4", "receivers off"])
    bench.request(.startUpdatingLocation, at: 4)
    #expect(bench.fix(at: 62.9) == ["1: fix 62.9±4"])
    #expect(bench.fix(at: 63.1) == ["1: fix 63.1±4", "store fix 63.1±4"])
  }
}
