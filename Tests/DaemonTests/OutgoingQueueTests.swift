import LocationEngine
import LocationModel
import Testing

import LocationRuntime
@testable import LocationService

@Suite("What waits for a client that does not read")
struct OutgoingQueueTests {
  private func drain(_ queue: inout OutgoingQueue) -> [[UInt8]] {
    var sent: [[UInt8]] = []
    while let bytes = queue.next() {
      sent.append(Array(bytes))
      queue.didSend(bytes.count)
    }
    return sent
  }

  @Test("Of a manager's locations only the newest waits, and the client is told how many it missed")
  func staleLocations() {
    var queue = OutgoingQueue()
    for number in UInt8(1)...5 {
      let isKept = queue.push([number], kind: .location(manager: 1))
      #expect(isKept)
    }
    _ = queue.push([9], kind: .location(manager: 2))
    #expect(drain(&queue) == [WireFrame.encode(ServerMessage.locationsDropped(4)), [5], [9]])
    #expect(queue.isEmpty)
  }

  @Test("Of a manager's headings only the newest waits, beside its locations, and nothing is said of the others")
  func staleHeadings() {
    var queue = OutgoingQueue()
    for number in UInt8(1)...5 { _ = queue.push([number], kind: .heading(manager: 1)) }
    _ = queue.push([9], kind: .location(manager: 1))
    _ = queue.push([6], kind: .heading(manager: 1))
    #expect(drain(&queue) == [[9], [6]])
  }

  @Test("Nothing else is dropped, and all of it keeps its order; the 257th is one too many")
  func undroppable() {
    var queue = OutgoingQueue()
    for number in 0..<256 {
      let isKept = queue.push([UInt8(number)], kind: .undroppable)
      #expect(isKept)
    }
    let isKept = queue.push([0], kind: .undroppable)
    #expect(!isKept)
    #expect(drain(&queue) == (0..<256).map { [UInt8($0)] })
    let isKeptAgain = queue.push([0], kind: .undroppable)
    #expect(isKeptAgain)
  }

  @Test("Of snapshots in a row the newest waits; one before an event stays before it")
  func snapshots() {
    var queue = OutgoingQueue()
    for number in UInt8(1)...3 { _ = queue.push([number], kind: .snapshot) }
    _ = queue.push([4], kind: .undroppable)
    for number in UInt8(5)...6 { _ = queue.push([number], kind: .snapshot) }
    #expect(drain(&queue) == [[3], [4], [6]])
    _ = queue.push([7, 8], kind: .snapshot, alreadySent: 1)
    _ = queue.push([9], kind: .snapshot)
    #expect(drain(&queue) == [[8], [9]], "one that was begun is finished")
    for number in 0..<300 {
      let isKept = queue.push([UInt8(truncatingIfNeeded: number)], kind: .snapshot)
      #expect(isKept)
    }
  }

  @Test("Where its client is excused for not reading, everything waits")
  func unbounded() {
    var queue = OutgoingQueue()
    for _ in 0..<1_000 {
      let isKept = queue.push([1], kind: .undroppable, isBounded: false)
      #expect(isKept)
    }
    let isKept = queue.push([1], kind: .undroppable)
    #expect(!isKept)
    #expect(drain(&queue).count == 1_000)
  }

  @Test("A message of which a part has gone is finished before anything else, even a stale location")
  func partlySent() {
    var queue = OutgoingQueue()
    _ = queue.push([1, 2, 3], kind: .location(manager: 1), alreadySent: 1)
    _ = queue.push([4], kind: .location(manager: 1))
    _ = queue.push([5], kind: .location(manager: 1))
    #expect(queue.next() == [2, 3])
    queue.didSend(1)
    #expect(queue.next() == [3])
    queue.didSend(1)
    #expect(drain(&queue) == [WireFrame.encode(ServerMessage.locationsDropped(1)), [5]])
  }
}
