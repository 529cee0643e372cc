import Glibc
import Synchronization

/// A kind of system call that can be made to fail.
package enum FaultyCall: Int, Hashable, Sendable, CaseIterable {
  /// Opens a file, a device or a socket.
  case open
  /// Begins to watch a folder.
  case watch
  /// Connects: begun and ended are two calls.
  case connect
  case read
  case write
}

/// Makes the Nth system call of a kind fail, once or from then on, so that a test can try every place where one may.
///
/// Belongs to the whole process: one test at a time. Off, it costs each call one relaxed load of a flag.
package enum SystemFaults {
  package struct Plan: Hashable, Sendable {
    package var call: FaultyCall
    /// Which call of its kind fails; 1 is the first after `arm`.
    package var ordinal: Int
    package var errorNumber: Int32
    /// All later calls of its kind fail too.
    package var isForEver: Bool

    package init(_ call: FaultyCall, ordinal: Int, errorNumber: Int32, isForEver: Bool = false) {
      self.call = call
      self.ordinal = ordinal
      self.errorNumber = errorNumber
      self.isForEver = isForEver
    }
  }

  /// How many calls were made since `arm`, those that failed by plan among them.
  package struct Counts: Hashable, Sendable {
    package var made: [FaultyCall: Int] = [:]
    package var failed = 0

    package init() {}
  }

  private struct State {
    var plan: Plan?
    var counts = Counts()
    var observer: (@Sendable () -> Void)?
  }

  private static let isArmed = Atomic<Bool>(false)
  private static let state = Locked(State())

  /// Begins to count, and to fail what `plan` names. A nil plan only counts.
  ///
  /// - Parameter observer: is called after each call that is made to fail, on its thread.
  package static func arm(_ plan: Plan?, observer: (@Sendable () -> Void)? = nil) {
    state.withLock { $0 = State(plan: plan, observer: observer) }
    isArmed.store(true, ordering: .releasing)
  }

  /// Nothing fails any more. Gives what was counted.
  @discardableResult
  package static func disarm() -> Counts {
    isArmed.store(false, ordering: .releasing)
    return state.withLock { state in
      defer { state = State() }
      return state.counts
    }
  }

  package static var counts: Counts { state.withLock { $0.counts } }

  /// True where this call is to fail without being made; `errno` is then set.
  @inline(__always)
  static func fails(_ call: FaultyCall) -> Bool {
    isArmed.load(ordering: .relaxed) && failsByPlan(call)
  }

  @inline(never)
  private static func failsByPlan(_ call: FaultyCall) -> Bool {
    let (errorNumber, observer) = state.withLock { state -> (Int32?, (@Sendable () -> Void)?) in
      let ordinal = state.counts.made[call, default: 0] + 1
      state.counts.made[call] = ordinal
      guard let plan = state.plan, plan.call == call else { return (nil, nil) }
      guard ordinal == plan.ordinal || (plan.isForEver && ordinal > plan.ordinal) else { return (nil, nil) }
      state.counts.failed += 1
      return (plan.errorNumber, state.observer)
    }
    guard let errorNumber else { return false }
    observer?()
    errno = errorNumber
    return true
  }
}
