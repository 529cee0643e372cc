import CoreLocation
import Testing

@Suite("The async API", .onSimulatedDevice)
struct AsyncSequenceTests {
  @Test("an iteration that begins cancelled ends at once")
  func cancelledBeforehand() async throws {
    let task = Task {
      withUnsafeCurrentTask { $0?.cancel() }
      var updates = CLLocationUpdate.liveUpdates().makeAsyncIterator()
      return try await updates.next() == nil
    }
    #expect(try await task.value)
  }

  private let home = CLMonitor.CircularGeographicCondition(
    center: CLLocationCoordinate2D(latitude: 1, longitude: 2), radius: 100)

  /// Answered at once: there is no Bluetooth.
  private let shop = CLMonitor.BeaconIdentityCondition(uuid: UUID())

  @Test("a record shows an event only after it was handled (behaviour 9.34)")
  func recordLagsBehind() async throws {
    let monitor = await CLMonitor("lag")
    await monitor.add(shop, identifier: "a")
    await monitor.add(shop, identifier: "b")
    var events = await monitor.events.makeAsyncIterator()
    let first = try #require(try await events.next())
    #expect(first.identifier == "a" && first.state == .unmonitored && first.conditionUnsupported)
    #expect(await monitor.record(for: "a")?.lastEvent.state == .unknown)
    _ = try await events.next()
    #expect(await monitor.record(for: "a")?.lastEvent.state == .unmonitored)
    #expect(await monitor.record(for: "b")?.lastEvent.state == .unknown)
  }

  @Test("a condition replaces the one of its identifier, whose event is void (behaviour 9.31)")
  func replacing() async throws {
    let monitor = await CLMonitor("replace")
    await monitor.add(shop, identifier: "a")
    let other = CLMonitor.BeaconIdentityCondition(uuid: shop.uuid, major: 7)
    await monitor.add(other, identifier: "a")
    await monitor.add(shop, identifier: "b")
    var events = await monitor.events.makeAsyncIterator()
    #expect(try await events.next()?.identifier == "a")
    #expect(try await events.next()?.identifier == "b")
    let kept = await monitor.record(for: "a")?.condition as? CLMonitor.BeaconIdentityCondition
    #expect(kept?.major == 7)
    #expect(await monitor.identifiers == ["a", "b"])
  }

  @Test("a removed condition has no record and no event; removing an unknown one does nothing (behaviour 9.31)")
  func removing() async throws {
    let monitor = await CLMonitor("remove")
    await monitor.add(shop, identifier: "a")
    await monitor.add(shop, identifier: "b")
    await monitor.remove("a")
    await monitor.remove("never there")
    #expect(await monitor.record(for: "a") == nil)
    var events = await monitor.events.makeAsyncIterator()
    #expect(try await events.next()?.identifier == "b")
  }

  @Test("an assumption that nobody monitors is right, and no event (behaviour 9.33)")
  func assumingUnmonitored() async throws {
    let monitor = await CLMonitor("assume")
    await monitor.add(shop, identifier: "a", assuming: .unmonitored)
    await monitor.add(shop, identifier: "b", assuming: .satisfied)
    var events = await monitor.events.makeAsyncIterator()
    #expect(try await events.next()?.identifier == "b")
  }

  @Test("a cancelled consumer takes nothing from the next one")
  func consumersOneAfterAnother() async throws {
    let monitor = await CLMonitor("consumers")
    let events = await monitor.events
    let first = Task {
      var iterator = events.makeAsyncIterator()
      return try await iterator.next()?.identifier
    }
    first.cancel()
    #expect(try await first.value == nil)
    await monitor.add(shop, identifier: "a")
    var second = events.makeAsyncIterator()
    #expect(try await second.next()?.identifier == "a")
  }

  @Test("conditions keep their values in JSON, any is not 0 (behaviour 6.1)")
  func coding() throws {
    let circle = try JSONDecoder().decode(
      CLMonitor.CircularGeographicCondition.self, from: JSONEncoder().encode(home))
    #expect(circle.center.latitude == 1 && circle.center.longitude == 2 && circle.radius == 100)
    let uuid = UUID()
    let originals = [
      CLMonitor.BeaconIdentityCondition(uuid: uuid), CLMonitor.BeaconIdentityCondition(uuid: uuid, major: 0),
      CLMonitor.BeaconIdentityCondition(uuid: uuid, major: 0, minor: 0),
    ]
    let copies = try JSONDecoder().decode(
      [CLMonitor.BeaconIdentityCondition].self, from: JSONEncoder().encode(originals))
    #expect(copies.map(\.uuid) == [uuid, uuid, uuid])
    #expect(copies.map(\.major) == [nil, 0, 0] && copies.map(\.minor) == [nil, nil, 0])
    let damaged = Data(#"{"latitude":1,"longitude":"east","radius":5}"#.utf8)
    #expect(throws: DecodingError.self) {
      try JSONDecoder().decode(CLMonitor.CircularGeographicCondition.self, from: damaged)
    }
  }
}
