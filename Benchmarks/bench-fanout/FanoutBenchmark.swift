import BenchmarkSupport
import Foundation
import Glibc
import LinuxIO
import LiveSupport
import LocationEngine
import LocationRuntime

/// Starts the real services at receivers of their own, has crowds listen to each in turn, and says what each took.
struct FanoutBenchmark {
  private static let gpsd = "/usr/sbin/gpsd"
  /// Debian's gpsd is built with MAX_CLIENTS 64.
  private static let gpsdClientsMax = 64

  var isTiny = false
  var daemonPath: String?
  var rounds = 3
  var sizes = [1, 50, 64, 500]
  private let folder = FileManager.default.temporaryDirectory.appendingPathComponent("bench-fanout-\(getpid())").path
  private let ownFolder = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath().deletingLastPathComponent()
  private let port = UInt16(20_000 + getpid() % 20_000)

  private var seconds: Double { isTiny ? 1 : 10 }
  private var socket: String { folder + "/socket" }

  func run() -> Int32 {
    defer { try? FileManager.default.removeItem(atPath: folder) }
    guard let receiver = Receiver(), let daemon = startDaemon(at: receiver) else { return 1 }
    defer { daemon.end() }
    let peerReceiver = access(Self.gpsd, X_OK) == 0 ? Receiver() : nil
    let peer = peerReceiver.flatMap { Child([Self.gpsd, "-N", "-n", "-b", "-S", String(port), $0.path]) }
    defer { peer?.end() }
    // gpsd learns the receiver's speed and cycle.
    if let peerReceiver { _ = peerReceiver.tell(secondsMax: 2) { false } }
    if peer == nil { print("gpsd is not installed: nothing to compare with (scripts/install-dependencies bench)") }
    print("10 Hz from a pseudo-terminal to N clients; load \(loadAverage), median of \(isTiny ? 1 : rounds) rounds")
    var isComplete = true
    for size in isTiny ? [1, 20] : sizes {
      var own: [Measured] = []
      var other: [Measured] = []
      for _ in 0..<(isTiny ? 1 : rounds) {
        guard let measured = listen(size, to: daemon, receiver, { WireClient(path: socket) }) else { return 1 }
        own.append(measured)
        guard let peer, let peerReceiver, size <= Self.gpsdClientsMax else { continue }
        if let measured = listen(size, to: peer, peerReceiver, { GPSDClient(port: port) }) { other.append(measured) }
      }
      report(size, own, other)
      isComplete = isComplete && own.allSatisfy { $0.missedCount == 0 }
    }
    let firstFixes = reportFirstFix(receiver)
    let status = daemon.finish()
    guard status == 0 else {
      print("bench-fanout: corelocationd ended with status \(status)")
      return 1
    }
    return isComplete && firstFixes ? 0 : 1
  }

  private var loadAverage: String {
    var loads = [0.0, 0, 0]
    getloadavg(&loads, 1)
    return decimals(loads[0], 1)
  }

