import LocationModel
import LocationProviders
import Testing

@Suite("Source specifications")
struct SourceSpecificationTests {
  private func read(_ text: String) -> Result<SourceSpecification, SourceSpecification.Failure> {
    Result { () throws(SourceSpecification.Failure) in try SourceSpecification(text) }
  }

  private func failure(_ text: String) -> String? {
    if case .failure(let failure) = read(text) { return failure.description }
    return nil
  }

  @Test(
    "files, with and without options (design 6)",
    arguments: [
      ("gpx:ride.gpx", "ride.gpx", PlaybackOptions()),
      ("gpx:-", "-", PlaybackOptions()),
      (
        "gpx:ride.gpx?speed=20&time=file&gaps=keep", "ride.gpx",
        PlaybackOptions(pace: .times(20), stamps: .recorded, shortensGaps: false)
      ),
      (
        "gpx:ride.gpx?speed=max&time=now&gaps=shorten", "ride.gpx",
        PlaybackOptions(pace: .maximum, stamps: .delivery, shortensGaps: true)
      ),
      ("gpx:/a b/100%25: no?.gpx", "/a b/100%25: no?.gpx", PlaybackOptions()),
      ("gpx:what?.gpx?speed=2", "what?.gpx", PlaybackOptions(pace: .times(2))),
      ("gpx:a?other=1", "a?other=1", PlaybackOptions()),
      ("gpx:a?speed=2&other=1", "a?speed=2&other=1", PlaybackOptions()),
      ("gpx:a?speed=2?", "a?speed=2", PlaybackOptions()),
    ])
  func files(text: String, path: String, options: PlaybackOptions) {
    #expect(read(text) == .success(.gpx(path: path, options)))
  }

  @Test("fixed places and the machine's own sources")
  func places() {
    let place = Coordinate(latitude: 47.5, longitude: -19.25)
    #expect(read("fixed:47.5,-19.25") == .success(.fixed(place, altitudeMeters: nil)))
    #expect(read("fixed: 47.5, -19.25, 101.5") == .success(.fixed(place, altitudeMeters: 101.5)))
    #expect(read("auto") == .success(.automatic))
    #expect(read("geoclue:") == .success(.geoClue))
    #expect(read("portal:") == .success(.portal))
  }

  @Test(
    "receivers (design 6)",
    arguments: [
      ("nmea:/dev/ttyACM0", .nmea(path: "/dev/ttyACM0", PlaybackOptions())),
      ("nmea:-", .nmea(path: "-", PlaybackOptions())),
      ("nmea:log.nmea?speed=2", .nmea(path: "log.nmea", PlaybackOptions(pace: .times(2)))),
      ("gpsd:localhost", .gpsd(host: "localhost", port: 2947)),
      ("gpsd:boat.example:2948", .gpsd(host: "boat.example", port: 2948)),
      ("gpsd:[::1]", .gpsd(host: "::1", port: 2947)),
      ("tcp:[fe80::1%eth0]:10110", .tcp(host: "fe80::1%eth0", port: 10110)),
      ("tcp:192.168.1.7:10110", .tcp(host: "192.168.1.7", port: 10_110)), ("udp:10110", .udp(port: 10_110)),
    ] as [(String, SourceSpecification)])
  func receivers(text: String, expected: SourceSpecification) {
    #expect(read(text) == .success(expected))
  }

  @Test(
    "what cannot be read is answered with what is expected",
    arguments: [
      ("", "gpx:PATH"), ("ride.gpx", "gpx:ride.gpx"), ("kml:a", "gpx:PATH"), ("gpx:", "gpx:-"),
      ("gpx:?speed=2", "gpx:-"),
      ("gpx:a?speed=0", "above 0"), ("gpx:a?speed=fast", "above 0"), ("gpx:a?time=later", "time=file"),
      ("gpx:a?gaps=", "gaps=keep"), ("fixed:", "fixed:LAT,LON"), ("fixed:47,5", nil), ("fixed:47.5", "fixed:LAT,LON"),
      ("fixed:47.5,19,1,2", "fixed:LAT,LON"), ("fixed:47.5,east", "fixed:LAT,LON"), ("fixed:91,0", "-90 to 90"),
      ("nmea:", "nmea:-"), ("tcp:host", "tcp:HOST:PORT"), ("tcp::10110", "tcp:HOST:PORT"), ("gpsd:", "gpsd:HOST"),
      ("tcp:::1:10110", "in brackets"), ("tcp:[::1]10110", "tcp:HOST:PORT"), ("udp:0", "1 to 65535"),
      ("udp:65536", "1 to 65535"), ("udp:+7", "1 to 65535"), ("gpsd:a b", "gpsd:HOST"), ("gpsd:h:", "1 to 65535"),
      ("fixed:0,181", "-180 to 180"), ("fixed:nan,0", "fixed:LAT,LON"),
    ] as [(String, String?)])
  func failures(text: String, expected: String?) {
    if let expected {
      #expect(failure(text)?.contains(expected) == true)
    } else {
      // Two numbers: a place, though perhaps not the one that was meant.
      #expect(failure(text) == nil)
    }
  }
}
