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

  private static func standing(refresh isOn: Bool) -> LifeEvent {
    .began(
      LifeStanding(state: .foreground, cause: .person, backgroundTimeEnds: nil, allowsBackgroundRefresh: isOn))
  }

  private static func hearing() -> (ToldAppLife, Locked<[AppLifeEvent]>) {
    let life = ToldAppLife(launchReason: .person, now: { instant(100) })
    let heard = Locked<[AppLifeEvent]>([])
    life.connect { event in heard.withLock { $0.append(event) } }
    return (life, heard)
  }

  @Test("That background refresh is off at a launch is no change; what another service says of it later is one (3.11)")
  func firstStanding() {
    let (life, heard) = Self.hearing()
    life.heard(Self.standing(refresh: false))
    #expect(heard.withLock { $0 } == [])
    #expect(life.readBackgroundRefresh() == .denied)
    life.heard(Self.standing(refresh: false))
    #expect(heard.withLock { $0 } == [], "the same again")
    life.heard(Self.standing(refresh: true))
    #expect(heard.withLock { $0 } == [.backgroundRefreshChanged])
    life.heard(.backgroundRefreshChanged(isOn: false))
    #expect(heard.withLock { $0 } == [.backgroundRefreshChanged, .backgroundRefreshChanged])
  }

  @Test("An app that has read that background refresh is on before it was told hears that it is off (behaviour 3.11)")
  func readBeforeToldOtherwise() {
    let (life, heard) = Self.hearing()
    #expect(life.readBackgroundRefresh() == .available)
    life.heard(Self.standing(refresh: false))
    #expect(heard.withLock { $0 } == [.backgroundRefreshChanged])
  }

  @Test("Of a process's background tasks so many are begun, and no service hears of the next one until one has ended")
  func tasksOfOneProcess() {
    let (life, _) = Self.hearing()
    let words = Locked(0)
    life.attach { _ in words.withLock { $0 += 1 } }
    for number in 1...1_000 { #expect(life.beginTask(UInt64(number), named: nil)) }
    #expect(!life.beginTask(1_001, named: nil))
    #expect(words.withLock { $0 } == 1_000)
    life.endTask(1)
    #expect(life.beginTask(1_002, named: nil))
  }
}
