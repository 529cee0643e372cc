import LocationModel
import Testing

@testable import LocationProviders

@Suite("Headings of receivers")
struct StreamHeadingTests {
  private let arrival = Arrival(instant: .zero, wallTime: WallTime(secondsSince1970: 1_780_300_800))

  private func measurements(_ reports: [ReceiverReport]) -> [HeadingSample.Measurement] {
    reports.compactMap { if case .heading(let sample) = $0 { sample.measurement } else { nil } }
  }

  private func nmea(_ pieces: String...) -> [HeadingSample.Measurement] {
    var conversation = NMEAConversation()
    var reports: [ReceiverReport] = []
    conversation.begin(at: arrival, &reports)
    for piece in pieces { Array(piece.utf8).withUnsafeBytes { conversation.receive($0, at: arrival, &reports) } }
    return measurements(reports)
  }

  @Test("HDT is a heading from true north, HDM and HDG are magnetic, without any position")
  func sentences() {
    #expect(nmea("$GPHDT,274.07,T*03\r\n") == [.fromTrueNorth(degrees: 274.07)])
    #expect(nmea("$HCHDM,238.5,M\r\n") == [.magnetic(degrees: 238.5)])
    #expect(nmea("$HCHDG,98.3,0.0,E,12.6,W\r\n") == [.magnetic(degrees: 98.3)])
    // Deviation belongs to the sensor, variation to the place.
    #expect(nmea("$HCHDG,98.5,1.5,W,12.6,W\r\n") == [.magnetic(degrees: 97)])
  }

  @Test("One heading comes at once, of several in a piece the newest; an empty one is none (case NM-04)")
  func order() {
    #expect(
      nmea("$GPHDT,10.0,T\r\n$GPHDT,11.0,T\r\n", "$GPHDT,,T\r\n", "$GPHDT,12.0,T\r\n")
        == [.fromTrueNorth(degrees: 11), .fromTrueNorth(degrees: 12)])
    #expect(nmea("$GPRMC,101503.00,A,4730.0030,N,01912.0000,E,,,050625,,,A*54\r\n") == [])
  }

  @Test("What one compass said before is not told as the newest of another; of one piece the true one counts")
  func kinds() {
    let magnetic = "$HCHDM,238.5,M\r\n"
    #expect(
      nmea("$GPHDT,10.0,T\r\n", magnetic, magnetic)
        == [.fromTrueNorth(degrees: 10), .magnetic(degrees: 238.5), .magnetic(degrees: 238.5)])
    #expect(nmea("$GPHDT,10.0,T\r\n" + magnetic) == [.fromTrueNorth(degrees: 10)])
  }

  @Test("gpsd's ATT is a heading from true north; without one it says nothing")
  func attitude() {
    var conversation = GPSDConversation()
    var reports: [ReceiverReport] = []
    conversation.begin(at: arrival, &reports)
    let lines = """
      {"class":"VERSION","release":"3.22","proto_major":3,"proto_minor":14}
      {"class":"ATT","device":"/dev/ttyUSB0","heading":14223.00,"mag_st":"N","pitch":169.00,"roll":-43.00}
      {"class":"ATT","device":"/dev/ttyUSB0","heading":87.5}
      {"class":"ATT","device":"/dev/ttyUSB0","pitch":1.0}

      """
    Array(lines.utf8).withUnsafeBytes { conversation.receive($0, at: arrival, &reports) }
    #expect(measurements(reports) == [.fromTrueNorth(degrees: 87.5)])
  }
}
