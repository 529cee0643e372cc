import LocationFormats
import LocationModel

/// Where locations come from, as it is written after `--source` and in `CORELOCATION_SOURCE` (design 6).
///
///     gpx:PATH[?speed=N|max][&time=file|now][&gaps=keep|shorten]     - as PATH is standard input
///     fixed:LAT,LON[,ALT]
///     geoclue:                 the location service of the desktop
///     auto
///
/// A path is taken as it is written: `%`, blanks and colons stand for themselves. Options are read only after the last
/// `?`, and only where everything after it is `key=value` with keys of this list; otherwise the `?` belongs to the
/// path. A path that ends like options can be closed with a lone `?`: `gpx:what?speed=2?`.
package enum SourceSpecification: Hashable, Sendable {
  case gpx(path: String, PlaybackOptions)
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
    case "gpx": self = try Self.gpx(rest)
    case "fixed": self = try Self.fixed(rest)
    case "geoclue", "portal":
      guard rest.isEmpty else { throw Failure(description: "nothing follows \(text[...colon]), found \(text)") }
      self = text.hasPrefix("geoclue") ? .geoClue : .portal
    case "nmea", "tcp", "udp", "gpsd":
      throw Failure(description: "the source \(text[...colon]) is not available in this version. \(Self.known)")
    default:
      throw Failure(description: "\"\(text)\" is no source. \(Self.known)")
    }
  }

  private static let known = "Sources are gpx:PATH, fixed:LAT,LON[,ALT], geoclue: and auto."

  private static func gpx(_ text: Substring) throws(Failure) -> SourceSpecification {
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
      throw Failure(description: "gpx: lacks its file; expected gpx:PATH, or gpx:- for standard input")
    }
    return .gpx(path: String(path), options)
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
      throw .init(description: "expected a speed above 0, at most 1000000, such as 20, or max, found \"\(text)\"")
    }
    return .times(factor)
  }
}
