import Dispatch
import Glibc

/// What a service manager or a person tells a running service.
enum Signals {
  nonisolated(unsafe) private static var sources: [any DispatchSourceSignal] = []

  /// Hears SIGTERM and SIGINT, which end the program, and SIGHUP, which has it read its files anew. A client that goes
  /// away is no signal.
  static func listen(on queue: DispatchQueue, _ heard: @escaping @Sendable (Int32) -> Void) {
    signal(SIGPIPE, SIG_IGN)
    for number in [SIGTERM, SIGINT, SIGHUP] {
      signal(number, SIG_IGN)
      let source = DispatchSource.makeSignalSource(signal: number, queue: queue)
      source.setEventHandler { heard(number) }
      source.activate()
      sources.append(source)
    }
  }
}
