import BenchmarkSupport
import Foundation
import Glibc
import LiveSupport

struct LiveBenchmark {
  private static let gpsd = "/usr/sbin/gpsd"

  var isTiny: Bool
  private let folder = FileManager.default.temporaryDirectory.appendingPathComponent("bench-live-\(getpid())").path
  private let own = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
  private let port = UInt16(20_000 + getpid() % 20_000)

  private var settleSeconds: Double { isTiny ? 1 : 3 }
  private var seconds: Double { isTiny ? 2 : 15 }
  private var idleSeconds: Double { isTiny ? 2 : 10 }

  init(isTiny: Bool) {
    self.isTiny = isTiny
  }

  func run() -> Int32 {
    guard access(Self.gpsd, X_OK) == 0 else {
      print("gpsd is not installed, nothing is measured: scripts/install-dependencies bench installs it")
      return isTiny ? 0 : 1
    }
    defer { try? FileManager.default.removeItem(atPath: folder) }
    guard (try? FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)) != nil,
      let receiver = Receiver(),
      let daemon = Child([Self.gpsd, "-N", "-n", "-b", "-S", String(port), receiver.path])
    else {
      print("bench-live: there is no folder, no pseudo-terminal or no gpsd to be had")
      return 1
    }
    defer { daemon.end() }
    // gpsd learns the receiver's speed and cycle.
    _ = receiver.tell(secondsMax: 2) { false }
    // gpsd serves its clients one after the other: each is first once.
    var rounds: [Round] = []
    for appIsFirst in isTiny ? [true] : [true, false] {
      guard let round = listen(to: receiver, appIsFirst: appIsFirst) else { return 1 }
      rounds.append(round)
    }
    report(rounds)
    return reportIdle(receiver)
  }

  // MARK: Latency

  private struct Round {
    var app: [Double]
    var peer: [Double]
    var processorShare: Double
  }

  private var variables: [String: String] {
    [
      "CORELOCATION_SOURCE": "gpsd:127.0.0.1:\(port)", "CORELOCATION_AUTHORIZATION": "whenInUse",
      "XDG_STATE_HOME": folder,
    ]
  }

  private func startApp() -> Child? {
    Child(
      [own.path, "--listen", String(settleSeconds), String(seconds)], output: folder + "/app", variables: variables)
  }

  private func startPeer() -> Child? {
    let path = own.deletingLastPathComponent().appendingPathComponent("bench-live-peer").path
    return Child([path, String(port), String(settleSeconds), String(seconds)], output: folder + "/peer")
  }

  private func listen(to receiver: Receiver, appIsFirst: Bool) -> Round? {
    let first = appIsFirst ? startApp() : startPeer()
    // Time enough to connect.
    _ = receiver.tell(secondsMax: 0.5) { false }
    let second = appIsFirst ? startPeer() : startApp()
    guard let app = appIsFirst ? first : second, let peer = appIsFirst ? second : first else {
      print("bench-live: the listeners cannot be started")
      return nil
    }
    let isOver = receiver.tell(secondsMax: settleSeconds + seconds + 20) { app.isOver && peer.isOver }
    let share = app.lines.last.flatMap { $0.first == "cpu" ? Double($0[1]) : nil }
    let round = Round(
      app: latencies(app, receiver), peer: latencies(peer, receiver), processorShare: share ?? .nan)
    // One in a hundred may be missing where the machine was busy.
    let expected = Int(seconds * 10 * 0.9)
    guard isOver, app.status == 0, peer.status == 0, round.app.count >= expected, round.peer.count >= expected else {
      print("bench-live: \(round.app.count) and \(round.peer.count) of \(Int(seconds * 10)) moments were heard")
      return nil
    }
    return round
  }

  /// Milliseconds from the write to the first hearing of each moment.
  private func latencies(_ child: Child, _ receiver: Receiver) -> [Double] {
    var heard: [Int64: Int64] = [:]
    for words in child.lines where words.count == 2 {
      guard let moment = Int64(words[0]), let nanoseconds = Int64(words[1]) else { continue }
      heard[moment] = min(nanoseconds, heard[moment] ?? .max)
    }
    return heard.compactMap { moment, nanoseconds in
      receiver.written[moment].map { Double(nanoseconds - $0) / 1e6 }
    }
  }

  private func report(_ rounds: [Round]) {
    let app = rounds.flatMap(\.app).sorted()
    let peer = rounds.flatMap(\.peer).sorted()
    print("gpsd at 10 Hz, from the sentence at the port until it is heard")
    print("delegate        \(describe(app))  ratio p50 \(decimals(at(app, 0.5) / at(peer, 0.5), 2))")
    print("plain C client  \(describe(peer))")
    let share = Measurement.median(rounds.map(\.processorShare))
    print("CPU of the listening app  \(decimals(share * 100, 2)) %")
  }

  private func describe(_ sorted: [Double]) -> String {
    "p50 \(decimals(at(sorted, 0.5), 3)) ms  p99 \(decimals(at(sorted, 0.99), 3)) ms  (\(sorted.count) moments)"
  }

  private func at(_ sorted: [Double], _ share: Double) -> Double {
    sorted.isEmpty ? .nan : sorted[min(sorted.count - 1, Int(Double(sorted.count) * share))]
  }

  // MARK: Idle

  private func reportIdle(_ receiver: Receiver) -> Int32 {
    guard let app = Child([own.path, "--idle"], output: folder + "/idle", variables: variables),
      receiver.tell(secondsMax: 20, until: { !app.lines.isEmpty || app.isOver }), !app.isOver
    else {
      print("bench-live: the idle app has not become idle")
      return 1
    }
    // The connection is closed within a second; the threads of Dispatch that have nothing to do end after five.
    _ = receiver.tell(secondsMax: 7) { false }
    let before = app.activity
    _ = receiver.tell(secondsMax: idleSeconds) { false }
    let after = app.activity
    app.end()
    print(
      "idle app, \(decimals(idleSeconds, 0)) s: \(after.switches - before.switches) context switches, "
        + "\(after.ticks - before.ticks) clock ticks; with none it has made no system call")
    return 0
  }
}
