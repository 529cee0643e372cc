import LinuxIO
import LocationFormats
import LocationModel
import Testing

@testable import LocationProviders

@Suite("A receiver that speaks NMEA, live")
struct NMEAConversationTests {
  /// Feeds pieces a tenth of a second apart, and lets the pauses between them end.
  private struct Line {
    var conversation: NMEAConversation
    var now = Instant.zero
    var wall: WallTime
    var reports: [ReceiverReport] = []

    init(_ conversation: NMEAConversation = NMEAConversation(), secondsSince1970: Double) {
      self.conversation = conversation
      wall = WallTime(secondsSince1970: secondsSince1970)
      self.conversation.begin(at: arrival, &reports)
    }

    private var arrival: Arrival { Arrival(instant: now, wallTime: wall) }

    /// A cycle of pieces at once, and the time until the next, in which no timer rings that nobody has asked for.
    mutating func hear(_ pieces: String...) {
      for piece in pieces {
        Array(piece.utf8).withUnsafeBytes { conversation.receive($0, at: arrival, &reports) }
      }
      let rings = conversation.deadline
      now = now.advanced(bySeconds: 0.1)
      wall = wall.advanced(bySeconds: 0.1)
      if rings != nil { conversation.expire(at: arrival, &reports) }
    }

    mutating func feed(_ pieces: String...) {
      for piece in pieces {
        Array(piece.utf8).withUnsafeBytes { conversation.receive($0, at: arrival, &reports) }
      }
      now = now.advanced(bySeconds: 0.1)
      wall = wall.advanced(bySeconds: 0.1)
      conversation.expire(at: arrival, &reports)
    }

    var fixes: [Fix] { reports.compactMap { if case .fix(let fix) = $0 { fix } else { nil } } }
    var noFixCount: Int { reports.filter { if case .noFix = $0 { true } else { false } }.count }
    var aliveCount: Int { reports.filter { if case .alive = $0 { true } else { false } }.count }
  }

  // Dates by date(1): 2026-04-08T12:00:00Z, 2025-06-05T10:15:00Z.
  private static let april2026 = 1_775_649_600.0
  private static let june2025 = 1_749_118_500.0

  @Test(
    "a week number that began again is put right, whatever the machine's clock says (case NM-01)",
    arguments: [april2026, 0])
  func rollover(clock: Double) throws {
    var line = Line(secondsSince1970: clock)
    line.feed("$GPRMC,120000.00,A,4730.0000,N,01912.0000,E,0.0,0.0,230806,,,A*59\r\n")
    #expect(line.fixes.map(\.time.secondsSince1970) == [Self.april2026])
  }

  @Test(
    "Once the end of a cycle is known nobody is woken to wait for it, and what comes before the time is its cycle's")
  func wholeCycles() {
    var line = Line(secondsSince1970: Self.june2025)
    var rings: [Bool] = []
    for second in 0...5 {
      // The satellites in use come first, and say nothing of the time.
      let active = NMEAText.sentence("GPGSA,A,3,01,02,03,04,,,,,,,,,\(second + 1).8,\(second + 1).0,1.5")
      let place = NMEAText.sentence("GPGGA,10150\(second).00,4730.0000,N,01912.0000,E,1,08,,100.0,M,40.0,M,,")
      let motion = NMEAText.sentence("GPRMC,10150\(second).00,A,4730.0000,N,01912.0000,E,1.0,0.0,050625,,,A")
      line.hear(active, place, motion)
      rings.append(line.conversation.deadline != nil)
    }
    #expect(line.fixes.count == 6)
    #expect(rings == [true, true, false, false, false, false] || rings == [false, false, false, false, false, false])
    // Of each cycle's own dilution: the accuracy grows from one to the next.
    let accuracies = line.fixes.compactMap(\.horizontalAccuracyMeters)
    #expect(accuracies.count == 6 && zip(accuracies, accuracies.dropFirst()).allSatisfy(<))
  }

