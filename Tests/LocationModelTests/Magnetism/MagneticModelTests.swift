import LocationModel
import Testing

@Suite("The Earth's magnetic field")
struct MagneticModelTests {
  static let model = WorldMagneticModel.wmm2025

  struct Place: CustomTestStringConvertible {
    var testDescription: String
    var coordinate: Coordinate
    var declination: Double
    var inclination: Double
    var horizontal: Double
    var declinationError: Double

    init(
      _ name: String, _ latitude: Double, _ longitude: Double, _ declination: Double, _ inclination: Double,
      _ horizontal: Double, _ declinationError: Double
    ) {
      testDescription = name
      coordinate = Coordinate(latitude: latitude, longitude: longitude)
      self.declination = declination
      self.inclination = inclination
      self.horizontal = horizontal
      self.declinationError = declinationError
    }
  }

  /// Coordinates to four digits, since the listed values name places and not coordinates.
  static let places = [
    Place("Apple Park", 37.3349, -122.0090, 12.7465, 60.782, 23_054, 0.350),
    Place("Greenwich", 51.4779, -0.0015, 1.1201, 66.523, 19_560, 0.380),
    Place("Sydney", -33.8688, 151.2093, 12.8100, -64.392, 24_632, 0.341),
    Place("Tromsø", 69.6492, 18.9553, 11.0578, 78.422, 10_814, 0.564),
    Place("Resolute", 74.6973, -94.8297, -15.3412, 86.684, 3_313, 1.656),
  ]

  @Test("Cities at sea level in 2026.0 (algorithms 4)", arguments: places)
  func cities(place: Place) throws {
    let field = try #require(Self.model.field(at: place.coordinate, decimalYear: 2026))
    #expect(abs(field.declinationDegrees - place.declination) < 0.02)
    #expect(abs(field.inclinationDegrees - place.inclination) < 0.01)
    #expect(abs(field.horizontalNanoteslas - place.horizontal) < 5)
    #expect(abs(field.declinationErrorDegrees - place.declinationError) < 0.001)
  }

  @Test("Another implementation's published example agrees to its digits (algorithms 4)")
  func publishedExample() throws {
    // 2028-07-04T00:00:00Z
    let time = WallTime(secondsSince1970: 1_846_281_600)
    let field = try #require(
      Self.model.field(at: Coordinate(latitude: 42.283, longitude: -71.35), heightMeters: 1_000, time: time))
    #expect(abs(field.northNanoteslas - 20_139) < 1)
    #expect(abs(field.eastNanoteslas + 4_905) < 1)
    #expect(abs(field.downNanoteslas - 46_532) < 1)
    #expect(abs(field.horizontalNanoteslas - 20_727) < 1)
    #expect(abs(field.totalNanoteslas - 50_940) < 1)
    #expect(abs(field.declinationDegrees + 13.6891) < 0.001)
    #expect(abs(field.inclinationDegrees - 65.9899) < 0.001)
  }

  @Test("The field at a pole is the limit of the field near it, and nothing is divided by zero")
  func poles() throws {
    for latitude in [90.0, -90] {
      for longitude in [-180.0, -77, 0, 12.5, 180] {
        let pole = try #require(
          Self.model.field(at: Coordinate(latitude: latitude, longitude: longitude), decimalYear: 2027.3))
        let near = try #require(
          Self.model.field(
            at: Coordinate(latitude: latitude * (1 - 1e-9), longitude: longitude), decimalYear: 2027.3))
        #expect(abs(pole.northNanoteslas - near.northNanoteslas) < 1e-2)
        #expect(abs(pole.eastNanoteslas - near.eastNanoteslas) < 1e-2)
        #expect(abs(pole.downNanoteslas - near.downNanoteslas) < 1e-2)
        #expect(pole.totalNanoteslas > 50_000)
      }
    }
  }

  /// Latitude, longitude, height, year.
  static let validityCases: [(Double, Double, Double, Double, Bool)] = [
    (0.0, 0.0, 0.0, 2025.0, true), (0, 0, 0, 2030, true), (0, 0, 0, 2024.999, false), (0, 0, 0, 2030.001, false),
    (0, 0, -1_000, 2026, true), (0, 0, 850_000, 2026, true), (0, 0, -1_001, 2026, false),
    (0, 0, 850_001, 2026, false), (90.1, 0, 0, 2026, false), (0, 181, 0, 2026, false),
    (.nan, 0, 0, 2026, false), (0, 0, .nan, 2026, false), (0, 0, 0, .nan, false),
  ]

  @Test(
    "The model holds from 2025.0 to 2030.0 and from -1 to 850 km, and for places only; beyond there is no field",
    arguments: validityCases)
  func validity(latitude: Double, longitude: Double, height: Double, year: Double, holds: Bool) {
    let place = Coordinate(latitude: latitude, longitude: longitude)
    #expect((Self.model.field(at: place, heightMeters: height, decimalYear: year) != nil) == holds)
  }

  @Test(
    "Below 2000 nT along the ground is the blackout zone, below 6000 nT the zone of caution (algorithms 4)",
    arguments: [
      (0.0, MagneticZone.blackout), (1_999, .blackout), (2_000, .caution), (5_999, .caution), (6_000, .reliable),
    ])
  func zones(horizontal: Double, zone: MagneticZone) {
    #expect(MagneticZone(horizontalNanoteslas: horizontal) == zone)
  }

  @Test("Without a field along the ground the declination may be anything, and its error says so")
  func declinationErrorIsBounded() {
    let field = MagneticField(northNanoteslas: 0, eastNanoteslas: 0, downNanoteslas: 57_000)
    #expect(field.declinationErrorDegrees == 180)
    #expect(field.inclinationDegrees == 90)
  }

  static let yearCases: [(Double, Double)] = [
    (0.0, 1970.0), (1_735_689_600, 2025), (1_767_225_600, 2026), (1_893_456_000, 2030),
    // 2028 has 366 days: the first of July is day 182.
    (1_846_022_400, 2028 + 182.0 / 366), (-86_400, 1969 + 364.0 / 365), (951_782_400, 2000 + 59.0 / 366),
  ]

  @Test(
    "A year is counted by its own length",
    arguments: yearCases)
  func decimalYears(seconds: Double, year: Double) {
    #expect(abs(WallTime(secondsSince1970: seconds).decimalYear - year) < 1e-9)
  }
}
