import CoreLocation
import CoreLocationTesting
import LocationEngine
import LocationModel
import Testing

/// Monitors as apps use them, on a simulated device.
@Suite("Monitors on a simulated device")
struct MonitorCases {
  private let place = CLMonitor.CircularGeographicCondition(
    center: CLLocationCoordinate2D(latitude: 47.5, longitude: 19.2), radius: 150)

  private func device(isInstalled: Bool = true) -> SimulatedDevice {
    var app = SimulatedDevice.describedApp()
    app.isInstalled = isInstalled
    // As before era 18: Always needs no session (behaviour 9.23).
    var policy = Policy()
    policy.alwaysNeedsServiceSession = false
    return SimulatedDevice(app: app, policy: policy, grant: Grant(level: .always, hasRequestedAlways: true))
  }

  /// One fix a second at one place.
  private func stay(_ device: SimulatedDevice, seconds: Int, latitude: Double) {
    device.receive(forSeconds: seconds) { _ in (latitude, 19.2, 5) }
  }

  @Test("9.33, 9.34: inside at the addition is an event, and the record shows it when the next one is asked for")
  func record() async throws {
    let device = device()
    try await device.run {
      let monitor = await CLMonitor("places")
      await monitor.add(place, identifier: "home")
      stay(device, seconds: 2, latitude: 47.5)
      var events = await monitor.events.makeAsyncIterator()
      let first = try #require(try await events.next())
      #expect(first.identifier == "home" && first.state == .satisfied && !first.conditionUnsupported)
      let start = Date(timeIntervalSince1970: SimulatedDevice.usualStart.secondsSince1970)
      #expect(abs(first.date.timeIntervalSince(start) - 1) < 0.001)
      #expect(await monitor.record(for: "home")?.lastEvent.state == .unknown)
      stay(device, seconds: 60, latitude: 47.6)
      let second = try #require(try await events.next())
      #expect(second.state == .unsatisfied)
      #expect(await monitor.record(for: "home")?.lastEvent.state == .satisfied)
    }
  }

  @Test("9.35: an entry while the app is away waits for whoever awaits it, once; the record is old until then")
  func pendingEvent() async throws {
    let device = device()
    try await device.run {
      var monitor: CLMonitor? = await CLMonitor("geo")
      await monitor?.add(place, identifier: "c", assuming: .unsatisfied)
      stay(device, seconds: 2, latitude: 47.6)
      monitor = nil
      device.terminate()
      // Another app keeps the receiver on, so that every second counts.
      let listener = device.connectListener(named: "org.example.other")
      stay(device, seconds: 60, latitude: 47.5)
      device.launch()
      device.moveToBackground()

      let again = await CLMonitor("geo")
      #expect(await again.identifiers == ["c"])
      let kept = await again.record(for: "c")
      #expect(kept?.lastEvent.state == .unsatisfied)
      #expect((kept?.condition as? CLMonitor.CircularGeographicCondition)?.radius == 150)
      stay(device, seconds: 5, latitude: 47.5)
      #expect(await again.record(for: "c")?.lastEvent.state == .unsatisfied)
      var events = await again.events.makeAsyncIterator()
      let event = try #require(try await events.next())
      #expect(event.identifier == "c" && event.state == .satisfied)
      stay(device, seconds: 60, latitude: 47.6)
      let next = try #require(try await events.next())
      #expect(next.state == .unsatisfied, "exactly one event was waiting")
      #expect(await again.record(for: "c")?.lastEvent.state == .satisfied)
      withExtendedLifetime(listener) {}
    }
  }

  @Test("9.30: a name is open once; the second keeps nothing, and says so")
  func openTwice() async throws {
    let device = device()
    try await device.run {
      let first = await CLMonitor("twice")
      let second = await CLMonitor("twice")
      await second.add(place, identifier: "home")
      var events = await second.events.makeAsyncIterator()
      let event = try #require(try await events.next())
      #expect(event.state == .unmonitored && event.persistenceUnavailable)
      #expect(await first.identifiers == [])
    }
  }

  @Test("9.31, 9.35: what is removed is gone at the next opening, the rest is in its order")
  func reopening() async throws {
    let device = device()
    await device.run {
      var monitor: CLMonitor? = await CLMonitor("names")
      for name in ["a", "b", "c"] { await monitor?.add(place, identifier: name) }
      await monitor?.remove("b")
      monitor = nil
      let again = await CLMonitor("names")
      #expect(await again.identifiers == ["a", "c"])
      #expect(await again.record(for: "b") == nil)
    }
  }

  @Test("A slow reader finds of each condition the two newest events, and never a state twice in a row")
  func slowReader() async throws {
    let device = device()
    try await device.run {
      let monitor = await CLMonitor("slow")
      await monitor.add(place, identifier: "home", assuming: .unsatisfied)
      for _ in 0..<10 {
        stay(device, seconds: 40, latitude: 47.5)
        stay(device, seconds: 40, latitude: 47.6)
      }
      await monitor.add(place, identifier: "end", assuming: .satisfied)
      stay(device, seconds: 2, latitude: 47.6)
      var events = await monitor.events.makeAsyncIterator()
      var seen: [String] = []
      while seen.last != "end unsatisfied" {
        let event = try #require(try await events.next())
        seen.append("\(event.identifier) \(event.state)")
      }
      #expect(seen == ["home satisfied", "home unsatisfied", "end unsatisfied"])
    }
  }

  @Test("9.22: awaiting events asks for permission by itself")
  func asking() async throws {
    let device = SimulatedDevice()
    try await device.run {
      let monitor = await CLMonitor("asking")
      await monitor.add(place, identifier: "home")
      #expect(device.person.shownPrompts.isEmpty)
      var events = await monitor.events.makeAsyncIterator()
      let asking = try #require(try await events.next())
      #expect(asking.state == .unmonitored && asking.authorizationRequestInProgress)
      device.person.answer(PromptAnswer(.allowWhileUsing))
      stay(device, seconds: 2, latitude: 47.5)
      let inside = try #require(try await events.next())
      #expect(inside.state == .satisfied)
    }
  }

  @Test("The end of a monitor lets the receivers go")
  func releasing() async {
    let device = device(isInstalled: false)
    await device.run {
      var monitor: CLMonitor? = await CLMonitor("release")
      await monitor?.add(place, identifier: "home")
      #expect(device.receiver.demand != nil)
      monitor = nil
      #expect(device.receiver.demand == nil)
    }
  }
}
