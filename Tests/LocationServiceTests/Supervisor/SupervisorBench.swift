import Dispatch
import Foundation
import Glibc
import LinuxIO
import LocationEngine
import LocationRuntime
import XCTest

@testable import LocationService

/// A supervisor of real processes, which run supervised-program in a role.
final class SupervisorBench: @unchecked Sendable {
  let folder: TemporaryFolder
  let supervisor: ProcessSupervisor
  let lines = Lines()
  let queue = DispatchQueue(label: "test.supervisor")
  private let events = Waiting<SupervisorEvent>()
  private let groups: GroupTree?
  private let reader: Int32
  private var heard: [UInt8] = []

  /// - Parameters:
  ///   - role: of supervised-program.
  ///   - folder: that the socket is in.
  ///   - stateFolder: that the apps note in what they are done with; nil for none.
  init(
    role: String, groups: GroupTree? = nil, lastWordsSeconds: Double = 60, environment: [String] = [],
    folder: TemporaryFolder? = nil, stateFolder: String? = nil
  ) throws {
    self.groups = groups
    self.folder = try folder ?? TemporaryFolder()
    var ends: [Int32] = [-1, -1]
    guard pipe(&ends) == 0 else { throw SystemError(call: "pipe") }
    reader = ends[0]
    let writer = ends[1]
    var settings = ProcessSupervisor.Settings(socketPath: self.folder.path + "/socket", groups: groups)
    settings.environment = ["SUPERVISED_PROGRAM=\(role)"] + environment
    settings.lastWordsSeconds = lastWordsSeconds
    settings.acknowledgements = stateFolder.map { AcknowledgementFolder(stateFolder: $0) }
    settings.ownsAcknowledgements = true
    settings.output = { _ in dup(writer) }
    supervisor = ProcessSupervisor(settings, queue: queue, log: { [lines] in lines.add($0) })
    queue.sync { supervisor.connect { [events] in events.add($0) } }
  }

  deinit {
    // Whatever a failed test has left.
    for app in Self.apps { queue.sync { supervisor.terminate(app, .forceQuit) } }
    while queue.sync(execute: { Self.apps.contains { supervisor.isRunning($0) } }) { usleep(1_000) }
    // Their parent, which is not this process, takes its time to take note of orphans.
    if let groups { _ = comes { groups.leftovers.allSatisfy { $0.remove() } } }
    close(reader)
  }

  static let app = AppIdentifier("org.example.walk", userNumber: getuid())
  static let other = AppIdentifier("org.example.run", userNumber: getuid())
  private static let apps = [app, other]

  @discardableResult
  func launch(
    _ app: AppIdentifier = app, arguments: [String] = [], because reason: LaunchReason = .person
  ) throws -> Int32 {
    let program = try Self.program()
    try queue.sync {
      try supervisor.launch(app, bundlePath: "/", executablePath: program, arguments: arguments, because: reason)
    }
    guard case .started(app, let number) = try event() else { throw CocoaError(.featureUnsupported) }
    return number
  }

  /// By a launch that comes to nothing.
  func skipLaunchName() {
    queue.sync {
      try? supervisor.launch(
        Self.app, bundlePath: "/", executablePath: "/nowhere", arguments: [], because: .person)
    }
  }

  func suspend() { queue.sync { supervisor.suspend(Self.app) } }
  func resume() { queue.sync { supervisor.resume(Self.app) } }
  func terminate(_ termination: Termination) { queue.sync { supervisor.terminate(Self.app, termination) } }

  func event() throws -> SupervisorEvent { try XCTUnwrap(events.next(), "nothing was heard for a minute") }

  /// The end that comes next.
  func end() throws -> AppEnd {
    guard case .ended(Self.app, let end) = try event() else { throw CocoaError(.featureUnsupported) }
    return end
  }

  /// The next line of an app's output.
  func line() throws -> String {
    while true {
      if let end = heard.firstIndex(of: UInt8(ascii: "\n")) {
        defer { heard.removeSubrange(...end) }
        return String(decoding: heard[..<end], as: UTF8.self)
      }
      var one = pollfd(fd: reader, events: Int16(POLLIN), revents: 0)
      guard poll(&one, 1, 60_000) == 1 else { throw CocoaError(.fileReadUnknown) }
      var bytes = [UInt8](repeating: 0, count: 4_096)
      let count = read(reader, &bytes, bytes.count)
      guard count > 0 else { throw CocoaError(.fileReadUnknown) }
      heard += bytes[..<count]
    }
  }

  /// The numbers of all processes of an app that says it is ready.
  func ready() throws -> [Int32] {
    let words = try line().split(separator: " ")
    XCTAssertEqual(words.first, "ready")
    return words.dropFirst().compactMap { Int32($0) }
  }

  static func program() throws -> String {
    try builtProducts().appendingPathComponent("supervised-program").path
  }

  /// The folder of the built programs: that of the test bundle.
  static func builtProducts() throws -> URL {
    let folder = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath().deletingLastPathComponent()
    if FileManager.default.fileExists(atPath: folder.appendingPathComponent("supervised-program").path) {
      return folder
    }
    // The tests may run in a helper of the toolchain; the bundle is its argument.
    for argument in CommandLine.arguments where argument.hasSuffix(".xctest") {
      return URL(fileURLWithPath: argument).deletingLastPathComponent()
    }
    throw CocoaError(.fileNoSuchFile)
  }
}

/// What arrives, for a test that waits for it.
final class Waiting<Element: Sendable>: Sendable {
  private let elements = Locked<[Element]>([])
  private let arrived = DispatchSemaphore(value: 0)

  func add(_ element: Element) {
    elements.withLock { $0.append(element) }
    arrived.signal()
  }

  /// Nil where nothing comes for a minute.
  func next() -> Element? {
    guard arrived.wait(timeout: .now() + 60) == .success else { return nil }
    return elements.withLock { $0.removeFirst() }
  }
}

/// Looks at other processes, of which nobody tells when they have changed, until they have; false after a minute.
func comes(true condition: () -> Bool) -> Bool {
  let end = DispatchTime.now() + 60
  while DispatchTime.now() < end {
    if condition() { return true }
    usleep(1_000)
  }
  return false
}

/// Ticks of the processors that each process has used.
func usedTicks(_ numbers: [Int32]) -> [UInt64] {
  numbers.map { ProcessFamily.process($0)?.usedTicks ?? 0 }
}

func hasEnded(_ number: Int32) -> Bool { ProcessFamily.process(number)?.hasEnded ?? true }
