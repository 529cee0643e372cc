import Foundation
import LinuxIO
import LocationRuntime

/// Elements on their way to whoever awaits them, in order.
///
/// Any thread may add; several tasks may wait, each element goes to one of them. A cancelled wait ends with nil and
/// takes nothing from the others, which `AsyncStream` cannot do: there one cancelled task ends the stream for all.
/// What waits may be thinned out with every element that is added.
final class ElementQueue<Element: Sendable>: @unchecked Sendable {
  private typealias Waiter = (number: UInt64, continuation: CheckedContinuation<Element?, Never>)

  private let lock = NSLock()
  private var elements: [Element] = []
  private var waiters: [Waiter] = []
  private var lastNumber: UInt64 = 0
  private var hasFinished = false
  private let thinOut: @Sendable (inout [Element]) -> Void
  private let name: String
  private var register: ListenerRegister?
  private var listener: ListenerRegister.Listener?

  /// - Parameters:
  ///   - name: what is iterated over, for a person.
  ///   - thinOut: removes what need not wait any more, after each addition to what waits.
  init(_ name: String, thinOut: @escaping @Sendable (inout [Element]) -> Void = { _ in }) {
    self.name = name
    self.thinOut = thinOut
  }

  deinit {
    readerIsDone()
  }

  /// Whoever reads is one that virtual time waits for, if `register` is not nil.
  func tell(_ register: ListenerRegister?) {
    lock.withLock { self.register = register }
  }

  var isFinished: Bool {
    lock.withLock { hasFinished }
  }

  /// Elements added after `finish()` are dropped. Returns how many were dropped now.
  @discardableResult
  func add(_ element: Element) -> Int {
    let (waiter, dropped): (Waiter?, Int) = lock.withLock {
      guard !hasFinished else { return (nil, 1) }
      if !waiters.isEmpty {
        readerIsHanded()
        return (waiters.removeFirst(), 0)
      }
      elements.append(element)
      let count = elements.count
      thinOut(&elements)
      return (nil, count - elements.count)
    }
    waiter?.continuation.resume(returning: element)
    return dropped
  }

  /// Drops what waits to be taken, and returns how much it was. Every wait, now and later, ends with nil.
  @discardableResult
  func finish() -> Int {
    let (ended, dropped): ([Waiter], Int) = lock.withLock {
      hasFinished = true
      readerIsDone()
      defer {
        waiters = []
        elements = []
      }
      return (waiters, elements.count)
    }
    for waiter in ended { waiter.continuation.resume(returning: nil) }
    return dropped
  }

  /// The oldest element, as soon as there is one; nil when the task is cancelled or the queue finished.
  func next(isolation: isolated (any Actor)? = #isolation) async -> Element? {
    let number = lock.withLock {
      lastNumber += 1
      return lastNumber
    }
    return await withTaskCancellationHandler {
      // A closure stays on the caller's actor only where it names it.
      _ = isolation
      return await MainQueueExecutor.waitForContinuation(isolation: isolation) { continuation in
        wait(number, continuation)
      }
    } onCancel: {
      cancel(number)
    }
  }

  private func wait(_ number: UInt64, _ continuation: CheckedContinuation<Element?, Never>) {
    // A cancellation that came before is seen here; one that comes later finds the waiter in the list.
    let result: Element?? = lock.withLock {
      if hasFinished || Task.isCancelled {
        readerIsDone()
        return .some(nil)
      }
      readerAsks()
      if !elements.isEmpty {
        readerIsHanded()
        return .some(elements.removeFirst())
      }
      waiters.append((number, continuation))
      return nil
    }
    if let result { continuation.resume(returning: result) }
  }

  /// Whoever took the last element asks for no other. Virtual time waits no longer for it; others may be waiting.
  func readerHasLeft() {
    lock.withLock { if waiters.isEmpty { readerIsDone() } else { readerAsks() } }
  }

  // MARK: The reader, told under the lock and before it can run on

  private func readerAsks() {
    guard let register else { return }
    let listener = listener ?? register.begin(name)
    self.listener = listener
    register.asks(listener)
  }

  private func readerIsHanded() {
    if let listener { register?.isHanded(listener) }
  }

  private func readerIsDone() {
    if let listener { register?.ended(listener) }
    listener = nil
  }

  private func cancel(_ number: UInt64) {
    let waiter: Waiter? = lock.withLock {
      guard let index = waiters.firstIndex(where: { $0.number == number }) else { return nil }
      readerIsDone()
      return waiters.remove(at: index)
    }
    waiter?.continuation.resume(returning: nil)
  }
}
