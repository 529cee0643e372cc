import LocationEngine
import LocationModel
import LocationProviders
import LocationRuntime
import Testing

@Suite("corelocation top tells for whom receivers run, and what that costs", .timeLimit(.minutes(1)))
struct TopTests {
  /// Bluetooth that is on and hears nothing.
  private final class QuietBluetooth: BeaconReceiver {
    let listens = Inbox<Bool>()

    func connect(_ events: @escaping @Sendable (BeaconEvent) -> Void) { events(.radio(.on)) }
    func listen(for constraints: [BeaconConstraint]?) { listens.add(constraints != nil) }
  }

  @Test("Much energy is told in kJ, as simulate tells it, and Bluetooth for beacons stands beside the receivers")
  func cost() async throws {
    let clock = VirtualClock(wallStart: WallTime(secondsSince1970: 1_780_300_800))
    let bluetooth = QuietBluetooth()
    let bench = try DaemonBench(clock: clock, bluetooth: bluetooth)
    try bench.decide(Grant(level: .whenInUse), for: "walk")
    let app = bench.connect("walk")
    _ = app.snapshot
    let manager = app.addManager { _ in }
    app.send(.startUpdatingLocation, from: manager)
    #expect(await bench.receiver.demands.next().map { $0 != nil } == true)
    app.send(.startRanging(BeaconConstraint(uuidHigh: 1, uuidLow: 2)), from: manager)
    #expect(await bluetooth.listens.next() == true)
    let tool = try bench.connectRaw("tool")
    try tool.sayHello(.tool)
    #expect(await tool.heard.next() == .toolGreeting)
    clock.passOver(to: Instant.zero.advanced(bySeconds: 1e6))
    guard case .table(let columns, let rows)? = try await tool.ask(.top) else {
      Issue.record("top answers with a table")
      return
    }
    #expect(columns == ["APP", "USER", "FOR", "WISH", "RECEIVERS", "SINCE", "COST IF ALONE"])
    let words = rows.map { [$0[0]] + $0[2...] }
    // Satellites: 28 s of 190 mW, then 60 mW: 60,003.6 J. Bluetooth: 30 mW.
    #expect(
      words == [
        ["walk", "locations", "best", "on", "1000000 s", "60.0 kJ"],
        ["walk", "ranging beacons", "-", "on", "1000000 s", "30.0 kJ"],
      ])
    withExtendedLifetime(app) {}
  }
}
