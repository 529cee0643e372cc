import LinuxIO

/// Which tasks iterate over something of a simulated device, and which of them are still at work with what they were
/// handed: virtual time stands still until these have come back.
///
/// A listener is one iteration. It is at work from being handed an element until it asks for the next one, ends, or its
/// task sleeps on the device's clock. A task that only sleeps on that clock is at work from being woken until it sleeps
/// again, asks for an element, or ends. One that waits for something else then does not come back: after a while it is
/// waited for no longer.
package final class ListenerRegister: Sendable {
  package struct Listener: Hashable, Sendable {
    fileprivate let number: UInt64
  }

  /// Which task it is, as far as that can be told: only ever compared.
  package typealias TaskNumber = Int

  private struct Entry {
    let name: String
    var task: TaskNumber
    var isAtWork = false
  }

  private struct Wait {
    let number: UInt64
    let sinceTick: UInt64
    let isOver: (State) -> Bool
    let continuation: CheckedContinuation<Bool, Never>
  }

  private struct State {
    var listeners: [Listener: Entry] = [:]
    var sleeping: [TaskNumber: Int] = [:]
    /// Since which tick.
    var woken: [TaskNumber: UInt64] = [:]
    var waits: [Wait] = []
    var lastNumber: UInt64 = 0
    var ticks: UInt64 = 0

    mutating func nextNumber() -> UInt64 {
      lastNumber += 1
      return lastNumber
    }

    func isAtWork(_ entry: Entry) -> Bool { entry.isAtWork && sleeping[entry.task] == nil }
    /// But for the task that moves time itself: it cannot come back before time has moved.
    func areAllBack(but mover: TaskNumber) -> Bool {
      woken.allSatisfy { $0.key == mover } && !listeners.values.contains { isAtWork($0) && $0.task != mover }
    }
    var waitingCount: Int { listeners.values.count { !$0.isAtWork } + sleeping.count }
  }

  private let state = Locked(State())

  package init() {}

  private func change<Result>(_ body: (inout State) -> Result) -> Result {
    let (result, ended) = state.withLock { state in
      let result = body(&state)
      guard !state.waits.isEmpty else { return (result, [Wait]()) }
      let ended = state.waits.filter { $0.isOver(state) }
      if !ended.isEmpty { state.waits.removeAll { wait in ended.contains { $0.number == wait.number } } }
      return (result, ended)
    }
    for wait in ended { wait.continuation.resume(returning: true) }
    return result
  }

  /// The task that runs this; 0 outside every task.
  package static var currentTask: TaskNumber { withUnsafeCurrentTask { $0?.hashValue ?? 0 } }

  // MARK: Listeners

  /// An iteration has begun; `name` is for a person who asks which one hangs.
  package func begin(_ name: String) -> Listener {
    change { state in
      let listener = Listener(number: state.nextNumber())
      state.listeners[listener] = Entry(name: name, task: Self.currentTask)
      return listener
    }
  }

  /// It asks for an element, and waits for it.
  package func asks(_ listener: Listener) {
    let task = Self.currentTask
    change { state in
      state.listeners[listener]?.task = task
      state.listeners[listener]?.isAtWork = false
      state.woken[task] = nil
    }
  }

  /// It gets an element: at once, or after it has waited.
  package func isHanded(_ listener: Listener) {
    change { $0.listeners[listener]?.isAtWork = true }
  }

  package func ended(_ listener: Listener) {
    change { _ = $0.listeners.removeValue(forKey: listener) }
  }

  // MARK: Sleepers

  package func sleeps(_ task: TaskNumber) {
    change { state in
      state.sleeping[task, default: 0] += 1
      state.woken[task] = nil
    }
  }

  /// To be called before the task can run on.
  package func wakes(_ task: TaskNumber) {
    change { state in
      let count = state.sleeping[task, default: 1] - 1
      state.sleeping[task] = count > 0 ? count : nil
      // One that iterates is waited for as a listener.
      if !state.listeners.values.contains(where: { $0.isAtWork && $0.task == task }) { state.woken[task] = state.ticks }
    }
  }

  /// It has ended. A later task may have its number.
  package func hasEnded(_ task: TaskNumber) {
    change { $0.woken[task] = nil }
  }

  // MARK: Waiting

  package var isEmpty: Bool { state.withLock { $0.listeners.isEmpty && $0.sleeping.isEmpty } }

  /// The names of those that are at work.
  package var atWork: [String] {
    state.withLock { state in state.listeners.values.filter { state.isAtWork($0) }.map(\.name).sorted() }
  }

  /// Waits until every other task is back; false where `giveUp` was called for it.
  package func areAllBack(isolation: isolated (any Actor)? = #isolation) async -> Bool {
    let mover = Self.currentTask
    return await wait { $0.areAllBack(but: mover) }
  }

  /// Waits until at least so many listeners and sleepers wait; false where `giveUp` was called for it.
  package func areWaiting(_ count: Int, isolation: isolated (any Actor)? = #isolation) async -> Bool {
    await wait { $0.waitingCount >= count }
  }

  private func wait(
    isolation: isolated (any Actor)? = #isolation, until isOver: @escaping (State) -> Bool
  ) async -> Bool {
    await MainQueueExecutor.waitForContinuation(isolation: isolation) { continuation in
      let isOverAlready = change { state -> Bool in
        if isOver(state) { return true }
        let wait = Wait(
          number: state.nextNumber(), sinceTick: state.ticks, isOver: isOver,
          continuation: continuation)
        state.waits.append(wait)
        return false
      }
      if isOverAlready { continuation.resume(returning: true) }
    }
  }

  /// Some time has passed in which tasks had their turns. Ends the waits that have lasted so many of these, and those
  /// for tasks that were woken so long ago.
  package func tick(givingUpAfter ticks: UInt64, onWokenAfter wokenTicks: UInt64) {
    let ended = change { state -> [Wait] in
      state.ticks += 1
      let now = state.ticks
      state.woken = state.woken.filter { now - $0.value < wokenTicks }
      let ended = state.waits.filter { now - $0.sinceTick >= ticks }
      state.waits.removeAll { wait in ended.contains { $0.number == wait.number } }
      return ended
    }
    for wait in ended { wait.continuation.resume(returning: false) }
  }
}
