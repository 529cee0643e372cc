import LocationModel
import Testing

@testable import LocationProviders

@Suite("gpsd, live")
struct GPSDConversationTests {
  private static let greeting = #"{"class":"VERSION","release":"3.22","proto_major":3,"proto_minor":14}"#
  private static let place = #"{"class":"TPV","device":"/dev/ttyUSB0","mode":3,"lat":47.5,"lon":19.2,"altMSL":100"#
  private static let timeless = place + "}"
  /// 2026-06-01T08:00:00Z is 1780300800 by date(1).
  private static let timed = place + #","time":"2026-06-01T08:00:00.000Z"}"#
  private static let wall = WallTime(secondsSince1970: 1_780_300_800.1)

  /// The fixes of lines and the moments at which they come, in seconds, with the timers that are asked for.
  private func fixes(_ lines: [(seconds: Double, text: String)], until end: Double) -> [Fix] {
    var conversation = GPSDConversation()
    var reports: [ReceiverReport] = []
    func arrival(_ seconds: Double) -> Arrival {
      Arrival(instant: .zero.advanced(bySeconds: seconds), wallTime: Self.wall.advanced(bySeconds: seconds))
    }
    func ring(until seconds: Double) {
      while let deadline = conversation.deadline, deadline <= arrival(seconds).instant {
        conversation.expire(at: arrival(deadline.seconds(since: .zero)), &reports)
      }
    }
    conversation.begin(at: arrival(0), &reports)
    for line in [(0, Self.greeting)] + lines {
      ring(until: line.0)
      Array((line.1 + "\r\n").utf8).withUnsafeBytes { conversation.receive($0, at: arrival(line.0), &reports) }
    }
    ring(until: end)
    return reports.compactMap { if case .fix(let fix) = $0 { fix } else { nil } }
  }

  @Test("its first fix, told without a time and 18 ms later with it, is one fix, and time never runs backwards")
  func firstFix() {
    let heard = fixes([(0.1, Self.timeless), (0.118, Self.timed)], until: 5)
    #expect(heard.map(\.time) == [WallTime(secondsSince1970: 1_780_300_800)])
  }

  @Test("a fix without a time is stamped with its arrival, also where it was held")
  func heldFix() {
    let heard = fixes([(0.1, Self.timeless), (1.1, Self.timeless)], until: 5)
    #expect(heard.map(\.time) == [Self.wall.advanced(bySeconds: 0.1), Self.wall.advanced(bySeconds: 1.1)])
  }

  @Test("a receiver that hears other ships alone is told from one without sky, until it has a place")
  func otherShips() {
    var conversation = GPSDConversation()
    var reports: [ReceiverReport] = []
    let arrival = Arrival(instant: .zero, wallTime: Self.wall)
    func hear(_ text: String) {
      Array((text + "\r\n").utf8).withUnsafeBytes { conversation.receive($0, at: arrival, &reports) }
    }
    conversation.begin(at: arrival, &reports)
    hear(Self.greeting)
    hear(#"{"class":"TPV","device":"/dev/ttyUSB0","mode":1}"#)
    #expect(conversation.topic == .own)
    hear(#"{"class":"AIS","device":"/dev/ttyUSB0","type":1,"mmsi":1,"lat":10,"lon":20,"scaled":true}"#)
    #expect(conversation.topic == .otherShips)
    hear(Self.timed)
    #expect(conversation.topic == .own)
  }
}
