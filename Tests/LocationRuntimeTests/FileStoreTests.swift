import Foundation
import LocationEngine
import LocationModel
import LocationRuntime
import Testing

@Suite("The state file of an in-process app")
struct FileStoreTests {
  private let app = AppIdentifier("org.example.walk")
  private let file = "corelocation/apps/org.example.walk.json"

  private let fix = Fix(
    coordinate: Coordinate(latitude: 47.123456789, longitude: -0.000001), horizontalAccuracyMeters: 3.25,
    time: WallTime(nanosecondsSince1970: 1_599_999_999_123_456_789), altitudeMeters: -12.5,
    verticalAccuracyMeters: 4, speedMetersPerSecond: 0, courseDegrees: 359.5, isSimulated: true)

  @Test(
    "keeps a grant and the last fix to the last digit",
    arguments: [
      Grant(level: .denied), Grant(level: .whenInUse, isPrecise: false),
      Grant(level: .always, isProvisional: true, hasRequestedAlways: true),
    ])
  func roundTrip(grant: Grant) throws {
    let folder = try TemporaryFolder()
    let store = folder.store()
    store.store(grant, for: app)
    store.store(fix, for: app)
    let read = folder.store().load(app)
    #expect(read == StoredAppState(grant: grant, lastFix: fix))
  }

  private static let registrations: Registrations = {
    let place = Coordinate(latitude: -47.123456789, longitude: 179.99999)
    let circle = Region.Shape.circle(center: place, radiusMeters: 150.25)
    let beacons = Region.Shape.beacons(BeaconConstraint(uuidHigh: .max, uuidLow: 1, major: 0, minor: nil))
    var registrations = Registrations()
    registrations.regions = [
      RegisteredRegion(
        region: Region(identifier: "a \"b\"\n", shape: circle, notifiesOnExit: false, marginMeters: 12.5),
        state: .inside),
      RegisteredRegion(region: Region(identifier: "b", shape: beacons, notifiesEntryStateOnDisplay: true)),
      RegisteredRegion(region: Region(identifier: "", shape: circle, notifiesOnEntry: false), state: .outside),
    ]
    registrations.monitorsVisits = true
    let time = WallTime(nanosecondsSince1970: 1_780_300_800_123_456_789)
    registrations.monitors = [
      StoredMonitor(
        name: "places",
        conditions: [
          StoredCondition(
            identifier: "home", shape: circle,
            record: ConditionEvent(identifier: "home", state: .unsatisfied, time: time),
            pending: ConditionEvent(identifier: "home", state: .satisfied, time: time)),
          StoredCondition(
            identifier: "shop", shape: beacons,
            record: ConditionEvent(
              identifier: "shop", state: .unmonitored, time: nil, diagnostics: .conditionUnsupported)),
        ]), StoredMonitor(name: "empty", conditions: []),
    ]
    return registrations
  }()

