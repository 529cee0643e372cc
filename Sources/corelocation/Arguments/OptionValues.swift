import LocationFormats
import LocationModel
import LocationProviders

/// What may stand after an option. Everything else is wrong usage, answered with the option and what was expected.
extension CommandLineArguments {
  /// A number in `range`, or nil where the option was not given.
  func number(
    _ name: String, in range: ClosedRange<Double>, _ expected: String
  ) throws(CommandFailure) -> Double? {
    guard let text = value(name) else { return nil }
    guard let number = DecimalNumber.parse(text), range.contains(number) else {
      throw unexpected(name, expected)
    }
    return number
  }

  /// Seconds above 0; a microsecond is the least.
  func seconds(_ name: String) throws(CommandFailure) -> Double? {
    try number(name, in: 1e-6...1e9, "seconds from 0.000001 to 1000000000")
  }

  func count(_ name: String) throws(CommandFailure) -> Int? {
    guard let text = value(name) else { return nil }
    guard text.utf8.count <= 10, let count = Int(text), (1...1_000_000_000).contains(count) else {
      throw unexpected(name, "a whole number from 1 to 1000000000")
    }
    return count
  }

  /// Metres; 0 delivers everything, as no filter does, which Apple writes as -1 (kCLDistanceFilterNone).
  func distanceFilterMeters() throws(CommandFailure) -> Double? {
    if let text = value("distance-filter"), DecimalNumber.parse(text) == -1 { return nil }
    let meters = try number("distance-filter", in: 0...1e9, "metres from 0 to 1000000000, or -1 for every fix")
    return meters == 0 ? nil : meters
  }

  /// Degrees; 1 where nothing is said, as in Core Location, and none for -1 (kCLHeadingFilterNone).
  func headingFilterDegrees() throws(CommandFailure) -> Double? {
    guard let text = value("filter") else { return 1 }
    if DecimalNumber.parse(text) == -1 { return nil }
    return try number("filter", in: 0...360, "degrees from 0 to 360, or -1 for every heading")
  }

  func accuracy() throws(CommandFailure) -> DesiredAccuracy? {
    try choice(
      "accuracy",
      [
        "navigation": .bestForNavigation, "best": .best, "10m": .meters(10), "100m": .meters(100),
        "1km": .meters(1_000), "3km": .meters(3_000), "reduced": .reduced,
      ])
  }

  func activity() throws(CommandFailure) -> ActivityType? {
    try choice(
      "activity",
      [
        "other": .other, "automotive": .automotiveNavigation, "fitness": .fitness,
        "navigation": .otherNavigation, "airborne": .airborne,
      ])
  }

  func pace() throws(CommandFailure) -> PlaybackOptions.Pace? {
    guard let text = value("speed") else { return nil }
    guard let pace = try? PlaybackOptions.pace(text) else {
      throw unexpected("speed", "a number from 0.000001 to 1000000, or max")
    }
    return pace
  }

  func choice<Choice>(
    _ name: String, _ choices: KeyValuePairs<String, Choice>
  ) throws(CommandFailure) -> Choice? {
    guard let text = value(name) else { return nil }
    guard let found = choices.first(where: { $0.key == text }) else {
      throw unexpected(name, "one of " + choices.map(\.key).joined(separator: ", "))
    }
    return found.value
  }

  func unexpected(_ name: String, _ expected: String) -> CommandFailure {
    .wrongUsage("option --\(name): expected \(expected), found \"\(value(name) ?? "")\"")
  }
}

extension Coordinate {
  /// `LAT,LON` in degrees, as an operand.
  init(operand text: String) throws(CommandFailure) {
    let parts = text.split(separator: ",", omittingEmptySubsequences: false)
    let numbers = parts.compactMap { DecimalNumber.parse($0) }
    guard parts.count == 2, numbers.count == 2 else {
      throw .wrongUsage("expected LAT,LON in degrees, such as -33.86,151.21, found \"\(text)\"")
    }
    self.init(latitude: numbers[0], longitude: numbers[1])
    guard isValid else {
      throw .wrongUsage("\(text) is no place: latitude is within -90 to 90, longitude within -180 to 180")
    }
  }
}
