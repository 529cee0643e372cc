import LocationEngine
import LocationModel
import LocationService
import Testing

@Suite("The store keeps what is decided about apps and known of them")
struct StoreAppsTests {
  private let app = AppIdentifier("org.example.walk", userNumber: 1_000)

  private static let grants = [
    Grant(), Grant(level: .denied, isPrecise: false), Grant(level: .whenInUse, hasRequestedAlways: true),
    Grant(level: .always, isProvisional: true), Grant(level: .always, isRestricted: true),
  ]

  @Test("Every field of a grant, and when it was decided, outlives the process", arguments: grants)
  func grant(grant: Grant) throws {
    let folder = try StoreFolder()
    try folder.open().store(grant, decidedAt: time(1_600_000_000_123_456_789), for: app)
    let expected = StoredApp(identifier: app, grant: grant, decidedAt: time(1_600_000_000_123_456_789))
    let store = try folder.open()
    #expect(try store.app(app) == expected)
    #expect(try store.apps() == [expected])
  }

  @Test("An app that was never seen is unknown, and asking for it stores nothing")
  func unknown() throws {
    let store = try StoreFolder().open()
    #expect(try store.app(app) == nil)
    try store.reset(app)
    try store.forget(app)
    #expect(try store.apps() == [])
  }

  @Test("Every value of a description is found again, and what the app no longer declares is gone")
  func description() throws {
    let folder = try StoreFolder()
    var description = AppDescription(identifier: app)
    description.whenInUseUsage = "Zeigt dich – überall. \u{1F9ED}"
    description.alwaysAndWhenInUseUsage = ""
    description.alwaysUsage = "a\0b"
    description.temporaryUsages = [.init(purposeKey: "b", text: "1"), .init(purposeKey: "a", text: "2")]
    description.prefersReducedAccuracy = true
    description.hasLocationBackgroundMode = true
    description.requiresExplicitServiceSession = true
    let store = try folder.open()
    try store.store(Grant(level: .always), decidedAt: nil, for: app)
    try store.storeSighting(of: app, kind: "flatpak", executablePath: "/opt/walk", description: description)
    var expected = StoredApp(identifier: app, grant: Grant(level: .always), kind: "flatpak")
    expected.executablePath = "/opt/walk"
    expected.description = description
    #expect(try store.app(app) == expected)
    #expect(try store.apps() == [expected])

    let bare = AppDescription(identifier: app)
    try store.storeSighting(of: app, kind: nil, executablePath: nil, description: bare)
    #expect(try store.app(app)?.description == bare)
    #expect(try store.app(app)?.executablePath == nil)
    #expect(try store.app(app)?.grant.level == .always)
  }

  @Test("One name is another app for each user, and for a service of one user")
  func users() throws {
    let store = try StoreFolder().open()
    let apps = [AppIdentifier("a"), AppIdentifier("a", userNumber: 0), AppIdentifier("a", userNumber: .max)]
    for (app, level) in zip(apps, [Grant.Level.denied, .whenInUse, .always]) {
      try store.store(Grant(level: level), decidedAt: nil, for: app)
    }
    #expect(try apps.map { try store.app($0)?.grant.level } == [.denied, .whenInUse, .always])
    #expect(try store.apps().map(\.identifier) == apps)
  }

  @Test("Resetting takes the decision back and leaves the rest")
  func reset() throws {
    let store = try StoreFolder().open()
    try store.store(
      Grant(level: .always, isProvisional: true, isPrecise: false, hasRequestedAlways: true, isRestricted: true),
      decidedAt: time(1), for: app)
    try store.storeSighting(of: app, kind: "snap", executablePath: nil, description: nil)
    try store.reset(app)
    #expect(try store.app(app) == StoredApp(identifier: app, kind: "snap"))
  }

  @Test("Forgetting takes everything but the access log, and only of that app")
  func forget() throws {
    let store = try StoreFolder().open()
    let other = AppIdentifier("org.example.other", userNumber: 1_000)
    for app in [app, other] {
      try store.storeSighting(
        of: app, kind: nil, executablePath: nil, description: AppDescription(identifier: app))
      try store.store(StoredRegistrations(monitorsVisits: true), appending: [[1]], for: app)
      _ = try store.beginAccess(by: app, service: .visits, isPrecise: true, at: time(1))
    }
    try store.forget(app)
    #expect(try store.apps().map(\.identifier) == [other])
    #expect(try store.registrations().map(\.app) == [other])
    #expect(try store.pendingEvents(of: app) == [])
    #expect(try store.appsWithPendingEvents() == [other])
    #expect(try store.accessLog(countMax: 9).map(\.app) == [other, app])
  }

  @Test("A text or a dictionary beyond all measure is refused, and what was known stays")
  func tooLong() throws {
    let store = try StoreFolder().open()
    let long = String(repeating: "x", count: StoreLimits().textBytesMax + 1)
    try store.storeSighting(of: app, kind: "plain", executablePath: nil, description: nil)
    #expect(throws: StoreError.self) {
      try store.storeSighting(of: app, kind: "plain", executablePath: long, description: nil)
    }
    var description = AppDescription(identifier: app)
    description.temporaryUsages = Array(repeating: .init(purposeKey: "a", text: "b"), count: 65)
    #expect(throws: StoreError.self) {
      try store.storeSighting(of: app, kind: "other", executablePath: nil, description: description)
    }
    #expect(throws: StoreError.self) { try store.store(Grant(), decidedAt: nil, for: AppIdentifier(long)) }
    #expect(try store.apps() == [StoredApp(identifier: app, kind: "plain")])
  }
}
