import LocationFormats
import LocationModel

/// Where locations come from, as it is written after `--source` and in `CORELOCATION_SOURCE` (design 6).
///
///     gpx:PATH[?speed=N|max][&time=file|now][&gaps=keep|shorten]     - as PATH is standard input
///     nmea:PATH[?...]          a recording like gpx:, a serial port, a named pipe, or - for standard input
///     gpsd:HOST[:PORT]         port 2947 where none is said; an IPv6 number stands in brackets
///     tcp:HOST:PORT            NMEA sentences from a server
///     udp:PORT                 NMEA sentences that are sent to this machine
///     fixed:LAT,LON[,ALT]
///     geoclue:                 the location service of the desktop
///     auto
///
/// A path is taken as it is written: `%`, blanks and colons stand for themselves. Options are read only after the last
/// `?`, and only where everything after it is `key=value` with keys of this list; otherwise the `?` belongs to the
/// path. A path that ends like options can be closed with a lone `?`: `gpx:what?speed=2?`.
package enum SourceSpecification: Hashable, Sendable {
  case gpx(path: String, PlaybackOptions)
  /// The options count where the path names a plain file, which is a recording.
  case nmea(path: String, PlaybackOptions)
  case gpsd(host: String, port: UInt16)
  case tcp(host: String, port: UInt16)
  case udp(port: UInt16)
  case fixed(Coordinate, altitudeMeters: Double?)
  /// GeoClue, through the location portal in a sandbox.
  case geoClue
  /// The location portal, whether or not this is a sandbox.
  case portal
  /// What the machine has.
  case automatic

  package struct Failure: Error, Hashable, Sendable, CustomStringConvertible {
    package var description: String
  }

  package init(_ text: String) throws(Failure) {
    if text == "auto" || text == "auto:" {
      self = .automatic
      return
    }
    guard let colon = text.firstIndex(of: ":") else {
      throw Failure(description: "\"\(text)\" is no source. \(Self.known) A file is written gpx:\(text)")
    }
    let rest = text[text.index(after: colon)...]
    switch text[..<colon] {
    case "gpx":
      let (path, options) = try Self.recording(rest, scheme: "gpx")
      self = .gpx(path: path, options)
    case "nmea":
      let (path, options) = try Self.recording(rest, scheme: "nmea")
      self = .nmea(path: path, options)
    case "gpsd":
      let (host, port) = try Self.address(
        rest, defaultPort: LiveSource.gpsdPort, expected: "gpsd:HOST or gpsd:HOST:PORT")
      self = .gpsd(host: host, port: port)
    case "tcp":
      let (host, port) = try Self.address(rest, defaultPort: nil, expected: "tcp:HOST:PORT")
      self = .tcp(host: host, port: port)
    case "udp": self = .udp(port: try Self.port(rest, expected: "udp:PORT"))
    case "fixed": self = try Self.fixed(rest)
    case "geoclue", "portal":
      guard rest.isEmpty else { throw Failure(description: "nothing follows \(text[...colon]), found \(text)") }
      self = text.hasPrefix("geoclue") ? .geoClue : .portal
    default:
      throw Failure(description: "\"\(text)\" is no source. \(Self.known)")
    }
  }

  private static let known =
    "Sources are gpx:PATH, nmea:PATH, gpsd:HOST[:PORT], tcp:HOST:PORT, udp:PORT, geoclue:, fixed:LAT,LON[,ALT] "
    + "and auto."

  private static func recording(
    _ text: Substring, scheme: String
  ) throws(Failure) -> (path: String, options: PlaybackOptions) {
    var path = text
    var options = PlaybackOptions()
    if let mark = text.lastIndex(of: "?") {
      let query = text[text.index(after: mark)...]
      if query.isEmpty {
        path = text[..<mark]
      } else if PlaybackOptions.areKnown(in: query) {
        path = text[..<mark]
        options = try PlaybackOptions(query)
      }
    }
    guard !path.isEmpty else {
      throw Failure(
        description: "\(scheme): lacks its file; expected \(scheme):PATH, or \(scheme):- for standard input")
    }
    return (String(path), options)
  }

  /// `HOST:PORT`, `[HOST]:PORT`; the port may be missing where it has a default.
  private static func address(
    _ text: Substring, defaultPort: UInt16?, expected: String
  ) throws(Failure) -> (host: String, port: UInt16) {
    var host = text
    var portText: Substring?
    if text.hasPrefix("["), let end = text.firstIndex(of: "]") {
      host = text[text.index(after: text.startIndex)..<end]
      let rest = text[text.index(after: end)...]
      guard rest.isEmpty || rest.hasPrefix(":") else {
        throw Failure(description: "expected \(expected), found \(text)")
      }
      portText = rest.isEmpty ? nil : rest.dropFirst()
    } else if let colon = text.lastIndex(of: ":") {
      host = text[..<colon]
      portText = text[text.index(after: colon)...]
    }
    let isOneHost = !host.isEmpty && (!host.contains(":") || text.hasPrefix("["))
    guard isOneHost, !host.contains(where: { " /[]".contains($0) }) else {
      throw Failure(description: "expected \(expected), an IPv6 number in brackets, found \(text)")
    }
    if let portText { return (String(host), try port(portText, expected: expected)) }
    guard let defaultPort else { throw Failure(description: "expected \(expected), found \(text)") }
    return (String(host), defaultPort)
  }

  private static func port(_ text: Substring, expected: String) throws(Failure) -> UInt16 {
    guard let port = UInt16(text), port > 0, text.utf8.allSatisfy({ $0 &- 0x30 <= 9 }) else {
      throw Failure(description: "expected \(expected) with a port from 1 to 65535, found \"\(text)\"")
    }
    return port
  }

  private static func fixed(_ text: Substring) throws(Failure) -> SourceSpecification {
    let parts = text.split(separator: ",", omittingEmptySubsequences: false)
    let numbers = parts.compactMap { DecimalNumber.parse($0) }
    guard parts.count == 2 || parts.count == 3, numbers.count == parts.count else {
      throw Failure(
        description: "expected fixed:LAT,LON or fixed:LAT,LON,ALT in degrees and metres, such as "
          + "fixed:47.5,19.25, found fixed:\(text)")
    }
    let coordinate = Coordinate(latitude: numbers[0], longitude: numbers[1])
    guard coordinate.isValid else {
      throw Failure(
        description: "fixed:\(text) is no place: latitude is within -90 to 90, longitude within -180 to 180")
    }
    if numbers.count == 3, !ValueLimits.heightMeters.contains(numbers[2]) {
      throw Failure(description: "fixed:\(text) is no place: its height is within -12000 to 100000000 metres")
    }
    return .fixed(coordinate, altitudeMeters: numbers.count == 3 ? numbers[2] : nil)
  }
}

