import LinuxIO

/// Counts the events that are on their way to apps, so that a recording can be played as fast as it is heard.
package final class DeliveryLedger: Sendable {
  private struct State {
    var undelivered = 0
    var whenIdle: (@Sendable () -> Void)?
  }

  private let state = Locked(State())

  package init() {}

  /// Nothing is on its way.
  package var isIdle: Bool {
    state.withLock { $0.undelivered == 0 }
  }

  package func onIdle(_ body: @escaping @Sendable () -> Void) {
    state.withLock { $0.whenIdle = body }
  }

  package func add() {
    state.withLock { $0.undelivered += 1 }
  }

  /// `count` events have arrived. Calls the idle handler when they were the last.
  package func remove(_ count: Int) {
    let whenIdle = state.withLock { state -> (@Sendable () -> Void)? in
      state.undelivered -= count
      return state.undelivered == 0 ? state.whenIdle : nil
    }
    whenIdle?()
  }
}
