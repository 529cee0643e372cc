import LinuxIO
import LocationEngine
import LocationModel
import LocationRuntime
import Testing

@Suite("What an app knows of its life before and after it is told")
struct ToldAppLifeTests {
  private static func instant(_ seconds: Int64) -> Instant { Instant(nanoseconds: seconds * 1_000_000_000) }

  @Test("An app that was started for an event has its ten seconds before its service's first word (behaviour 3.6, 3.8)")
  func timeForAnEvent() {
    let now = Locked(Self.instant(100))
    let life = ToldAppLife(launchReason: .location, now: { now.withLock { $0 } })
    #expect(life.snapshot.backgroundSecondsRemaining == 10)
    now.withLock { $0 = Self.instant(104) }
    #expect(life.snapshot.backgroundSecondsRemaining == 6)
    // The service counts from its own start of the process, and what it says counts.
    life.heard(
      .began(
        LifeStanding(
          state: .background, cause: .event, backgroundTimeEnds: Self.instant(109), allowsBackgroundRefresh: true)))
    #expect(life.snapshot.backgroundSecondsRemaining == 5)
    life.heard(.backgroundTimeChanged(ends: nil))
    #expect(life.snapshot.backgroundSecondsRemaining == nil, "updates run without end")
  }

  @Test("An app that a person has started has no end of its time")
  func openedByPerson() {
    let life = ToldAppLife(launchReason: .person, now: { Self.instant(100) })
    #expect(life.snapshot.backgroundSecondsRemaining == nil)
  }
}
