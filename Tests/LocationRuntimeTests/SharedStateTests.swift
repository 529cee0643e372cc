import Foundation
import LocationEngine
import LocationModel
import LocationRuntime
import Testing

/// Two processes of one app are two stores on one folder: nothing else connects them.
@Suite("The state file that several processes of one app share")
struct SharedStateTests {
  private let app = AppIdentifier("org.example.walk")
  private let file = "corelocation/apps/org.example.walk.json"
  private let fix = Fix(
    coordinate: Coordinate(latitude: 47, longitude: 8), horizontalAccuracyMeters: 5,
    time: WallTime(secondsSince1970: 1_600_000_000))

  @Test("keeps the grant that another process stored meanwhile, when this one stores only a fix (design 5)")
  func otherGrantSurvives() throws {
    let folder = try TemporaryFolder()
    let (first, second) = (folder.store(), folder.store())
    first.store(Grant(level: .denied), for: app)
    _ = second.load(app)
    first.store(Grant(level: .whenInUse), for: app)
    second.store(fix, for: app)
    #expect(folder.store().load(app) == StoredAppState(grant: Grant(level: .whenInUse), lastFix: fix))
  }

  @Test("keeps it too where CORELOCATION_AUTHORIZATION decides in the other process")
  func presetDoesNotOverwrite() throws {
    let folder = try TemporaryFolder()
    let first = folder.store()
    let second = PresetGrantStore(grant: Grant(level: .always), store: folder.store())
    _ = second.load(app)
    first.store(Grant(level: .whenInUse), for: app)
    second.store(fix, for: app)
    #expect(folder.store().load(app).grant == Grant(level: .whenInUse))
  }

  @Test("keeps the fix that another process stored, when this one stores a grant")
  func otherFixSurvives() throws {
    let folder = try TemporaryFolder()
    let (first, second) = (folder.store(), folder.store())
    _ = second.load(app)
    first.store(fix, for: app)
    second.store(Grant(level: .denied), for: app)
    #expect(folder.store().load(app) == StoredAppState(grant: Grant(level: .denied), lastFix: fix))
  }

  private func registrations(_ identifiers: String...) -> Registrations {
    var registrations = Registrations()
    registrations.regions = identifiers.map {
      RegisteredRegion(
        region: Region(
          identifier: $0, shape: .circle(center: Coordinate(latitude: 47, longitude: 8), radiusMeters: 100)))
    }
    return registrations
  }

  @Test("keeps the regions that another process registered meanwhile, and drops those that this one stopped")
  func otherRegionsSurvive() throws {
    let folder = try TemporaryFolder()
    folder.store().store(registrations("old"), for: app)
    let (first, second) = (folder.store(), folder.store())
    _ = first.load(app)
    _ = second.load(app)
    first.store(registrations("old", "a"), for: app)
    second.store(registrations("old", "b"), for: app)
    first.store(registrations("a"), for: app)
    #expect(folder.store().load(app).registrations == registrations("a", "b"))
  }

  @Test("is read anew at each load: the next start hears of the other's answer")
  func loadReadsAnew() throws {
    let folder = try TemporaryFolder()
    let (first, second) = (folder.store(), folder.store())
    first.store(Grant(level: .denied), for: app)
    #expect(second.load(app).grant.level == .denied)
    first.store(Grant(level: .always), for: app)
    #expect(second.load(app).grant.level == .always)
  }

  @Test("is written by six at once without an error, a lost part or a file left over")
  func manyAtOnce() throws {
    let folder = try TemporaryFolder()
    let lines = Lines()
    let stores = (0..<6).map { _ in folder.store { lines.add($0) } }
    stores[0].store(Grant(level: .whenInUse), for: app)
    DispatchQueue.concurrentPerform(iterations: 6) { index in
      for _ in 0..<10 { stores[index].store(fix, for: app) }
    }
    #expect(lines.all == [])
    #expect(folder.store().load(app) == StoredAppState(grant: Grant(level: .whenInUse), lastFix: fix))
    let names = try FileManager.default.contentsOfDirectory(atPath: folder.path + "/corelocation/apps")
    #expect(Set(names).subtracting(["org.example.walk.json.lock"]) == ["org.example.walk.json"])
  }
}