  private func startDaemon(at receiver: Receiver) -> Child? {
    let permissions = folder + "/permissions.json"
    do {
      try FileManager.default.createDirectory(
        atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
      try #"{"*": "whenInUse"}"#.write(toFile: permissions, atomically: true, encoding: .utf8)
    } catch {
      print("bench-fanout: \(error)")
      return nil
    }
    let path = daemonPath ?? ownFolder.appendingPathComponent("corelocationd").path
    let daemon = Child([
      path, "--user", "--socket", socket, "--state", folder + "/state", "--source", "nmea:" + receiver.path,
      "--permissions", permissions,
    ])
    guard let daemon, receiver.tell(secondsMax: 10, until: { WireClient(path: socket) != nil || daemon.isOver }),
      !daemon.isOver
    else {
      print("bench-fanout: \(path) does not come up at \(socket)")
      return nil
    }
    return daemon
  }

  // MARK: Delivery

  private struct Measured {
    /// Milliseconds from the write to the hearing, sorted.
    var latencies: [Double]
    var missedCount: Int
    var processorMicrosecondsPerFix: Double
    var residentKilobytes: Int
  }

  private func listen(
    _ size: Int, to service: Child, _ receiver: Receiver, _ make: () -> (any FanoutClient)?
  ) -> Measured? {
    let clients = (0..<size).compactMap { _ in make() }
    guard clients.count == size else {
      print("bench-fanout: only \(clients.count) of \(size) clients could connect")
      return nil
    }
    let crowd = Crowd(clients, expectedCount: size * Int(seconds + 6) * 20)
    // Until all are greeted and granted, and the receiver's speed is found.
    _ = receiver.tell(secondsMax: isTiny ? 2 : 3) { false }
    let before = service.processorSeconds
    let first = monotonicNanoseconds()
    _ = receiver.tell(secondsMax: seconds) { false }
    let last = monotonicNanoseconds()
    let after = service.processorSeconds
    let resident = service.memoryKilobytes("VmRSS") ?? 0
    // What was written last arrives too.
    usleep(300_000)
    crowd.end()
    let written = receiver.written.filter { (first..<last).contains($0.value) }
    var latencies: [Double] = []
    var heardCount = [Int](repeating: 0, count: size)
    for heard in crowd.heard {
      guard let writtenAt = written[heard.tenth] else { continue }
      latencies.append(Double(heard.nanoseconds - writtenAt) / 1e6)
      heardCount[heard.client] += 1
    }
    let missed = heardCount.reduce(0) { $0 + max(0, written.count - $1) } + crowd.endedCount
    return Measured(
      latencies: latencies.sorted(), missedCount: missed,
      processorMicrosecondsPerFix: (after - before) * 1e6 / Double(latencies.count), residentKilobytes: resident)
  }

  private func report(_ size: Int, _ own: [Measured], _ other: [Measured]) {
    defer { fflush(nil) }
    print("\(size) \(size == 1 ? "client" : "clients")")
    report("corelocationd", own)
    guard !other.isEmpty else { return }
    report("gpsd", other)
    let ratio = median(own, \.processorMicrosecondsPerFix) / median(other, \.processorMicrosecondsPerFix)
    print("  CPU for each delivered fix, ratio to gpsd: \(decimals(ratio, 2))")
  }

  private func report(_ name: String, _ measured: [Measured]) {
    let label = name.padding(toLength: 14, withPad: " ", startingAt: 0)
    print(
      "  \(label) p50 \(decimals(median(measured) { at($0.latencies, 0.5) }, 2)) ms  "
        + "p99 \(decimals(median(measured) { at($0.latencies, 0.99) }, 2)) ms  "
        + "\(decimals(median(measured, \.processorMicrosecondsPerFix), 1)) us of CPU a fix  "
        + "\(decimals(median(measured) { Double($0.residentKilobytes) } / 1_000, 1)) MB resident  "
        + "\(measured.reduce(0) { $0 + $1.missedCount }) of "
        + "\(measured.reduce(0) { $0 + $1.latencies.count + $1.missedCount }) missed")
  }

  private func median(_ measured: [Measured], _ value: (Measured) -> Double) -> Double {
    Measurement.median(measured.map(value))
  }

  private func at(_ sorted: [Double], _ share: Double) -> Double {
    sorted.isEmpty ? .nan : sorted[min(sorted.count - 1, Int(Double(sorted.count) * share))]
  }

  // MARK: The first fix of an app

  private func reportFirstFix(_ receiver: Receiver) -> Bool {
    let app = ownFolder.appendingPathComponent("bench-first-fix").path
    do {
      let tool = try ToolConnection(path: socket)
      let answer = try tool.ask(.grant(app: app, GrantChange(level: .whenInUse), user: nil))
      guard answer == .done else {
        print("bench-fanout: \(app) is not granted: \(answer)")
        return false
      }
    } catch {
      print("bench-fanout: \(error)")
      return false
    }
    var milliseconds: [Double] = []
    for _ in 0..<(isTiny ? 3 : 21) {
      var start = timespec()
      clock_gettime(CLOCK_REALTIME, &start)
      let began = monotonicNanoseconds()
      let variables = ["CORELOCATION_SOCKET": socket, "XDG_STATE_HOME": folder]
      guard let child = Child([app], output: folder + "/first", variables: variables),
        receiver.tell(secondsMax: 15, until: { child.isOver }), let words = child.lines.first, words.count == 2,
        let heard = Int64(words[0]), let ofMoment = Int64(words[1])
      else {
        print("bench-fanout: \(app) heard no location")
        return false
      }
      let startMilliseconds = Int64(start.tv_sec) * 1_000 + Int64(start.tv_nsec) / 1_000_000
      if ofMoment <= startMilliseconds { milliseconds.append(Double(heard - began) / 1e6) }
    }
    milliseconds.sort()
    print(
      "A granted app's first cached fix, from its start: median \(decimals(at(milliseconds, 0.5), 1)) ms, "
        + "longest \(decimals(milliseconds.last ?? .nan, 1)) ms (\(milliseconds.count) starts)")
    return !milliseconds.isEmpty
  }
}
