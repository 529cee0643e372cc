import Dispatch
import Glibc

/// Ends the process cleanly on Ctrl-C and on `kill`, with whole lines of what has been printed.
enum Interruption {
  // Dispatch sources may be used from any thread; the module just does not say so.
  private nonisolated(unsafe) static let sources: [any DispatchSourceSignal] = [SIGINT, SIGTERM].map { number in
    signal(number, SIG_IGN)
    let source = DispatchSource.makeSignalSource(signal: number, queue: DispatchQueue(label: "corelocation.signal"))
    source.setEventHandler { @Sendable in
      StandardOutput.shared.close()
      // Other threads may wait for a pipe for ever.
      _exit(ExitStatus.done.rawValue)
    }
    return source
  }

  static func endsCleanly() {
    for source in sources { source.activate() }
  }
}
