import LocationFormats
import LocationModel
import LocationProviders
import Testing

@Suite("A recording can be looked into before it is played")
struct ReplayPeekTests {
  private static func point(_ latitude: Double, seconds: Double) -> TrackPoint {
    TrackPoint(
      coordinate: Coordinate(latitude: latitude, longitude: 0), time: WallTime(secondsSince1970: seconds))
  }

  @Test("peek gives the first fix as often as it is asked, and next gives it again, once")
  func peek() throws {
    let schedule = ReplaySchedule(
      points: [Self.point(1, seconds: 100), Self.point(2, seconds: 103)], name: "track")
    for _ in 0..<2 {
      let first = try #require(try schedule.peek())
      #expect(first.fix.time == WallTime(secondsSince1970: 100) && first.offsetNanoseconds == 0)
    }
    #expect(try schedule.next()?.fix.coordinate.latitude == 1)
    #expect(try schedule.peek()?.fix.coordinate.latitude == 2)
    #expect(try schedule.next()?.offsetNanoseconds == 3_000_000_000)
    #expect(try schedule.peek() == nil)
    #expect(try schedule.next() == nil)
  }

  @Test("a speed that plays nothing in a lifetime, or everything at once, is refused", arguments: ["1e-7", "1e7", "0"])
  func paces(text: String) {
    #expect(throws: SourceSpecification.Failure.self) { try PlaybackOptions.pace(text) }
    #expect(throws: Never.self) { try PlaybackOptions.pace("0.000001") }
    #expect(throws: Never.self) { try PlaybackOptions.pace("1000000") }
  }
}
