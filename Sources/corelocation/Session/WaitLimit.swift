import Dispatch
import LocationModel
import LocationRuntime

/// How long a session that reads a pipe may take on the machine's clock, since nobody knows whether anything comes.
struct WaitLimit: Sendable {
  private let end: Instant?

  /// From now on; nil has no limit.
  init(seconds: Double?) {
    end = seconds.map { LiveClock.shared.now.advanced(bySeconds: $0) }
  }

  /// Never less than a millisecond, so that it is still a time; nil where there is no limit.
  var remainingSeconds: Double? {
    end.map { max($0.seconds(since: LiveClock.shared.now), 0.001) }
  }

  /// Does `work` and gives its result; nil where the limit came first. The work then stays in its read until the
  /// process ends.
  func result<Value: Sendable>(of work: @escaping @Sendable () -> Value) -> Value? {
    guard let remainingSeconds else { return work() }
    let answer = Answer<Value>()
    DispatchQueue(label: "corelocation.recording").async {
      answer.value = work()
      answer.isThere.signal()
    }
    let milliseconds = Int(min(remainingSeconds, 1e9) * 1000)
    guard answer.isThere.wait(timeout: .now() + .milliseconds(milliseconds)) == .success else { return nil }
    return answer.value
  }
}

private final class Answer<Value: Sendable>: Sendable {
  let isThere = DispatchSemaphore(value: 0)
  /// Written before the signal and read after it.
  nonisolated(unsafe) var value: Value?
}
