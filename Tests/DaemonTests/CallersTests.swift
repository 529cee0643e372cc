import Dispatch
import LinuxIO
import LocationEngine
import LocationRuntime
import Testing

@testable import LocationService

@Suite("Callers that were not looked at yet", .timeLimit(.minutes(1)))
struct CallersTests {
  /// A service that looks at nobody until it is told to.
  private final class Bench: Sendable {
    private let gate = DispatchSemaphore(value: 0)
    let service: DaemonBench

    init(isSystemWide: Bool) throws {
      service = try DaemonBench(isSystemWide: isSystemWide, look: { [gate] in gate.wait() })
    }

    /// Every look ends at once from now on, for so many.
    func open(for count: Int) {
      for _ in 0..<count { gate.signal() }
    }
  }

  private func call(_ count: Int, _ bench: Bench) throws -> [RawClient] {
    try (0..<count).map { number in
      let client = try bench.service.connectRaw("caller-\(number)")
      try client.sayHello(.tool)
      return client
    }
  }

  @Test("In the system's service one user's callers beyond the bound are turned away, so that others' come in")
  func turnedAway() async throws {
    let bench = try Bench(isSystemWide: true)
    let waiting = try call(Callers.ofUserMax, bench)
    let turnedAway = try RawClient(path: bench.service.socketPath)
    let word = await turnedAway.heard.next()
    guard case .refusal(let sentence) = word else {
      Issue.record("\(word.map { "\($0)" } ?? "nothing") is no refusal")
      return bench.open(for: Callers.ofUserMax)
    }
    #expect(sentence.hasSuffix("call again."))
    bench.open(for: Callers.ofUserMax + 1)
    for client in waiting { #expect(await client.heard.next() == .toolGreeting) }
    let again = try call(1, bench)
    #expect(await again[0].heard.next() == .toolGreeting)
  }

  @Test("In a person's service they wait in the socket, and all of them are served in the end")
  func wait() async throws {
    let bench = try Bench(isSystemWide: false)
    let count = Callers.ofUserMax * 3
    let callers = try call(count, bench)
    bench.open(for: count)
    for client in callers { #expect(await client.heard.next() == .toolGreeting) }
  }

  @Test("Each user's are counted apart, and nothing is kept of one who has none")
  func counts() {
    var callers = Callers()
    for user in [1, 1, 2] as [UInt32] { callers.came(user) }
    #expect(callers.count(of: 1) == 2 && callers.count(of: 2) == 1 && callers.count == 3)
    callers.wasLookedAt(2)
    callers.wasLookedAt(2)
    callers.wasLookedAt(1)
    #expect(callers.count(of: 1) == 1 && callers.count(of: 2) == 0 && callers.count == 1)
  }
}
