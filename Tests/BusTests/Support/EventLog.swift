import Foundation
import XCTest

/// What happened, in order, with a way to wait for it that has a deadline and wastes no time.
final class EventLog<Event: Sendable>: @unchecked Sendable {
  private let condition = NSCondition()
  private var events: [Event] = []

  func add(_ event: Event) {
    condition.withLock {
      events.append(event)
      condition.broadcast()
    }
  }

  var all: [Event] { condition.withLock { events } }

  /// All events as soon as they are what is waited for; the test fails where they never are.
  @discardableResult
  func wait(
    _ what: String, seconds: Double = 10, file: StaticString = #filePath, line: UInt = #line,
    until isEnough: ([Event]) -> Bool
  ) -> [Event] {
    let limit = Date(timeIntervalSinceNow: seconds)
    return condition.withLock {
      while !isEnough(events) {
        if !condition.wait(until: limit) {
          XCTFail("waited \(seconds) s in vain for \(what); so far: \(events)", file: file, line: line)
          break
        }
      }
      return events
    }
  }
}

extension EventLog where Event: Equatable {
  @discardableResult
  func wait(
    for event: Event, count: Int = 1, seconds: Double = 10, file: StaticString = #filePath, line: UInt = #line
  ) -> [Event] {
    wait("\(count) × \(event)", seconds: seconds, file: file, line: line) { events in
      events.count { $0 == event } >= count
    }
  }
}
