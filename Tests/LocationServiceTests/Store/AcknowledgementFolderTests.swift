import Foundation
import LinuxIO
import LocationEngine
import LocationModel
import LocationRuntime
import Testing

@testable import LocationService

@Suite("Where apps note the events that they are done with")
struct AcknowledgementFolderTests {
  private func path(_ name: String) -> String {
    AcknowledgementFolder(stateFolder: "/state").path(of: AppIdentifier(name, userNumber: 1_000))
  }

  @Test("Every app has a file of its own, also where two names begin with the same hundred bytes")
  func distinct() {
    let stem = String(repeating: "a", count: 100)
    let names = ["org.example.walk", stem, stem + "b", stem + "c", stem + stem, stem + stem + "d"]
    #expect(Set(names.map(path)).count == names.count)
  }

  @Test("No name of 255 bytes makes a part of a path that is longer than a file's name may be")
  func length() {
    let parts = path(String(repeating: "é", count: 127) + "x").split(separator: "/")
    #expect(parts.allSatisfy { $0.utf8.count <= 255 })
  }

  @Test("No name leads out of the folder")
  func inside() {
    #expect(path("../../etc/passwd").hasPrefix("/state/acknowledged/2e2e2f"))
  }

  @Test("What apps have noted goes with them, and nobody else's does")
  func forget() throws {
    let temporary = try TemporaryFolder()
    let folder = AcknowledgementFolder(stateFolder: temporary.path)
    let long = String(repeating: "a", count: 150)
    let apps = ["org.example.walk", "org.example.run", long, long + "b"].map { AppIdentifier($0, userNumber: 1_000) }
    for app in apps {
      try folder.begin(app)
      AcknowledgementFile(path: folder.path(of: app)).add(7)
    }
    folder.forget(apps[1])
    folder.forgetAll(but: [apps[0], apps[3]])
    #expect(apps.map(folder.numbers) == [[7], [], [], [7]])
    #expect(!FileManager.default.fileExists(atPath: folder.path(of: apps[1])))
    #expect(!FileManager.default.fileExists(atPath: folder.path(of: apps[2])))
  }

  @Test("No event of an app that is installed again has the number of one that it had before it was uninstalled")
  func numbers() throws {
    let folder = try StoreFolder()
    let now = Locked(time(5_000))
    let store = ServiceStore(
      try folder.open(), clock: { now.withLock { $0 } }, log: { [lines = folder.lines] in lines.add($0) })
    let app = AppIdentifier("org.example.walk", userNumber: 1_000)
    var description = AppDescription(identifier: app)
    description.isInstalled = true
    let bundle = AppBundle(path: "/opt/Walk.app", executablePath: "/opt/Walk.app/Walk", description: description)
    #expect(store.load(app).registrations.nextEventNumber == 1, "not installed, it has no events to keep")
    try store.file.install(bundle, as: app, at: time(1))
    var registrations = store.load(app).registrations
    #expect(registrations.nextEventNumber == 5_000)
    registrations.nextEventNumber += 1
    store.store(registrations, for: app)
    now.withLock { $0 = time(9_000) }
    #expect(store.load(app).registrations.nextEventNumber == 5_001, "the number after the last one")
    try store.file.forget(app)
    try store.file.install(bundle, as: app, at: time(2))
    #expect(store.load(app).registrations.nextEventNumber == 9_000)
    #expect(folder.lines.all == [])
  }
}
