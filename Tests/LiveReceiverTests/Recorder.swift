import Dispatch
import Foundation
import LinuxIO
import LocationModel
import LocationProviders
import XCTest

/// What a provider has said, and a way to wait for it with a deadline.
final class Recorder: Sendable {
  struct Record: Sendable {
    var fixes: [Fix] = []
    var states: [ReceiverState] = []
    var headings: [HeadingSample] = []
    var notices: [String] = []

    var unavailableCount: Int { states.filter { $0 == .unavailable }.count }
  }

  private let record = Locked(Record())
  private let bell = DispatchSemaphore(value: 0)

  init(_ provider: any LocationProvider) {
    provider.connect { [record, bell] event in
      record.withLock { record in
        switch event {
        case .fix(let fix): record.fixes.append(fix)
        case .state(let state): record.states.append(state)
        case .heading(let sample): record.headings.append(sample)
        case .headingAvailable: break
        case .notice(let sentence): record.notices.append(sentence)
        }
      }
      bell.signal()
    }
  }

  var current: Record { record.withLock { $0 } }

  /// Waits until what was said is as wished; a failure of the test, with all that was said, where it does not come.
  func wait(
    _ what: String, seconds: Double, file: StaticString = #filePath, line: UInt = #line,
    until isWished: (Record) -> Bool
  ) throws {
    let deadline = DispatchTime.now() + seconds
    while !isWished(current) {
      // What is wished may also show in the provider's status, or hang on a virtual clock that the test moves.
      if bell.wait(timeout: min(deadline, .now() + 0.02)) == .timedOut && .now() >= deadline && !isWished(current) {
        let record = current
        let heard = "\(record.fixes.count) fixes, \(record.states.suffix(8)), \(record.notices)"
        XCTFail(
          "\(what) did not come in \(seconds) s; \(heard)",
          file: file, line: line)
        throw Missing()
      }
    }
  }

  struct Missing: Error {}
}

/// Something that comes to pass on another thread.
final class Occurrence: Sendable {
  private let semaphore = DispatchSemaphore(value: 0)

  func happen() { semaphore.signal() }

  func wait(_ what: String, seconds: Double, file: StaticString = #filePath, line: UInt = #line) {
    if semaphore.wait(timeout: .now() + seconds) == .timedOut {
      XCTFail("\(what) did not come in \(seconds) s", file: file, line: line)
    }
  }
}
