import LocationEngine
import LocationModel
import LocationService
import Testing

@Suite("The store keeps what is installed")
struct StoreBundlesTests {
  private let app = AppIdentifier("org.example.walk", userNumber: 1_000)

  private func bundle(_ app: AppIdentifier, path: String = "/opt/Walk.app", program: String = "Walk") -> AppBundle {
    var description = AppDescription(identifier: app)
    description.whenInUseUsage = "Shows where you are."
    description.hasLocationBackgroundMode = true
    description.isInstalled = true
    return AppBundle(
      path: path, executablePath: "\(path)/\(program)", description: description,
      backgroundModes: ["location", "audio"],
      requirements: [
        DeviceRequirement(capability: "gps", isPresent: true), DeviceRequirement(capability: "a", isPresent: false),
      ])
  }

  @Test("Everything of a bundle outlives the process, and its program leads to it for its user alone")
  func install() throws {
    let folder = try StoreFolder()
    let written = bundle(app)
    try folder.open().install(written, as: app, at: time(5))
    let store = try folder.open()
    let expected = InstalledBundle(app: app, bundle: written, installedAt: time(5))
    #expect(try store.bundles() == [expected])
    #expect(try store.bundle(of: app) == expected)
    #expect(try store.bundleIdentifier(ofProgram: "/opt/Walk.app/Walk", userNumber: 1_000) == app.name)
    #expect(try store.bundleIdentifier(ofProgram: "/opt/Walk.app/Walk", userNumber: 1_001) == nil)
    #expect(try store.bundleIdentifier(ofProgram: "/opt/Walk.app", userNumber: 1_000) == nil)
    #expect(try store.app(app)?.description?.isInstalled == true)
    #expect(try store.app(app)?.kind == "bundle")
  }

  @Test("An app that is installed anew, elsewhere too, keeps its grant")
  func replace() throws {
    let store = try StoreFolder().open()
    try store.install(bundle(app), as: app, at: time(1))
    try store.store(Grant(level: .always), decidedAt: time(2), for: app)
    let next = bundle(app, path: "/home/a/Walk.app", program: "walk-2")
    #expect(try store.install(next, as: app, at: time(3)) == [])
    #expect(try store.bundle(of: app)?.bundle == next)
    #expect(try store.app(app)?.grant.level == .always)
    #expect(try store.bundleIdentifier(ofProgram: "/opt/Walk.app/Walk", userNumber: 1_000) == nil)
  }

  @Test("Another app at the same path takes the place of the one that was there, of the same user only")
  func displace() throws {
    let store = try StoreFolder().open()
    let neighbour = AppIdentifier(app.name, userNumber: 1_001)
    try store.install(bundle(app), as: app, at: time(1))
    try store.install(bundle(neighbour), as: neighbour, at: time(1))
    try store.store(Grant(level: .always), decidedAt: time(2), for: app)
    let other = AppIdentifier("org.example.run", userNumber: 1_000)
    #expect(try store.install(bundle(other), as: other, at: time(3)) == [app])
    #expect(try store.bundles().map(\.app) == [other, neighbour])
    #expect(try store.app(app) == nil)
  }

  @Test("An app that is forgotten is not installed any more")
  func forget() throws {
    let store = try StoreFolder().open()
    try store.install(bundle(app), as: app, at: time(1))
    try store.forget(app)
    #expect(try store.bundles() == [])
    #expect(try store.apps() == [])
    #expect(try store.bundleIdentifier(ofProgram: "/opt/Walk.app/Walk", userNumber: 1_000) == nil)
  }

  @Test("A bundle beyond the store's bounds is refused, and nothing of it is kept")
  func bounds() throws {
    let store = try StoreFolder().open()
    var long = bundle(app)
    long.backgroundModes = (0...64).map(String.init)
    #expect(throws: StoreError.self) { try store.install(long, as: app, at: time(1)) }
    #expect(try store.apps() == [])
  }
}
