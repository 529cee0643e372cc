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
  private var radius: Double?
  private var hasRadius = false
  private var notifiesOnEntry: Bool?
  private var notifiesOnExit: Bool?
  private(set) var beaconProperties = GeoJSONBeaconProperties()
  private var geometryType: String?
  /// Nil stands for what is no number, such as the rings of a polygon.
  private var coordinates: [Double?] = []

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
    case "radius":
      hasRadius = true
      radius = reader.number()
    case "notifyOnEntry": notifiesOnEntry = reader.flag()
    case "notifyOnExit": notifiesOnExit = reader.flag()
    case "uuid": beaconProperties.uuid = reader.string()
    case "major": beaconProperties.major = reader.number()
    case "minor": beaconProperties.minor = reader.number()
    case "power": beaconProperties.power = reader.number()
    default: reader.skip()
    }
  }

  private mutating func takeGeometry(_ key: JSONKey, _ reader: inout JSONReader) {
    switch key {
    case "type": geometryType = reader.string()
    case "coordinates":
      coordinates = []
      guard reader.beginArray() else { return }
      while reader.nextElement() { coordinates.append(reader.number()) }
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
    guard let radius, radius > 0, radius.isFinite else {
      let found = radius.map { "\($0)" } ?? (hasRadius ? "no number" : "none")
      throw Problem(sentence: "expected a property \"radius\" in metres, above 0, found \(found)")
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
    guard (2...3).contains(coordinates.count), let longitude = coordinates[0], let latitude = coordinates[1] else {
      throw Problem(sentence: "expected the coordinates [longitude, latitude], found \(coordinates.count) values")
    }
    let center = Coordinate(latitude: latitude, longitude: longitude)
    guard center.isValid else {
      throw Problem(
        sentence: "expected a longitude within 180 and then a latitude within 90, found [\(longitude), \(latitude)]")
    }
    return center
  }
}
