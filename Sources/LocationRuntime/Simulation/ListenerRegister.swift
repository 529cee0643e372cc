import LinuxIO
import LocationModel

/// Which tasks iterate over something of a simulated device, and which of them are still at work with what they were
/// handed: virtual time stands still until these have come back.
///
/// A listener is one iteration. It is at work from being handed an element until it asks for the next one, ends, or its
/// task sleeps on the device's clock. A task that only sleeps on that clock, or has left its iteration, is at work from
/// being woken until it sleeps again, asks for an element, or ends; where it was a child of another task its end may
/// let that one go on, which is at work then. One that waits for something else does not come back: after a while it is
/// waited for no longer.
package final class ListenerRegister: Sendable {
  package struct Listener: Hashable, Sendable {
    fileprivate let number: UInt64
  }

  private struct Entry {
    let name: String
    var task: RunningTask
    var isAtWork = false
    var elementCount = 0
  }

  private struct Sleep {
    let task: RunningTask
    let end: Instant
  }

  /// A task that goes on by itself, and what may come of it.
  private struct Wake {
    /// The task, then those that its end may let go on, as far as none of them has come back.
    var tasks: [RunningTask.Number]
    let words: String
    let sinceTick: UInt64
  }

  private struct Wait {
    let number: UInt64
    let sinceTick: UInt64
    let isOver: (State) -> Bool
    let continuation: CheckedContinuation<Bool, Never>
  }

  private struct State {
    var listeners: [Listener: Entry] = [:]
    var sleeping: [RunningTask.Number: Sleep] = [:]
    var wakes: [Wake] = []
    /// Tasks whose ends will be told.
    var watched: Set<RunningTask.Number> = []
    var waits: [Wait] = []
    var lastNumber: UInt64 = 0
    var ticks: UInt64 = 0

    mutating func nextNumber() -> UInt64 {
      lastNumber += 1
      return lastNumber
    }

    func isAtWork(_ entry: Entry) -> Bool { entry.isAtWork && sleeping[entry.task.number] == nil }
    /// It waits for something that only the device can give.
    func waits(_ task: RunningTask.Number) -> Bool {
      sleeping[task] != nil || listeners.values.contains { !$0.isAtWork && $0.task.number == task }
    }
    /// But for the task that moves time itself, which cannot come back before time has moved, and what waits for it.
    func areAllBack(but mover: RunningTask.Number) -> Bool {
      wakes.allSatisfy { $0.tasks.first == mover }
        && !listeners.values.contains { isAtWork($0) && $0.task.number != mover }
    }
    var waitingCount: Int { listeners.values.count { !$0.isAtWork } + sleeping.count }

    mutating func wake(_ task: RunningTask) {
      let goesOn = task.ancestors.prefix { !waits($0) }
      wakes.append(Wake(tasks: [task.number] + goesOn, words: task.words, sinceTick: ticks))
    }

    /// It waits for the device again, and those above it do not wait for its end.
    mutating func isBack(_ task: RunningTask.Number) {
      changeWakes(of: task) { tasks, index in tasks.removeSubrange(index...) }
    }

    /// And with it every task of its scope.
    mutating func hasEnded(_ task: RunningTask.Number) {
      watched.remove(task)
      changeWakes(of: task) { tasks, index in tasks.removeSubrange(...index) }
    }

    private mutating func changeWakes(
      of task: RunningTask.Number, _ change: (inout [RunningTask.Number], Int) -> Void
    ) {
      for index in wakes.indices {
        if let position = wakes[index].tasks.firstIndex(of: task) { change(&wakes[index].tasks, position) }
      }
      wakes.removeAll { $0.tasks.isEmpty }
    }
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

  /// The ends of the running task and of those above it will be told, where that can be.
  private func watch(_ task: RunningTask) {
    for number in [task.number] + task.ancestors {
      guard state.withLock({ $0.watched.insert(number).inserted }) else { continue }
      let isTold = RunningTask.whenEnds(number) { [weak self] in self?.change { $0.hasEnded(number) } }
      if !isTold { state.withLock { _ = $0.watched.remove(number) } }
    }
  }

  // MARK: Listeners

  /// An iteration has begun; `name` is for a person who asks which one hangs.
  package func begin(_ name: String) -> Listener {
    let task = RunningTask.current
    watch(task)
    return change { state in
      let listener = Listener(number: state.nextNumber())
      state.listeners[listener] = Entry(name: name, task: task)
      return listener
    }
  }

  /// It asks for an element, and waits for it.
  package func asks(_ listener: Listener) {
    let task = RunningTask.current
    watch(task)
    change { state in
      state.listeners[listener]?.task = task
      state.listeners[listener]?.isAtWork = false
      state.isBack(task.number)
    }
  }

  /// It gets an element: at once, or after it has waited.
  package func isHanded(_ listener: Listener) {
    change { state in
      state.listeners[listener]?.isAtWork = true
      state.listeners[listener]?.elementCount += 1
    }
  }

  /// Its task goes on behind the loop.
  package func ended(_ listener: Listener) {
    change { state in
      guard let entry = state.listeners.removeValue(forKey: listener) else { return }
      let task = entry.task.number
      if state.watched.contains(task), !state.waits(task) { state.wake(entry.task) }
    }
  }

  // MARK: Sleepers

  /// The running task sleeps until `end`. Time may go on from here.
  package func sleeps(_ task: RunningTask, until end: Instant) {
    change { state in
      state.sleeping[task.number] = Sleep(task: task, end: end)
      state.isBack(task.number)
    }
  }

  /// To be called before the task that will sleep does.
  package func willSleep(_ task: RunningTask) { watch(task) }

  /// To be called before the task can run on.
  package func wakes(_ task: RunningTask) {
    change { state in
      state.sleeping[task.number] = nil
      // One that iterates is waited for as a listener.
      if !state.listeners.values.contains(where: { $0.isAtWork && $0.task.number == task.number }) {
        state.wake(task)
      }
    }
  }

  // MARK: Waiting

  package var isEmpty: Bool { state.withLock { $0.listeners.isEmpty && $0.sleeping.isEmpty } }

  /// What is said of those that are at work, in order.
  package var atWork: [String] {
    state.withLock { state in
      state.listeners.values.filter { state.isAtWork($0) }.map { entry in
        "\(entry.task.words) that iterates over \(entry.name) has not come back from element \(entry.elementCount)"
      }.sorted() + state.wakes.map { "\($0.words) that has slept or iterated has not come back" }
    }
  }

  /// What is said of those that wait for something of the device, in order.
  package var waiting: [String] {
    state.withLock { state in
      state.listeners.values.filter { !$0.isAtWork }.map { "\($0.task.words) iterates over \($0.name)" }.sorted()
        + state.sleeping.values.sorted { $0.end < $1.end }.map { sleep in
          "\(sleep.task.words) sleeps on device.clock until \(sleep.end.seconds(since: .zero)) s"
        }
    }
  }

  /// Waits until every other task is back; false where `giveUp` was called for it.
  package func areAllBack(isolation: isolated (any Actor)? = #isolation) async -> Bool {
    let mover = RunningTask.current.number
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
      state.wakes.removeAll { now - $0.sinceTick >= wokenTicks }
      let ended = state.waits.filter { now - $0.sinceTick >= ticks }
      state.waits.removeAll { wait in ended.contains { $0.number == wait.number } }
      return ended
    }
    for wait in ended { wait.continuation.resume(returning: false) }
  }
}

extension RunningTask {
  /// As a sentence names it.
  fileprivate var words: String { name.map { "the task \"\($0)\"" } ?? "a task" }
}
