import LinuxIO
import LocationProviders

/// The end of a source of which one location is wanted: nothing better comes, so that the best so far is the answer at
/// once. It may come before there is a host to be told.
final class SourceEnd: Sendable {
  private struct State {
    var hasCome = false
    var lookAgain: (@Sendable () -> Void)?
  }

  private let clock: ImpatientClock
  private let waitSeconds: Double
  private let state = Locked(State())

  /// - Parameter waitSeconds: for how long one location is waited for.
  init(clock: ImpatientClock, waitSeconds: Double) {
    self.clock = clock
    self.waitSeconds = waitSeconds
  }

  /// Says how the host is told that time has passed.
  func hurry(_ lookAgain: @escaping @Sendable () -> Void) {
    let isLate = state.withLock { state -> Bool in
      state.lookAgain = lookAgain
      return state.hasCome
    }
    if isLate { lookAgain() }
  }

  func came() {
    clock.skip(seconds: waitSeconds)
    state.withLock { state -> (@Sendable () -> Void)? in
      state.hasCome = true
      return state.lookAgain
    }?()
  }
}
