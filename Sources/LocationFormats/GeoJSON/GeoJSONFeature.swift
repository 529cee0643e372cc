import LocationModel

/// One feature as it stands in the file, before it is known to be a circle or a beacon.
struct GeoJSONFeature {
  /// A sentence without its full stop.
  struct Problem: Error {
    var sentence: String
  }

  var type: String?
  private var identifier: String?
  private var propertyIdentifier: String?
  private var radius = Value.missing
  private var notifiesOnEntry: Bool?
  private var notifiesOnExit: Bool?
  private(set) var beaconProperties = GeoJSONBeaconProperties()
  private var geometryType: String?
  /// Nil where there is no list.
  private var coordinates: [Value]?

  /// What stands where a number is expected.
  enum Value {
    case missing
    case number(Double)
    case text
    case other

    init(_ reader: inout JSONReader) {
      if reader.startsWithQuote {
        self = reader.string() == nil ? .other : .text
      } else if let number = reader.number(), number.isFinite {
        self = .number(number)
      } else {
        self = .other
      }
    }

    var number: Double? { if case .number(let number) = self { number } else { nil } }

    var words: String {
      switch self {
      case .missing: "none"
      case .number(let number): "\(number)"
      case .text: "text in quotes"
      case .other: "no number"
      }
    }
  }

  init() {}

  /// Reads one element of `features`.
  init(_ reader: inout JSONReader) {
    guard reader.beginObject() else { return }
    while let key = reader.nextKey() { take(key, &reader) }
  }

  /// Reads one member of a feature.
  mutating func take(_ key: JSONKey, _ reader: inout JSONReader) {
    switch key {
    case "type": type = reader.string()
    case "id": identifier = Self.identifier(&reader)
    case "properties":
      guard reader.beginObject() else { return }
      while let key = reader.nextKey() { takeProperty(key, &reader) }
    case "geometry":
      guard reader.beginObject() else { return }
      while let key = reader.nextKey() { takeGeometry(key, &reader) }
    default: reader.skip()
    }
  }

  private mutating func takeProperty(_ key: JSONKey, _ reader: inout JSONReader) {
    switch key {
    case "id": propertyIdentifier = Self.identifier(&reader)
    case "radius": radius = Value(&reader)
    case "notifyOnEntry": notifiesOnEntry = reader.flag()
    case "notifyOnExit": notifiesOnExit = reader.flag()
    case "uuid":
      beaconProperties.uuid = reader.string()
      beaconProperties.hasUUID = true
    case "major": beaconProperties.major = Value(&reader)
    case "minor": beaconProperties.minor = Value(&reader)
    case "power": beaconProperties.power = Value(&reader)
    default: reader.skip()
    }
  }

  private mutating func takeGeometry(_ key: JSONKey, _ reader: inout JSONReader) {
    switch key {
    case "type": geometryType = reader.string()
    case "coordinates":
      coordinates = nil
      guard reader.beginArray() else { return }
      var values: [Value] = []
      while reader.nextElement() { values.append(Value(&reader)) }
      coordinates = values
    default: reader.skip()
    }
  }

  /// A string, or a number as it would be written.
  private static func identifier(_ reader: inout JSONReader) -> String? {
    if reader.startsWithQuote { return reader.string() }
    guard let number = reader.number() else { return nil }
    return Int(exactly: number).map { "\($0)" } ?? "\(number)"
  }

  // MARK: The circle

  func region() throws(Problem) -> Region {
    try checkType()
    guard let name else {
      throw Problem(sentence: "expected an \"id\", a text or a number, found none")
    }
    let center = try center("regions are circles, written as a Point with the property \"radius\"")
    guard let radius = radius.number, radius > 0 else {
      throw Problem(sentence: "expected a property \"radius\" in metres, above 0, found \(self.radius.words)")
    }
    return Region(
      identifier: name, shape: .circle(center: center, radiusMeters: radius),
      notifiesOnEntry: notifiesOnEntry ?? true, notifiesOnExit: notifiesOnExit ?? true)
  }

  func checkType() throws(Problem) {
    guard type == "Feature" else {
      throw Problem(sentence: "expected type \"Feature\", found \(type.map { "\"\($0)\"" } ?? "none")")
    }
  }

  /// Nil where it has none.
  var name: String? {
    guard let name = identifier ?? propertyIdentifier, !name.isEmpty else { return nil }
    return name
  }

  /// - Parameter expected: what a feature of another geometry is told.
  func center(_ expected: String) throws(Problem) -> Coordinate {
    guard geometryType == "Point" else {
      guard let geometryType else { throw Problem(sentence: "expected a geometry of type \"Point\", found none") }
      throw Problem(
        sentence: "a \(geometryType) cannot be monitored: \(expected)")
    }
    guard let coordinates else {
      throw Problem(sentence: "expected the coordinates [longitude, latitude], found no list")
    }
    guard (2...3).contains(coordinates.count) else {
      throw Problem(sentence: "expected the coordinates [longitude, latitude], found \(coordinates.count) values")
    }
    guard let longitude = coordinates[0].number, let latitude = coordinates[1].number else {
      let found = coordinates.prefix(2).first { $0.number == nil } ?? .missing
      throw Problem(sentence: "expected the coordinates [longitude, latitude] as numbers, found \(found.words)")
    }
    let center = Coordinate(latitude: latitude, longitude: longitude)
    guard center.isValid else {
      throw Problem(
        sentence: "expected a longitude within 180 and then a latitude within 90, found [\(longitude), \(latitude)]")
    }
    return center
  }
}
