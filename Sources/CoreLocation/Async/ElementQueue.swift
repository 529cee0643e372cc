import Foundation

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

  /// - Parameter thinOut: removes what need not wait any more, after each addition to what waits.
  init(thinOut: @escaping @Sendable (inout [Element]) -> Void = { _ in }) {
    self.thinOut = thinOut
  }

  var isFinished: Bool {
    lock.withLock { hasFinished }
  }

  /// Elements added after `finish()` are dropped. Returns how many were dropped now.
  @discardableResult
  func add(_ element: Element) -> Int {
    let (waiter, dropped): (Waiter?, Int) = lock.withLock {
      guard !hasFinished else { return (nil, 1) }
      if !waiters.isEmpty { return (waiters.removeFirst(), 0) }
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
  func next() async -> Element? {
    let number = lock.withLock {
      lastNumber += 1
      return lastNumber
    }
    return await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        wait(number, continuation)
      }
    } onCancel: {
      cancel(number)
    }
  }

  private func wait(_ number: UInt64, _ continuation: CheckedContinuation<Element?, Never>) {
    // A cancellation that came before is seen here; one that comes later finds the waiter in the list.
    let result: Element?? = lock.withLock {
      if hasFinished || Task.isCancelled { return .some(nil) }
      if !elements.isEmpty { return .some(elements.removeFirst()) }
      waiters.append((number, continuation))
      return nil
    }
    if let result { continuation.resume(returning: result) }
  }

  private func cancel(_ number: UInt64) {
    let waiter: Waiter? = lock.withLock {
      guard let index = waiters.firstIndex(where: { $0.number == number }) else { return nil }
      return waiters.remove(at: index)
    }
    waiter?.continuation.resume(returning: nil)
  }
}