  private enum NMEAText {
    static func sentence(_ body: String) -> String {
      let sum = String(body.utf8.reduce(0, ^), radix: 16, uppercase: true)
      return "$\(body)*\(sum.count == 1 ? "0" : "")\(sum)\r\n"
    }
  }

  @Test("no fix is no location, and empty fields are no zeros (case NM-04)")
  func noFix() throws {
    var line = Line(secondsSince1970: Self.june2025)
    line.feed("$GPRMC,,V,,,,,,,,,,N*53\r\n")
    line.feed("$GPRMC,101500.00,V,,,,,,,050625,,,N*7C\r\n", "$GPGGA,101500.00,,,,,0,00,99.99,,,,,,*63\r\n")
    #expect(line.fixes.isEmpty)
    #expect(line.noFixCount > 0 && line.aliveCount > 0)
    line.feed("$GPRMC,101503.00,A,4730.0030,N,01912.0000,E,,,050625,,,A*54\r\n")
    let fix = try #require(line.fixes.first)
    #expect(line.fixes.count == 1)
    #expect(fix.speedMetersPerSecond == nil && fix.courseDegrees == nil)
  }

  @Test("halves of sentences, lone CR, and a begun sentence in another's place (case NM-07)")
  func pieces() {
    // 2025-01-01T00:00:00Z, before which this receiver measures nothing.
    let floor = WallTime(secondsSince1970: 1_735_689_600)
    var line = Line(NMEAConversation(dateFloor: floor), secondsSince1970: Self.june2025)
    line.feed("$GPRMC,101500.00,A,4730.0000,N,0")
    #expect(line.reports.isEmpty, "nothing before the first end")
    line.feed("1912.0000,E,3.2,90.0,050625,,,A*6C\r")
    line.feed("\n$GPRMC,10$GPRMC,101501,A,4730.0010,N,01912.0000,E,3.2,90.0,050625,,,A*42\r")
    #expect(line.fixes.map { $0.time.secondsSince1970 - Self.june2025 } == [0, 1])
    #expect(line.conversation.malformedCount == 1)
  }

  @Test("a datagram ends its last sentence")
  func datagram() {
    var line = Line(NMEAConversation(endsPieces: true), secondsSince1970: Self.june2025)
    line.feed("$GPRMC,101503.00,A,4730.0030,N,01912.0000,E,,,050625,,,A*54")
    #expect(line.fixes.count == 1)
  }

  @Test("a sentence that is cut over datagrams of 32 bytes goes on in the next (case NM-07)")
  func cutDatagrams() {
    var line = Line(NMEAConversation(endsPieces: true), secondsSince1970: Self.june2025)
    for sentence in [
      "$GPRMC,101503.00,A,4730.0030,N,01912.0000,E,,,050625,,,A*54\r\n",
      "$GPRMC,101501,A,4730.0010,N,01912.0000,E,3.2,90.0,050625,,,A*42\r\n",
    ] {
      var rest = sentence[...]
      while !rest.isEmpty {
        line.feed(String(rest.prefix(32)))
        rest = rest.dropFirst(32)
      }
    }
    #expect(line.fixes.count == 2)
    #expect(line.conversation.malformedCount == 0)
  }

  @Test("on a serial port noise that looks like a sentence settles no speed; a right checksum does")
  func speed() {
    var line = Line(NMEAConversation(search: SpeedSearch(known: nil)), secondsSince1970: Self.june2025)
    line.feed("$GPXXX,1,2\r\n", String(repeating: "\u{1}~", count: 300))
    let changes = line.reports.compactMap { if case .setSpeed(let speed) = $0 { speed } else { nil } }
    #expect(changes == [.baud4800])
    #expect(line.aliveCount == 0)
    line.feed("\r\n$GPRMC,101503.00,A,4730.0030,N,01912.0000,E,,,050625,,,A*54\r\n")
    let found = line.reports.compactMap { if case .speedFound(let speed) = $0 { speed } else { nil } }
    #expect(found == [.baud4800])
    #expect(line.fixes.count == 1)
  }
}
