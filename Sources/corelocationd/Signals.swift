import Dispatch
import Glibc
import LinuxIO

/// What a service manager or a person tells a running service: SIGTERM and SIGINT end the program, SIGHUP has it read
/// its files anew. A client that goes away is no signal.
enum Signals {
  /// To be called before the first thread is made: all threads are to leave the signals to `hear`. One that comes while
  /// the service starts waits until it has started; none is lost.
  static func hold() {
    Syscalls.ignoreBrokenPipes()
    var held = handled
    pthread_sigmask(SIG_BLOCK, &held, nil)
  }

  /// Hears signals on the thread that calls it, for ever.
  static func hear(on queue: DispatchQueue, _ heard: @escaping @Sendable (Int32) -> Void) -> Never {
    var waited = handled
    while true {
      var number: Int32 = 0
      if sigwait(&waited, &number) == 0 { queue.async { [number] in heard(number) } }
    }
  }

  private static var handled: sigset_t {
    var signals = sigset_t()
    sigemptyset(&signals)
    for number in [SIGTERM, SIGINT, SIGHUP] { sigaddset(&signals, number) }
    return signals
  }
}
