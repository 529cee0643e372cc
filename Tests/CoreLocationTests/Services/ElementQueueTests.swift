@testable import CoreLocation
import Testing

@Suite("The queue behind the async API")
struct ElementQueueTests {
  @Test("elements come out in order, those before and those after the wait began")
  func order() async {
    let queue = ElementQueue<Int>("numbers")
    queue.add(1)
    queue.add(2)
    #expect(await queue.next() == 1)
    #expect(await queue.next() == 2)
    async let third = queue.next()
    queue.add(3)
    #expect(await third == 3)
  }

  @Test("every element goes to one of the waiting tasks, and each of them gets one")
  func severalWaiters() async {
    let queue = ElementQueue<Int>("numbers")
    let taken = await withTaskGroup(of: Int?.self) { group in
      for _ in 0..<50 { group.addTask { await queue.next() } }
      for number in 0..<50 { queue.add(number) }
      return await group.reduce(into: [Int?]()) { $0.append($1) }
    }
    #expect(taken.compactMap { $0 }.sorted() == Array(0..<50))
  }

  @Test("finishing ends every wait, and drops what is left")
  func finishing() async {
    let queue = ElementQueue<Int>("numbers")
    async let waiting = queue.next()
    queue.finish()
    #expect(await waiting == nil)
    queue.add(1)
    #expect(await queue.next() == nil)
    #expect(queue.isFinished)
  }

  @Test("a cancelled wait takes nothing")
  func cancelling() async {
    let queue = ElementQueue<Int>("numbers")
    let waiting = Task { await queue.next() }
    waiting.cancel()
    #expect(await waiting.value == nil)
    queue.add(7)
    #expect(await queue.next() == 7)
  }
}
