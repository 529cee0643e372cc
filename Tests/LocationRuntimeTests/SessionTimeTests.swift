import LocationFormats
import LocationModel
import LocationProviders
import LocationRuntime
import Testing

@Suite("The time of a session that plays a recording")
struct SessionTimeTests {
  @Test("a recording's clock never steps back, though a late point finds it ahead")
  func monotonic() {
    let clock = RecordingClock(speed: 1)
    let noon = WallTime(secondsSince1970: 43_200)
    clock.recordingReached(noon)
    let before = clock.wallTime
    #expect(before >= noon && before < noon.advanced(bySeconds: 3_600))
    clock.recordingReached(noon.advanced(bySeconds: -7_200))
    #expect(clock.wallTime >= before)
    clock.recordingReached(noon.advanced(bySeconds: 3_600))
    #expect(clock.wallTime >= noon.advanced(bySeconds: 3_600))
  }

  @Test("a virtual run stops at the last alarm instead of leaping to its end")
  func runStops() {
    let clock = VirtualClock(wallStart: WallTime(secondsSince1970: 0))
    let host = SimulatedHost(clock: clock, provider: AbsentProvider(advice: ""), log: { _ in })
    let alarms = [2.0, 5, 9].map { seconds in
      let alarm = clock.makeAlarm {}
      alarm.set(Instant.zero.advanced(bySeconds: seconds))
      return alarm
    }
    host.run(until: .zero.advanced(bySeconds: 6)) { false }
    #expect(clock.now == Instant.zero.advanced(bySeconds: 5))
    host.run(until: Instant(nanoseconds: .max)) { true }
    #expect(clock.now == Instant.zero.advanced(bySeconds: 5))
    host.run(until: Instant(nanoseconds: .max)) { false }
    #expect(clock.now == Instant.zero.advanced(bySeconds: 9))
    withExtendedLifetime(alarms) {}
  }

  @Test("at its own pace a recording of decades is due to the nanosecond")
  func exactDue() {
    let start = WallTime(nanosecondsSince1970: 0)
    // As a double of seconds this offset would be some 0.1 us off.
    let offset: Int64 = 900_000_000_123_456_789
    let points = [start, start.advanced(byNanoseconds: offset)].map {
      TrackPoint(coordinate: Coordinate(latitude: 1, longitude: 2), time: $0)
    }
    let clock = VirtualClock(wallStart: start)
    let provider = ReplayProvider(
      schedule: ReplaySchedule(points: points, name: "track"), clock: clock, pace: .speed(1), stamping: .recording)
    provider.connect { _ in }
    provider.setDemand(ReceiverDemand(accuracy: .best))
    while let next = clock.nextDeadline { _ = clock.ringNext(until: next) }
    #expect(clock.now.nanoseconds == offset)
  }
}