  @Test("keeps what an app has registered, in its order, and beside the grant (behaviour 5.6)")
  func keepsRegistrations() throws {
    let folder = try TemporaryFolder()
    let store = folder.store()
    store.store(Grant(level: .whenInUse), for: app)
    store.store(Self.registrations, for: app)
    store.store(fix, for: app)
    #expect(
      folder.store().load(app)
        == StoredAppState(grant: Grant(level: .whenInUse), lastFix: fix, registrations: Self.registrations))
    store.store(Registrations(), for: app)
    #expect(folder.store().load(app) == StoredAppState(grant: Grant(level: .whenInUse), lastFix: fix))
  }

  @Test(
    "Registrations that are none go alone; the grant beside them stays",
    arguments: [
      "7", "{}", "{\"regions\":[],\"monitorsSignificantChanges\":false,\"monitorsVisits\":false,\"monitors\":7}",
      "{\"regions\":[{}],\"monitorsSignificantChanges\":false,\"monitorsVisits\":false}",
      "{\"regions\":[{\"identifier\":\"a\",\"latitude\":91,\"longitude\":0,\"radius\":5,\"notifiesOnEntry\":true,"
        + "\"notifiesOnExit\":true,\"notifiesEntryStateOnDisplay\":false,\"state\":\"inside\"}],"
        + "\"monitorsSignificantChanges\":false,\"monitorsVisits\":false}",
    ])
  func wrongRegistrations(text: String) throws {
    let folder = try TemporaryFolder()
    try folder.write(
      "{\"version\":1,\"grant\":{\"level\":\"whenInUse\",\"isProvisional\":false,\"isPrecise\":true,"
        + "\"hasRequestedAlways\":false},\"registrations\":\(text)}", to: file)
    #expect(folder.store().load(app) == StoredAppState(grant: Grant(level: .whenInUse)))
  }

  @Test("is readable by its owner alone (design 5)")
  func isPrivate() throws {
    let folder = try TemporaryFolder()
    folder.store().store(Grant(level: .whenInUse), for: app)
    #expect(try folder.mode(of: file) == 0o600)
    #expect(try folder.mode(of: "corelocation/apps") == 0o700)
  }

  @Test(
    "that is damaged is set aside with a message, never silently emptied",
    arguments: [
      "", "{", "[]", "{\"version\":1}", "{\"version\":0,\"grant\":{}}",
      "{\"version\":1,\"grant\":{\"level\":\"yes\",\"isProvisional\":false,\"isPrecise\":true,"
        + "\"hasRequestedAlways\":false}}",
    ])
  func damaged(text: String) throws {
    let folder = try TemporaryFolder()
    try folder.write(text, to: file)
    let lines = Lines()
    let read = folder.store { lines.add($0) }.load(app)
    #expect(read == StoredAppState())
    #expect(lines.all.count == 1)
    #expect(lines.all.first?.contains(file) == true)
    let kept = try String(contentsOfFile: folder.path + "/" + file + ".damaged", encoding: .utf8)
    #expect(kept == text)
  }

  @Test("with a place that is none gives no fix")
  func invalidPlace() throws {
    let folder = try TemporaryFolder()
    folder.store().store(fix, for: app)
    let text = try String(contentsOfFile: folder.path + "/" + file, encoding: .utf8)
    try folder.write(text.replacingOccurrences(of: "47.123456789", with: "947.1"), to: file)
    #expect(folder.store().load(app).lastFix == nil)
  }

  @Test("has a name that fits a file, whatever the app's identity is")
  func names() throws {
    let folder = try TemporaryFolder()
    let store = folder.store()
    let identities = ["/opt/walk/bin/walk", "../../escape", ".hidden", "", String(repeating: "x", count: 300), "a b"]
    for identity in identities { store.store(Grant(level: .denied), for: AppIdentifier(identity)) }
    let names = try FileManager.default.contentsOfDirectory(atPath: folder.path + "/corelocation/apps")
    #expect(names.count { $0.hasSuffix(".json") } == identities.count)
    #expect(names.allSatisfy { !$0.hasPrefix(".") && $0.utf8.count < 255 })
    for identity in identities { #expect(store.load(AppIdentifier(identity)).grant.level == .denied) }
  }

  @Test("that cannot be written says why, and the app goes on")
  func unwritable() throws {
    let folder = try TemporaryFolder()
    // A file stands where the folder should be.
    try folder.write("", to: "corelocation")
    let lines = Lines()
    folder.store { lines.add($0) }.store(Grant(level: .denied), for: app)
    #expect(lines.all.count == 1)
    #expect(lines.all.first?.contains("could not be stored") == true)
  }

  @Test("is not asked for the grant where CORELOCATION_AUTHORIZATION gives one, and is not changed by it")
  func preset() throws {
    let folder = try TemporaryFolder()
    let files = folder.store()
    files.store(Grant(level: .denied), for: app)
    files.store(fix, for: app)
    let preset = PresetGrantStore(grant: Grant(level: .always), store: files)
    #expect(preset.load(app) == StoredAppState(grant: Grant(level: .always), lastFix: fix))
    preset.store(Grant(level: .whenInUse), for: app)
    #expect(files.load(app).grant.level == .denied)
  }
}
