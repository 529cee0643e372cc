import Glibc
import LocationModel
import LocationProviders
import Testing

@Suite("Untimed points of a stream wait for a time only as long as the stream goes on (GX-02, GX-06)")
struct StreamLookAheadTests {
  private static let head = "<gpx><trk><trkseg>\n"
  private static func untimed(_ count: Int) -> String {
    String(repeating: "<trkpt lat='1' lon='2'/>\n", count: count)
  }

  /// The seconds since 1970 of the first fixes of a pipe into which `text` was written and that stays open.
  private func times(of count: Int, in text: String) throws -> [Int64] {
    var ends: [Int32] = [0, 0]
    try #require(pipe(&ends) == 0)
    defer { ends.forEach { close($0) } }
    let bytes = Array(text.utf8)
    try #require(write(ends[1], bytes, bytes.count) == bytes.count)
    let schedule = ReplaySchedule(try TrackReader(descriptor: ends[0], name: "pipe"))
    return try (0..<count).map { _ in
      try #require(try schedule.next()).fix.time.nanosecondsSince1970 / 1_000_000_000
    }
  }

  @Test("a stream that falls silent after untimed points plays them from 2001, a second each")
  func silentHead() throws {
    // date -u -d 2001-01-01T00:00:00Z +%s
    let epoch: Int64 = 978_307_200
    #expect(try times(of: 30, in: Self.head + Self.untimed(30)) == (0..<30).map { epoch + $0 })
  }

  @Test("untimed points behind a time play on from it when the stream falls silent")
  func silentTail() throws {
    // date -u -d 2026-05-04T08:00:00Z +%s
    let eight: Int64 = 1_777_881_600
    let timed = "<trkpt lat='1' lon='2'><time>2026-05-04T08:00:00Z</time></trkpt>"
    #expect(try times(of: 4, in: Self.head + timed + Self.untimed(3)) == (0...3).map { eight + $0 })
  }

  @Test("where the time comes with them they are counted back from it, pipe or not")
  func timedHead() throws {
    let eight: Int64 = 1_777_881_600
    let timed = "<trkpt lat='1' lon='2'><time>2026-05-04T08:00:00Z</time></trkpt>\n"
    #expect(try times(of: 4, in: Self.head + Self.untimed(3) + timed) == (-3...0).map { eight + $0 })
  }

  @Test("a first point is given while its pipe is silent, and a later time that is doubted, after half a second")
  func doubtedTimes() throws {
    let eight: Int64 = 1_777_881_600
    let point = "<trkpt lat='1' lon='2'><time>2026-05-04T08:00:00Z</time></trkpt>\n"
    let later = "<trkpt lat='1' lon='2'><time>2026-05-04T09:00:00Z</time></trkpt>\n"
    #expect(try times(of: 1, in: Self.head + point) == [eight])
    #expect(try times(of: 2, in: Self.head + point + later) == [eight, eight + 3600])
  }
}
