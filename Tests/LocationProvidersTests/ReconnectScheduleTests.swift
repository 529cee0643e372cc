import LocationModel
import Testing

@testable import LocationProviders

@Suite("When a lost source is tried again")
struct ReconnectScheduleTests {
  private func at(_ seconds: Double) -> Instant { Instant.zero.advanced(bySeconds: seconds) }

  @Test("a local address is tried at once, and then every second")
  func local() {
    var schedule = ReconnectSchedule(.local, seed: 1)
    schedule.want(at: at(5))
    #expect(schedule.nextAttempt == at(5))
    for second in 5..<100 {
      schedule.attempt()
      #expect(schedule.nextAttempt == nil)
      schedule.fail(at: at(Double(second)))
      #expect(schedule.nextAttempt == at(Double(second) + 1))
    }
  }

  @Test("with no demand nothing is tried, whatever happens")
  func noDemand() {
    var schedule = ReconnectSchedule(.remote, seed: 1)
    #expect(schedule.nextAttempt == nil)
    schedule.fail(at: at(1))
    schedule.deviceCame(at: at(1))
    #expect(schedule.nextAttempt == nil)
    schedule.want(at: at(2))
    schedule.unwant()
    #expect(schedule.nextAttempt == nil)
    schedule.fail(at: at(3))
    #expect(schedule.nextAttempt == nil)
  }

  @Test("a remote address is tried after 1 to 2 s, 2 to 4 s, ... up to 30 to 60 s", arguments: 0..<50 as Range<UInt64>)
  func remote(seed: UInt64) throws {
    var schedule = ReconnectSchedule(.remote, seed: seed)
    schedule.want(at: at(0))
    let ranges = [1.0...2, 2...4, 4...8, 8...16, 16...32, 30...60, 30...60, 30...60]
    for range in ranges {
      schedule.attempt()
      schedule.fail(at: at(0))
      let delay = try #require(schedule.nextAttempt).seconds(since: .zero)
      #expect(range.contains(delay), "seed \(seed): \(delay) s")
    }
    schedule.succeed()
    schedule.fail(at: at(0))
    #expect((1.0...2).contains(try #require(schedule.nextAttempt).seconds(since: .zero)))
  }

  @Test("the seed alone decides the jitter, and seeds differ")
  func jitter() {
    func delays(_ seed: UInt64) -> [Instant?] {
      var schedule = ReconnectSchedule(.remote, seed: seed)
      schedule.want(at: at(0))
      return (0..<10).map { _ in
        schedule.fail(at: at(0))
        return schedule.nextAttempt
      }
    }
    #expect(delays(7) == delays(7))
    #expect(Set((0..<20).map { delays($0) }).count == 20)
  }

  @Test("a missing device is waited for, and tried when it comes")
  func device() {
    var schedule = ReconnectSchedule(.local, seed: 1)
    schedule.want(at: at(0))
    schedule.attempt()
    schedule.fail(at: at(0))
    schedule.waitForDevice()
    #expect(schedule.nextAttempt == nil)
    schedule.deviceCame(at: at(9))
    #expect(schedule.nextAttempt == at(9))
  }
}

@Suite("The speed of a serial receiver")
struct SpeedSearchTests {
  private func at(_ seconds: Double) -> Instant { Instant.zero.advanced(bySeconds: seconds) }

  @Test("silence and garbage lead through all speeds and round again")
  func order() {
    var search = SpeedSearch(known: nil)
    search.begin(at: at(0))
    #expect(search.speed == .baud9600)
    #expect(search.expire(at: at(2)) == nil)
    #expect(search.expire(at: at(2.2)) == .baud4800)
    // 513 bytes without a sentence.
    #expect(search.hear(byteCount: 400, sentenceCount: 0, at: at(3)) == nil)
    #expect(search.hear(byteCount: 113, sentenceCount: 0, at: at(3)) == .baud38400)
    #expect(search.deadline == at(3 + SpeedSearch.listenSeconds))
    let rest = (0..<4).map { search.expire(at: at(10 + Double($0) * 10)) }
    #expect(rest == [.baud115200, .baud57600, .baud19200, .baud9600])
  }

  @Test("a sentence with a right checksum settles it, until much garbage says that the receiver has changed")
  func found() {
    var search = SpeedSearch(known: .baud38400)
    search.begin(at: at(0))
    #expect(search.hear(byteCount: 100, sentenceCount: 1, at: at(1)) == nil)
    #expect(search.isFound && search.speed == .baud38400 && search.deadline == nil)
    #expect(search.expire(at: at(100)) == nil)
    #expect(search.hear(byteCount: 4096, sentenceCount: 0, at: at(101)) == nil)
    #expect(search.hear(byteCount: 1, sentenceCount: 0, at: at(102)) == .baud115200)
    #expect(!search.isFound)
  }
}
