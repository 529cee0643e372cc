import CoreLocation
import CoreLocationTesting
import LocationEngine
import LocationModel
import Testing

/// Live updates as apps iterate them, on a simulated device. Nothing here waits for time: a task that iterates goes on
/// with what the device gives it.
@Suite("Cases: live updates")
struct LiveUpdateCases {
  private func update(
    _ iterator: inout CLLocationUpdate.Updates.AsyncIterator
  ) async throws -> CLLocationUpdate {
    try #require(try await iterator.next())
  }

  @Test("9.1, 9.2: elements come as the device moves, and the end of the iteration switches the receiver off")
  func iteration() async throws {
    let device = SimulatedDevice(grant: Grant(level: .whenInUse))
    try await device.run {
      let task = Task {
        var latitudes: [Double] = []
        for try await update in CLLocationUpdate.liveUpdates() {
          if let location = update.location { latitudes.append(location.coordinate.latitude) }
          if latitudes.count == 2 { break }
        }
        return latitudes
      }
      while device.receiver.demand == nil { await Task.yield() }
      device.receive(latitude: 47.5, longitude: 19.2)
      device.receive(latitude: 47.6, longitude: 19.2)
      let latitudes = try await task.value
      #expect(latitudes == [47.5, 47.6])
      #expect(device.receiver.demand == nil)
    }
  }

  @Test("9.1: a cancelled task lets the receiver go, though somebody still holds the iterator")
  func cancelling() async throws {
    let device = SimulatedDevice(grant: Grant(level: .whenInUse))
    try await device.run {
      let task = Task {
        var iterator = CLLocationUpdate.liveUpdates(.fitness).makeAsyncIterator()
        let first = try await iterator.next()
        let isOff = device.receiver.demand == nil
        return (first == nil, isOff)
      }
      while device.receiver.demand == nil { await Task.yield() }
      task.cancel()
      let (hasEnded, isOff) = try await task.value
      #expect(hasEnded && isOff)
    }
  }

  @Test("9.22, 9.4: iterating asks by itself, says so, and goes on with the answer")
  func asking() async throws {
    let device = SimulatedDevice()
    try await device.run {
      var iterator = CLLocationUpdate.liveUpdates().makeAsyncIterator()
      let asking = try await update(&iterator)
      #expect(asking.authorizationRequestInProgress)
      #expect(device.person.openPrompts.count == 1)
      device.person.answer(PromptAnswer(.allowWhileUsing))
      device.receive(latitude: 47.5, longitude: 19.2)
      let first = try await update(&iterator)
      #expect(first.location?.coordinate.latitude == 47.5 && !first.authorizationRequestInProgress)
      device.chooseInSettings(.denied)
      let denied = try await update(&iterator)
      #expect(denied.location == nil && denied.authorizationDenied && !denied.authorizationDeniedGlobally)
      device.switchLocationServices(on: false)
      let off = try await update(&iterator)
      #expect(off.authorizationDenied && off.authorizationDeniedGlobally)
    }
  }

  @Test("9.3: a rest ends the elements with a stationary one, and movement brings them back")
  func stationary() async throws {
    let device = SimulatedDevice(grant: Grant(level: .whenInUse))
    try await device.run {
      var iterator = CLLocationUpdate.liveUpdates().makeAsyncIterator()
      let task = Task { [device] in
        while device.receiver.demand == nil { await Task.yield() }
        // One a minute, so that nothing is dropped.
        device.receive(latitude: 47.5, longitude: 19.2)
        for minute in 1...10 {
          device.advance(toSecond: Double(minute) * 60)
          device.receive(latitude: 47.5, longitude: 19.2)
        }
      }
      var count = 0
      var last = try await update(&iterator)
      while !last.stationary {
        #expect(last.location != nil)
        count += 1
        last = try await update(&iterator)
      }
      await task.value
      #expect(count == 10 && last.location?.coordinate.latitude == 47.5)
      #expect(device.receiver.demand == nil)
      device.advance(bySeconds: 61)
      device.receive(latitude: 47.6, longitude: 19.2)
      let moving = try await update(&iterator)
      #expect(!moving.stationary && moving.location?.coordinate.latitude == 47.6)
    }
  }

  @Test("A reader that is slow gets the newest, and what says why there was none")
  func slowReader() async throws {
    let device = SimulatedDevice(grant: Grant(level: .whenInUse))
    try await device.run {
      var iterator = CLLocationUpdate.liveUpdates().makeAsyncIterator()
      device.advance(toSecond: 1)
      let begun = Task {
        while device.receiver.demand == nil { await Task.yield() }
        device.receive(latitude: 10, longitude: 20)
      }
      let first = try await update(&iterator)
      #expect(first.location?.coordinate.latitude == 10)
      await begun.value
      device.receiver.say(.unavailable)
      device.settle()
      for number in 1...1_000 {
        device.advance(bySeconds: 1)
        device.receive(latitude: 10 + Double(number) / 100, longitude: 20)
      }
      let lost = try await update(&iterator)
      #expect(lost.locationUnavailable, "kept, though it is the oldest")
      let latitudes = try await {
        var latitudes: [Double] = []
        while latitudes.last.map({ $0 < 19.995 }) ?? true {
          latitudes.append(try await update(&iterator).location?.coordinate.latitude ?? -1)
        }
        return latitudes
      }()
      #expect(latitudes.count == 99 && latitudes == latitudes.sorted() && latitudes.last == 20)
    }
  }

  @Test("Two iterations of one app are two: the end of one leaves the other")
  func twoReaders() async throws {
    let device = SimulatedDevice(grant: Grant(level: .whenInUse))
    try await device.run {
      var first: CLLocationUpdate.Updates.AsyncIterator? = CLLocationUpdate.liveUpdates().makeAsyncIterator()
      var second = CLLocationUpdate.liveUpdates(.fitness).makeAsyncIterator()
      let task = Task { [device] in
        while device.receiver.demand == nil { await Task.yield() }
        device.receive(latitude: 1, longitude: 2)
      }
      let own = try await first?.next()
      #expect(own?.location?.coordinate.latitude == 1)
      await task.value
      // Fresh enough to be the second's first.
      let known = try await update(&second)
      #expect(known.location?.coordinate.latitude == 1)
      first = nil
      #expect(device.receiver.demand != nil)
      device.receive(latitude: 3, longitude: 2)
      let next = try await update(&second)
      #expect(next.location?.coordinate.latitude == 3)
    }
  }
}
