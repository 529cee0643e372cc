import CoreLocation
import CoreLocationTesting
import LinuxIO
import Testing

/// Work against a limit on the device's clock: a group of which one child sleeps, and the first to end cancels the
/// other. Nobody gives up here on a task that was woken: one whose end went unnoticed would fail the test after the ten
/// seconds of a listener that does not come back.
@Suite("Races against the device's clock")
struct RaceTests {
  private final class Notes: Sendable {
    private let state = Locked<[String]>([])
    func add(_ line: String) { state.withLock { $0.append(line) } }
    var lines: [String] { state.withLock { $0 } }
  }

  private func patientDevice() -> SimulatedDevice {
    let device = SimulatedDevice(permission: .whenInUse, at: ProductTests.home)
    device.realSecondsForWoken = 1e9
    return device
  }

  private static func race(
    _ device: SimulatedDevice, limit: Duration, _ work: @escaping @Sendable () async throws -> String
  ) async throws -> String {
    try await withThrowingTaskGroup(of: String.self) { group in
      group.addTask {
        try await device.clock.sleep(for: limit)
        return "too late"
      }
      group.addTask { try await work() }
      defer { group.cancelAll() }
      return try await group.next() ?? "nobody"
    }
  }

  private static func firstFix() async throws -> String {
    for try await update in CLLocationUpdate.liveUpdates() where update.location != nil { return "found" }
    return "ended"
  }

  /// A task races and then sleeps: what comes after a race has its turn at the race's own second.
  private func story(_ reception: SimulatedReception) async throws -> [String] {
    let device = patientDevice()
    let notes = Notes()
    try await device.run {
      device.reception = reception
      let task = Task {
        let result = try await Self.race(device, limit: .seconds(5)) { try await Self.firstFix() }
        notes.add("\(result) at \(device.elapsed.components.seconds)")
        try await device.clock.sleep(for: .seconds(2))
        notes.add("on at \(device.elapsed.components.seconds)")
      }
      try await device.listening(2)
      try await device.advance(by: .seconds(10))
      try await task.value
    }
    return notes.lines + device.log
  }

  @Test("Work that is done first, and a limit that is over first: what follows has its turn before time goes on")
  func winners() async throws {
    let found = try await story(.open)
    #expect(found.prefix(2) == ["found at 1", "on at 3"])
    let late = try await story(.none)
    #expect(late.prefix(2) == ["too late at 5", "on at 7"])
    for _ in 0..<100 {
      let (foundAgain, lateAgain) = (try await story(.open), try await story(.none))
      #expect(foundAgain == found && lateAgain == late)
    }
  }

  @Test("A race in the loop over live updates, for each of them, takes no real time either")
  func inLoop() async throws {
    let device = patientDevice()
    let notes = Notes()
    try await device.run {
      let task = Task {
        for try await update in CLLocationUpdate.liveUpdates() where update.location != nil {
          let result = try await Self.race(device, limit: .seconds(5)) { "sent" }
          notes.add("\(result) at \(device.elapsed.components.seconds)")
        }
      }
      try await device.listening(1)
      try await device.advance(by: .seconds(100))
      task.cancel()
    }
    #expect(notes.lines == (1...100).map { "sent at \($0)" })
  }

  @Test("A race in a loop that sleeps, with an error for a limit, and races within races")
  func nested() async throws {
    struct TooLate: Error {}
    let device = patientDevice()
    let notes = Notes()
    try await device.run {
      let task = Task {
        for minute in 0..<5 {
          try await device.clock.sleep(for: .seconds(60))
          let result = try await Self.race(device, limit: .seconds(50)) {
            try await Self.race(device, limit: .seconds(5)) { "sent \(minute)" }
          }
          notes.add("\(result) at \(device.elapsed.components.seconds)")
        }
        do {
          try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { throw TooLate() }
            group.addTask { try await device.clock.sleep(for: .seconds(5)) }
            try await group.next()
          }
        } catch { notes.add("\(error)") }
      }
      try await device.listening(1)
      try await device.advance(by: .seconds(400))
      try await task.value
    }
    #expect(notes.lines == (0..<5).map { "sent \($0) at \(60 * ($0 + 1))" } + ["TooLate()"])
  }

  @Test("A task that leaves its loop has its turn before time goes on, and so has what it does next")
  func leaving() async throws {
    for _ in 0..<50 {
      let device = patientDevice()
      let notes = Notes()
      try await device.run {
        let task = Task {
          for try await update in CLLocationUpdate.liveUpdates() where update.location != nil { break }
          for _ in 0..<100 { await Task.yield() }
          notes.add("left at \(device.elapsed.components.seconds)")
          try await device.clock.sleep(for: .seconds(7))
          notes.add("slept until \(device.elapsed.components.seconds)")
        }
        try await device.listening(1)
        try await device.advance(by: .seconds(60))
        try await task.value
      }
      #expect(notes.lines == ["left at 1", "slept until 8"])
    }
  }
}