/// How a recording is played. What is nil was not said: the host has its own default.
package struct PlaybackOptions: Hashable, Sendable {
  package enum Pace: Hashable, Sendable {
    /// Above 0; 1 is the recording's own.
    case times(Double)
    /// As fast as the fixes are taken.
    case maximum
  }

  package enum Stamps: Hashable, Sendable {
    /// The recording's own times.
    case recorded
    /// The machine's clock at delivery.
    case delivery
  }

  package var pace: Pace?
  package var stamps: Stamps?
  package var shortensGaps: Bool?

  package init(pace: Pace? = nil, stamps: Stamps? = nil, shortensGaps: Bool? = nil) {
    self.pace = pace
    self.stamps = stamps
    self.shortensGaps = shortensGaps
  }

  static func areKnown(in query: Substring) -> Bool {
    query.split(separator: "&", omittingEmptySubsequences: false).allSatisfy { option in
      ["speed=", "time=", "gaps="].contains { option.hasPrefix($0) }
    }
  }

  init(_ query: Substring) throws(SourceSpecification.Failure) {
    for option in query.split(separator: "&") {
      let parts = option.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      try set(parts[0], to: parts.count > 1 ? parts[1] : "", option)
    }
  }

  private mutating func set(
    _ key: Substring, to value: Substring, _ option: Substring
  ) throws(SourceSpecification.Failure) {
    switch (key, value) {
    case ("speed", _): pace = try Self.pace(value)
    case ("time", "file"): stamps = .recorded
    case ("time", "now"): stamps = .delivery
    case ("gaps", "keep"): shortensGaps = false
    case ("gaps", "shorten"): shortensGaps = true
    default:
      throw .init(description: "expected time=file, time=now, gaps=keep or gaps=shorten, found \(option)")
    }
  }

  /// `max`, or a number from a millionth to a million, as in `--speed` too. At a million times its pace a recording
  /// plays a year in half a minute, and below a millionth it stands still.
  package static func pace(_ text: some StringProtocol) throws(SourceSpecification.Failure) -> Pace {
    if text == "max" { return .maximum }
    guard let factor = DecimalNumber.parse(text), (1e-6...1e6).contains(factor) else {
      throw .init(
        description: "expected a speed above 0, from 0.000001 to 1000000, such as 20, or max, found \"\(text)\"")
    }
    return .times(factor)
  }
}
