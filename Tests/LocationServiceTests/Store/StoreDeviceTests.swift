import LocationModel
import LocationService
import Testing

@Suite("The store keeps the device's last location and settings")
struct StoreDeviceTests {
  private static let bare = Fix(
    coordinate: Coordinate(latitude: -90, longitude: 180), horizontalAccuracyMeters: nil, time: time(.min))
  private static let whole = Fix(
    coordinate: Coordinate(latitude: 47.123456789012345, longitude: -0.1),
    horizontalAccuracyMeters: .leastNonzeroMagnitude,
    time: time(1_600_000_000_123_456_789), altitudeMeters: -430.5, ellipsoidalAltitudeMeters: 0,
    verticalAccuracyMeters: 1.0 / 3, speedMetersPerSecond: .greatestFiniteMagnitude, speedAccuracyMetersPerSecond: 0.1,
    courseDegrees: 359.999, courseAccuracyDegrees: 12, floor: -2, isSimulated: true, isFromAccessory: true,
    source: .locationService)

  @Test(
    "Every value of the last fix is found again to the bit, and what is unknown stays unknown",
    arguments: [bare, whole])
  func fix(fix: Fix) throws {
    let folder = try StoreFolder()
    let first = try folder.open()
    #expect(try first.lastFix() == nil)
    try first.store(lastFix: Self.whole)
    try first.store(lastFix: fix)
    #expect(try first.lastFix() == fix)
  }

  @Test("Each source of a fix has its own number", arguments: [0, 1, 2, 3] as [UInt8])
  func source(number: UInt8) throws {
    let folder = try StoreFolder()
    var fix = Self.whole
    fix.source = try #require(FixSource(rawValue: number))
    try folder.open().store(lastFix: fix)
    let store = try folder.open()
    #expect(try store.lastFix() == fix)
    try store.removeLastFix()
    #expect(try store.lastFix() == nil)
  }

  @Test(
    "A fix with a value that is no number is refused, and the one before stays", arguments: [Double.nan, .infinity])
  func noNumber(number: Double) throws {
    let store = try StoreFolder().open()
    try store.store(lastFix: Self.whole)
    var fix = Self.bare
    fix.speedMetersPerSecond = number
    #expect(throws: StoreError.self) { try store.store(lastFix: fix) }
    fix = Self.bare
    fix.coordinate.latitude = number
    #expect(throws: StoreError.self) { try store.store(lastFix: fix) }
    #expect(try store.lastFix() == Self.whole)
  }

  @Test("A switch that nobody touched is unknown; one that was keeps its position")
  func switches() throws {
    let folder = try StoreFolder()
    do {
      let store = try folder.open()
      #expect(try store.locationServicesSwitch() == nil)
      #expect(try store.airplaneModeSwitch() == nil)
      try store.store(locationServicesSwitch: false)
      try store.store(airplaneModeSwitch: true)
      try store.store(airplaneModeSwitch: false)
    }
    let store = try folder.open()
    #expect(try store.locationServicesSwitch() == false)
    #expect(try store.airplaneModeSwitch() == false)
  }

  @Test("Settings are kept by name, and can be taken away")
  func settings() throws {
    let folder = try StoreFolder()
    do {
      let store = try folder.open()
      try store.store(setting: "agent", value: "terminal")
      try store.store(setting: "agent", value: "")
      try store.store(setting: "other", value: "x")
      try store.store(setting: "other", value: nil)
    }
    let store = try folder.open()
    #expect(try store.setting("agent") == "")
    #expect(try store.setting("other") == nil)
    #expect(try store.settings() == ["agent": ""])
  }
}
