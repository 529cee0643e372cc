import Foundation
import Testing

/// Delivery by design 5, each way of owning a manager in a real process of its own.
@Suite("Delivery to the thread that made the manager", .serialized)
struct DeliveryTests {
  @Test("A manager of the main thread calls its delegate there, through the run loop (2.1)")
  func mainRunLoop() throws {
    let outcome = try DeliveryProgram.run("delivery-sync-main", "main")
    #expect(outcome.lines == ["main: authorization 4 on main"] + locations(1...3, of: "main", on: "main"))
    #expect(outcome.status == 0)
  }

  @Test("CL-02 c: started from another thread, a manager still calls back on the thread that made it")
  func startedElsewhere() throws {
    let outcome = try DeliveryProgram.run("delivery-sync-main", "started-elsewhere")
    #expect(outcome.lines == ["main: authorization 4 on main"] + locations(1...3, of: "main", on: "main"))
  }

  @Test("CL-02 a: a manager of a thread that runs its run loop calls back on that thread")
  func ownThread() throws {
    let outcome = try DeliveryProgram.run("delivery-sync-main", "own-thread")
    #expect(outcome.lines == ["main: authorization 4 on own"] + locations(1...3, of: "main", on: "own"))
  }

  @Test("CL-02 b: a manager of a dispatch worker hears nothing, and one line warns of it (2.2)")
  func worker() throws {
    let outcome = try DeliveryProgram.run("delivery-sync-main", "worker")
    #expect(outcome.lines.filter { $0.hasPrefix("worker:") } == [])
    #expect(outcome.lines.filter { $0.hasPrefix("main: location") } == locations(1...3, of: "main", on: "main"))
    #expect(outcome.errorLines.count { $0.contains("without a run loop") } == 1)
  }

  @Test("A run loop nested in a callback delivers what follows, in order")
  func nested() throws {
    let outcome = try DeliveryProgram.run("delivery-sync-main", "nested")
    #expect(
      outcome.lines == [
        "main: authorization 4 on main", "main: location 1 on main", "nested loop begins",
        "main: location 2 on main", "main: location 3 on main", "nested loop ends after 3",
      ])
  }

  @Test("A delegate may call straight back in from its callbacks")
  func callsBackIn() throws {
    let outcome = try DeliveryProgram.run("delivery-sync-main", "calls-back-in")
    #expect(outcome.lines == ["main: authorization 4 on main"] + locations(1...3, of: "main", on: "main"))
    #expect(outcome.status == 0)
  }

  @Test("Locations that wait for a busy thread arrive as one array, oldest first (2.7)")
  func slow() throws {
    // 40 points; the thread is held in the first call, and let go when the recording has ended.
    let outcome = try DeliveryProgram.run("delivery-sync-main", "slow", .init(releasesAtEndOfRecording: true))
    #expect(outcome.lines.last == "40 in two calls, the second in order: true")
  }

  @Test("A delegate slower than the fixes leaves the run loop its turns: timers fire, and a stop would be heard")
  func lagsBehind() throws {
    let outcome = try DeliveryProgram.run("delivery-sync-main", "lags-behind")
    #expect(outcome.lines.last == "ticked 3 times while some were to come: true")
  }

  @Test("A manager may go away while its delegate is being called")
  func releasedInCallback() throws {
    let outcome = try DeliveryProgram.run("delivery-sync-main", "released-in-callback")
    #expect(outcome.lines.last == "alive")
    #expect(outcome.status == 0)
  }

  @Test("An asynchronous main and main-actor code hear everything; a detached task's manager warns and hears nothing")
  func asyncMain() throws {
    let outcome = try DeliveryProgram.run("delivery-async-main", "")
    for name in ["early", "late"] {
      #expect(
        outcome.lines.filter { $0.hasPrefix(name) }
          == (1...3).map { "\(name): location \($0), main actor true" })
    }
    #expect(outcome.lines.filter { $0.hasPrefix("actor") } == (1...3).map { "actor: location \($0)" })
    #expect(outcome.lines.last == "detached heard 0")
    #expect(outcome.errorLines.count { $0.contains("without a run loop") } == 1)
    #expect(outcome.status == 0)
  }

  @Test("The prompt is asked on the terminal and its answer is remembered by the next run (design 5)")
  func terminalPrompt() throws {
    let state = FileManager.default.temporaryDirectory.appendingPathComponent("state-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: state, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: state) }
    let asked = try DeliveryProgram.run(
      "delivery-sync-main", "asks", .init(isAuthorized: false, typed: "9\n2r\n", stateFolder: state.path))
    #expect(asked.lines.contains("Allow org.example.delivery to use your location?"))
    #expect(asked.lines.contains("  \"Shows where you are.\""))
    #expect(asked.lines.contains { $0.hasSuffix("Type a number from 1 to 3.") }, "9 is none of the choices")
    #expect(asked.lines.last?.hasSuffix("status 4 reduced") == true, "\(asked.lines)")

    let again = try DeliveryProgram.run(
      "delivery-sync-main", "asks", .init(isAuthorized: false, typed: "", stateFolder: state.path))
    #expect(again.lines == ["status 4 reduced"])
  }

  @Test("Without a terminal the status stays notDetermined, and one line names the variable (design 5)")
  func noTerminal() throws {
    let outcome = try DeliveryProgram.run("delivery-sync-main", "asks-nobody", .init(isAuthorized: false))
    #expect(outcome.lines == ["status 0 full", "input ended"])
    #expect(outcome.errorLines.count { $0.contains("CORELOCATION_AUTHORIZATION") } == 1)
  }

  private func locations(_ numbers: ClosedRange<Int>, of name: String, on thread: String) -> [String] {
    numbers.map { "\(name): location \($0) on \(thread)" }
  }
}
