import LinuxIO
import LocationModel
import LocationProviders
import Testing

@Suite("What GeoClue says of a location, as a fix")
struct GeoClueLocationTests {
  private let arrival = WallTime(secondsSince1970: 1_780_300_800)

  private func fix(_ changes: [String: BusValue?]) -> Fix? {
    var properties: [String: BusValue] = [
      "Latitude": .double(48.5), "Longitude": .double(11.25), "Accuracy": .double(30), "Altitude": .double(512.5),
      "Speed": .double(1.5), "Heading": .double(270),
      "Timestamp": .structure([.uint64(1_780_300_700), .uint64(250_000)]),
    ]
    for (key, value) in changes { properties[key] = value }
    return GeoClueLocation.fix(from: properties, arrival: arrival)
  }

  @Test("everything that is known arrives, and the time is that of the measurement")
  func known() {
    let expected = Fix(
      coordinate: Coordinate(latitude: 48.5, longitude: 11.25), horizontalAccuracyMeters: 30,
      time: WallTime(nanosecondsSince1970: 1_780_300_700_250_000_000), altitudeMeters: 512.5,
      speedMetersPerSecond: 1.5, courseDegrees: 270, source: .locationService)
    #expect(fix([:]) == expected)
  }

  @Test("GeoClue's words for unknown, and what is missing or no number, are unknown")
  func unknown() {
    for values in [
      ["Altitude": .double(-Double.greatestFiniteMagnitude), "Speed": .double(-1), "Heading": .double(-1)],
      ["Altitude": .double(.nan), "Speed": .double(.infinity), "Heading": .double(361)],
      ["Altitude": nil, "Speed": nil, "Heading": .string("north")],
    ] as [[String: BusValue?]] {
      let fix = fix(values)
      #expect(fix != nil)
      #expect(fix?.altitudeMeters == nil)
      #expect(fix?.speedMetersPerSecond == nil)
      #expect(fix?.courseDegrees == nil)
    }
  }

  @Test("a radius of 0 is unknown, not perfect", arguments: [0, -1, Double.nan, .infinity])
  func accuracy(meters: Double) {
    #expect(fix(["Accuracy": .double(meters)])?.horizontalAccuracyMeters == nil)
    #expect(fix(["Accuracy": .double(meters)]) != nil)
  }

  @Test("a place that is none gives no fix")
  func place() {
    #expect(fix(["Latitude": nil]) == nil)
    #expect(fix(["Longitude": .string("11")]) == nil)
    #expect(fix(["Latitude": .double(90.5)]) == nil)
    #expect(fix(["Longitude": .double(.nan)]) == nil)
  }

  @Test(
    "a time that is none, or still to come, is the arrival",
    arguments: [
      nil, .structure([.uint64(0), .uint64(0)]), .structure([.uint64(.max), .uint64(0)]),
      .structure([.uint64(1_780_300_700), .uint64(1_000_000)]), .structure([.uint64(1_780_300_801), .uint64(0)]),
      .uint64(1_780_300_700),
    ] as [BusValue?])
  func time(_ value: BusValue?) {
    #expect(fix(["Timestamp": value])?.time == arrival)
  }

  @Test("north by either name is 0 degrees")
  func north() {
    #expect(fix(["Heading": .double(360)])?.courseDegrees == 0)
    #expect(fix(["Heading": .double(0)])?.courseDegrees == 0)
  }

  @Test("a wish becomes the coarsest level that serves it, in GeoClue's numbers and in the portal's")
  func levels() {
    // GClueAccuracyLevel: city 4, neighborhood 5, street 6, exact 8. The portal's: city 2 to exact 5.
    let expected: [(DesiredAccuracy, UInt32, UInt32)] = [
      (.bestForNavigation, 8, 5), (.best, 8, 5), (.meters(10), 8, 5), (.meters(100), 6, 4), (.meters(1_000), 5, 3),
      (.meters(3_000), 4, 2), (.reduced, 4, 2), (.meters(.nan), 8, 5), (.meters(-1), 8, 5),
    ]
    for (wish, level, portalLevel) in expected {
      #expect(GeoClueAccuracyLevel(wish).rawValue == level, "\(wish)")
      #expect(GeoClueAccuracyLevel(wish).portalValue == portalLevel, "\(wish)")
    }
  }

  @Test("a program is known by its bundle identifier, or by its executable's name")
  func desktopID() {
    #expect(LocationServiceProvider.Service.desktopID(of: "org.example.app") == "org.example.app")
    #expect(LocationServiceProvider.Service.desktopID(of: "/usr/bin/walk") == "walk")
    #expect(LocationServiceProvider.Service.desktopID(of: "/") == "unknown")
  }
}
