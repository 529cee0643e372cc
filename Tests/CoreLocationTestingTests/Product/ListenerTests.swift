import CoreLocation
import CoreLocationTesting
import LinuxIO
import Testing

/// Apps of tasks: time waits for those that iterate and those that sleep.
@Suite("Time waits for an app's tasks")
struct ListenerTests {
  /// Lines in the order in which they were written.
  private final class Notes: Sendable {
    private let state = Locked<[String]>([])
    func add(_ line: String) { state.withLock { $0.append(line) } }
    var lines: [String] { state.withLock { $0 } }
  }

  /// A delegate, a free task, a main-actor task that leaves half-way, and a monitor's reader that sleeps.
  private func story() async throws -> [String] {
    let device = SimulatedDevice(permission: .always, at: ProductTests.home)
    let notes = Notes()
    try await device.run {
      let trip = device.launch { _ in Trip() }
      let free = Task {
        for try await update in CLLocationUpdate.liveUpdates() {
          await Task.yield()
          notes.add("free \(Int(device.elapsed.components.seconds)) \(update.location?.coordinate.latitude ?? 0)")
        }
      }
      try await device.listening(1)
      let main = Task { @MainActor in
        for try await _ in CLLocationUpdate.liveUpdates() {
          notes.add("main \(Int(device.elapsed.components.seconds))")
          if device.elapsed > .seconds(100) { break }
        }
      }
      try await device.listening(2)
      let monitor = await CLMonitor("places")
      await monitor.add(
        CLMonitor.CircularGeographicCondition(center: ProductTests.station, radius: 150), identifier: "station",
        assuming: .unsatisfied)
      let reader = Task {
        for try await event in await monitor.events {
          try await device.clock.sleep(for: .seconds(30))
          notes.add("monitor \(event.identifier) \(event.state.rawValue) \(Int(device.elapsed.components.seconds))")
        }
      }
      try await device.listening(3)
      try await device.play(
        Journey(from: ProductTests.home).walk(to: ProductTests.station, metersPerSecond: 8).stay(for: .seconds(120)))
      for task in [free, main, reader] { task.cancel() }
      _ = (try? await free.value, try? await main.value, try? await reader.value)
      notes.add("delegate \(trip.locations.count)")
    }
    return notes.lines + device.log
  }

  @Test("A delegate, tasks, a main-actor task and a sleeping reader give one story, whatever the threads do")
  func oneStory() async throws {
    let first = try await story()
    #expect(first.contains { $0.hasPrefix("monitor station 1") })
    #expect(first.contains { $0.hasPrefix("main 101") } && !first.contains { $0.hasPrefix("main 102") })
    for _ in 0..<30 {
      let again = try await story()
      let differs = zip(again, first).first { $0 != $1 }
      #expect(differs == nil && again.count == first.count, "\(String(describing: differs))")
    }
  }

  @Test("A task that is asleep on the device's clock is woken at its time, and has its turn before time goes on")
  func sleepers() async throws {
    let device = SimulatedDevice(permission: .whenInUse)
    let notes = Notes()
    try await device.run {
      for second in [20, 5, 10] {
        Task {
          try await device.clock.sleep(for: .seconds(second))
          notes.add("\(second) woken at \(device.elapsed.components.seconds)")
        }
      }
      let ticking = Task {
        while true {
          try await device.clock.sleep(for: .seconds(4))
          notes.add("tick \(device.elapsed.components.seconds)")
        }
      }
      try await device.listening(4)
      try await device.advance(by: .seconds(13))
      ticking.cancel()
      _ = try? await ticking.value
      try await device.advance(by: .seconds(60))
    }
    #expect(
      notes.lines == ["tick 4", "5 woken at 5", "tick 8", "10 woken at 10", "tick 12", "20 woken at 20"])
  }

  @Test("A task that leaves the loop over a monitor's events holds time no longer, and another takes its place")
  func leavingReader() async throws {
    let device = SimulatedDevice(permission: .whenInUse, at: ProductTests.home)
    try await device.run {
      let monitor = await CLMonitor("places")
      await monitor.add(
        CLMonitor.CircularGeographicCondition(center: ProductTests.home, radius: 150), identifier: "home")
      func next() -> Task<CLMonitor.Event.State?, any Error> {
        Task {
          for try await event in await monitor.events { return event.state }
          return nil
        }
      }
      let first = next()
      try await device.listening(1)
      try await device.advance(by: .seconds(60))
      #expect(try await first.value == .satisfied)
      let second = next()
      try await device.listening(1)
      try await device.play(Journey(from: ProductTests.home).walk(to: ProductTests.station))
      #expect(try await second.value == .unsatisfied)
    }
  }

  @Test("A listener that does not come back fails the test, with its name and the log")
  func stuck() async throws {
    let device = SimulatedDevice(permission: .whenInUse, at: ProductTests.home)
    let release = AsyncStream<Void>.makeStream()
    try await device.run {
      let stuck = Task(name: "upload") {
        for try await _ in CLLocationUpdate.liveUpdates() {
          for await _ in release.stream {}
        }
      }
      let others = [
        Task {
          let monitor = await CLMonitor("places")
          for try await _ in await monitor.events {}
        },
        Task(name: "clock") { try await device.clock.sleep(for: .seconds(90)) },
      ]
      try await device.listening(3)
      device.realSecondsToComeBack = 0.3
      let failure = await #expect(throws: SimulationFailure.self) { try await device.advance(by: .seconds(5)) }
      let text = failure.map { "\($0)" } ?? ""
      #expect(text.contains("a live update"))
      for part in [
        "Time stands still: after 0.3 s of real time the task \"upload\" that iterates over "
          + "CLLocationUpdate.liveUpdates() has not come back from element 1.",
        "What to do: have it wait on device.clock",
        "For the device wait: a task iterates over CLMonitor(\"places\").events; "
          + "the task \"clock\" sleeps on device.clock until 90.0 s",
      ] { #expect(failure?.sentence.contains(part) == true, "\(text)") }
      for task in others { task.cancel() }
      release.continuation.finish()
      stuck.cancel()
      _ = try? await stuck.value
    }
  }

  private static let refusedLine: UInt = #line + 2
  private static func advanceWithoutAwait(_ device: SimulatedDevice) {
    device.advance(by: .seconds(1))
  }

  @Test("Moving time without await, while tasks listen, ends the test with the cure")
  func refused() async {
    let outcome = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let device = SimulatedDevice(permission: .whenInUse, at: ProductTests.home)
      try await device.run {
        let task = Task { for try await _ in CLLocationUpdate.liveUpdates() {} }
        try await device.listening(1)
        Self.advanceWithoutAwait(device)
        task.cancel()
      }
    }
    let said = String(decoding: outcome?.standardErrorContent ?? [], as: UTF8.self)
    #expect(said.contains("try await device.advance"))
    #expect(said.contains("CoreLocationTestingTests/ListenerTests.swift:\(Self.refusedLine): "), "\(said)")
  }
}
