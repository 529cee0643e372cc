import Foundation

/// What a monitor keeps: its conditions, their last handled events, and the events on their way.
final class MonitorRecords: @unchecked Sendable {
  /// An event and the addition that it belongs to: an event of a condition that was replaced or removed is void.
  struct PendingEvent: Sendable {
    let event: CLMonitor.Event
    let addition: UInt64
  }

  private struct Entry {
    let identifier: String
    let condition: any CLCondition
    let addition: UInt64
    var lastEvent: CLMonitor.Event
  }

  private let lock = NSLock()
  private let queue = ElementQueue<PendingEvent>()
  private var entries: [Entry] = []
  private var lastAddition: UInt64 = 0

  var identifiers: [String] {
    lock.withLock { entries.map(\.identifier) }
  }

  func record(for identifier: String) -> CLMonitor.Record? {
    lock.withLock {
      entries.first { $0.identifier == identifier }
        .map { CLMonitor.Record(condition: $0.condition, lastEvent: $0.lastEvent) }
    }
  }

  /// Keeps the condition and says that nobody watches it: unless that is what the app assumes, it is an event
  /// (behaviour 9.33).
  func add(_ condition: any CLCondition, identifier: String, assuming state: CLMonitor.Event.State) {
    let now = Date()
    let addition = lock.withLock {
      lastAddition += 1
      let entry = Entry(
        identifier: identifier, condition: condition, addition: lastAddition,
        lastEvent: CLMonitor.Event(
          identifier: identifier, state: state, date: now,
          conditionUnsupported: state == .unmonitored))
      if let index = entries.firstIndex(where: { $0.identifier == identifier }) {
        entries[index] = entry
      } else {
        entries.append(entry)
      }
      return lastAddition
    }
    guard state != .unmonitored else { return }
    let event = CLMonitor.Event(
      identifier: identifier, state: .unmonitored, date: now, conditionUnsupported: true)
    queue.add(PendingEvent(event: event, addition: addition))
  }

  func remove(_ identifier: String) {
    lock.withLock { entries.removeAll { $0.identifier == identifier } }
  }

  /// The oldest event that still concerns a watched condition; nil when the task is cancelled.
  func nextEvent() async -> PendingEvent? {
    while let pending = await queue.next() {
      if concernsEntry(pending) { return pending }
    }
    return nil
  }

  /// The app has handled the event: the record shows it from now on.
  func settle(_ pending: PendingEvent) {
    lock.withLock {
      guard let index = entries.firstIndex(where: { $0.addition == pending.addition }) else { return }
      entries[index].lastEvent = pending.event
    }
  }

  private func concernsEntry(_ pending: PendingEvent) -> Bool {
    lock.withLock { entries.contains { $0.addition == pending.addition } }
  }
}
