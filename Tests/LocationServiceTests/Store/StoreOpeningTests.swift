import Foundation
import LinuxIO
import LocationEngine
import LocationModel
import Testing

@testable import LocationService

@Suite("A store opens, or says why not")
struct StoreOpeningTests {
  private let app = AppIdentifier("org.example.walk")

  private func refusal(_ folder: StoreFolder, schema: StoreSchema = .current) -> StoreError? {
    do throws(StoreError) {
      _ = try folder.open(schema: schema)
      return nil
    } catch {
      return error
    }
  }

  private func storeGrant(_ folder: StoreFolder, schema: StoreSchema = .current) throws {
    try folder.open(schema: schema).store(Grant(level: .always), decidedAt: nil, for: app)
  }

  @Test("Folder, file, log and lock are for their owner alone")
  func modes() throws {
    let folder = try StoreFolder()
    let store = try folder.open()
    try store.verifyWritable()
    #expect(try folder.temporary.mode(of: "state") == 0o700)
    #expect(try folder.names() == ["store.sqlite", "store.sqlite-wal", "store.sqlite.lock"])
    for name in try folder.names() { #expect(try folder.temporary.mode(of: "state/" + name) == 0o600) }
    #expect(folder.lines.all == [])
  }

  @Test("A second one is refused and told who has it; the first goes on")
  func second() throws {
    let folder = try StoreFolder()
    let store = try folder.open()
    let refused = try #require(refusal(folder))
    #expect(refused.reason == .inUse(by: ProcessName(number: getpid())))
    #expect(refused.description.contains("(process \(getpid()))"))
    try store.store(Grant(level: .denied), decidedAt: nil, for: app)
    #expect(try store.app(app)?.grant.level == .denied)
  }

  @Test("A newer version's file is refused and stays as it is")
  func newer() throws {
    let folder = try StoreFolder()
    try storeGrant(folder)
    try folder.execute("PRAGMA user_version = 99")
    let before = try folder.bytes(of: LocationStore.fileName)
    let refused = try #require(refusal(folder))
    #expect(refused.reason == .newerSchema(found: 99, known: StoreSchema.current.version))
    #expect(refused.description.contains("newer version"))
    #expect(try folder.bytes(of: LocationStore.fileName) == before)
    #expect(try folder.names().filter { try !folder.bytes(of: $0).isEmpty } == ["store.sqlite", "store.sqlite.lock"])
  }

  @Test("Another program's database is refused and stays as it is")
  func foreign() throws {
    let folder = try StoreFolder()
    try FileManager.default.createDirectory(atPath: folder.path, withIntermediateDirectories: true)
    try folder.execute("CREATE TABLE bookmarks (a); INSERT INTO bookmarks VALUES (1)")
    let before = try folder.bytes(of: LocationStore.fileName)
    #expect(refusal(folder)?.reason == .foreign)
    #expect(try folder.bytes(of: LocationStore.fileName) == before)
  }

  // MARK: Versions

  @Test("A store of every older version opens with what was in it", arguments: 0..<StoreSchema.current.version)
  func migrate(version: Int) throws {
    let folder = try StoreFolder()
    let older = StoreSchema(migrations: Array(StoreSchema.current.migrations[..<version]))
    if version > 0 {
      try storeGrant(folder, schema: older)
    } else {
      try FileManager.default.createDirectory(atPath: folder.path, withIntermediateDirectories: true)
      try Data().write(to: URL(fileURLWithPath: folder.file))
      #expect(chmod(folder.file, 0o600) == 0)
    }
    let store = try folder.open()
    #expect(try store.app(app)?.grant.level == (version > 0 ? .always : nil))
    #expect(folder.lines.all == [])
  }

  private static let nextSteps = [
    "ALTER TABLE app ADD COLUMN added TEXT; UPDATE app SET added = 'new'",
    "CREATE TABLE more (a) STRICT", "UPDATE app SET added = added || 'er'",
  ].map { $0.replacingOccurrences(of: "(a)", with: "(a TEXT)") }

  @Test("Steps to come are taken in order, once each, from every version before", arguments: 0...3)
  func later(steps: Int) throws {
    let folder = try StoreFolder()
    let current = StoreSchema.current.migrations
    try storeGrant(folder, schema: StoreSchema(migrations: current + Self.nextSteps[..<steps]))
    let newest = StoreSchema(migrations: current + Self.nextSteps)
    for _ in 0..<2 {
      let store = try folder.open(schema: newest)
      #expect(try store.app(app)?.grant.level == .always)
    }
    // The grant came after the first step where there was one, so that its row was not there to be changed by it.
    let expected = [0: "'newer'", 1: "NULL", 2: "NULL", 3: "NULL"][steps] ?? ""
    try folder.execute("CREATE TABLE probe (x CHECK (x)); INSERT INTO probe SELECT added IS \(expected) FROM app")
  }

  @Test("A step that fails leaves the version before as it was")
  func failingStep() throws {
    let folder = try StoreFolder()
    try storeGrant(folder)
    let broken = StoreSchema(migrations: StoreSchema.current.migrations + ["DELETE FROM app; SELECT * FROM missing"])
    #expect(refusal(folder, schema: broken) != nil)
    #expect(try folder.open().app(app)?.grant.level == .always)
  }

  // MARK: Damage

  private func damage(_ folder: StoreFolder, at offset: Int, with bytes: [UInt8]) throws {
    let file = try FileHandle(forWritingTo: URL(fileURLWithPath: folder.file))
    try file.seek(toOffset: UInt64(offset))
    try file.write(contentsOf: Data(bytes))
    try file.close()
  }

  @Test(
    "A damaged file is set aside with a line that says so, none of it is lost, and a new one is begun",
    arguments: ["text", "header", "page", "cut"])
  func damaged(kind: String) throws {
    let folder = try StoreFolder()
    try storeGrant(folder)
    switch kind {
    case "text":
      try Data("{\"version\":1}, which is no database at all".utf8).write(to: URL(fileURLWithPath: folder.file))
      #expect(chmod(folder.file, 0o600) == 0)
    case "header": try damage(folder, at: 0, with: Array("SQLite".utf8).reversed())
    // The first page of a table: its kind of page is none.
    case "page": try damage(folder, at: 4_096, with: [UInt8](repeating: 0xAA, count: 64))
    default: #expect(truncate(folder.file, 5_000) == 0)
    }
    let before = try folder.bytes(of: LocationStore.fileName)
    let store = try folder.open()
    #expect(try store.apps() == [])
    try store.store(Grant(level: .denied), decidedAt: nil, for: app)
    let aside = "store.sqlite.damaged-20200913T122640Z"
    #expect(try folder.bytes(of: aside) == before)
    #expect(folder.lines.all.count == 1)
    #expect(folder.lines.all.first?.contains(folder.path + "/" + aside) == true, "\(folder.lines.all)")
  }

  @Test("A second damaged file of one second does not take the first one's place")
  func damagedTwice() throws {
    let folder = try StoreFolder()
    for text in ["first is no database", "second is no database"] {
      _ = try folder.open()
      try Data(text.utf8).write(to: URL(fileURLWithPath: folder.file))
      #expect(chmod(folder.file, 0o600) == 0)
      _ = try folder.open()
    }
    let aside = "store.sqlite.damaged-20200913T122640Z"
    #expect(try folder.bytes(of: aside) == Data("first is no database".utf8))
    #expect(try folder.bytes(of: aside + "-2") == Data("second is no database".utf8))
  }

  // MARK: Trust

  @Test("What others may write, a link and a folder in the file's place are refused, and say what to do")
  func untrusted() throws {
    let folder = try StoreFolder()
    try storeGrant(folder)
    #expect(chmod(folder.file, 0o622) == 0)
    #expect(refusal(folder)?.description.contains("may be changed by other users") == true)
    #expect(chmod(folder.file, 0o600) == 0)
    #expect(chmod(folder.path, 0o777) == 0)
    #expect(refusal(folder)?.description.contains("may be changed by other users") == true)
    #expect(chmod(folder.path, 0o700) == 0)
    #expect(try folder.open().app(app)?.grant.level == .always)
    #expect(rename(folder.file, folder.path + "/elsewhere") == 0)
    #expect(symlink(folder.path + "/elsewhere", folder.file) == 0)
    #expect(refusal(folder)?.description.contains("not a regular file") == true)
    #expect(unlink(folder.file) == 0)
    #expect(mkdir(folder.file, 0o700) == 0)
    #expect(refusal(folder)?.description.contains("not a regular file") == true)
  }

  @Test("A folder that is a file is refused")
  func noFolder() throws {
    let folder = try StoreFolder()
    try folder.temporary.write("", to: "state")
    #expect(refusal(folder)?.description.contains("Not a directory") == true)
  }

  // MARK: Writing

  @Test("A file that was removed or replaced under the store takes no more answers")
  func replaced() throws {
    let folder = try StoreFolder()
    let store = try folder.open()
    try store.verifyWritable()
    #expect(rename(folder.file, folder.file + ".away") == 0)
    #expect(throws: StoreError.self) { try store.verifyWritable() }
    try folder.temporary.write("", to: "state/" + LocationStore.fileName)
    #expect(throws: StoreError.self) { try store.verifyWritable() }
    #expect(unlink(folder.file) == 0)
    #expect(rename(folder.file + ".away", folder.file) == 0)
    try store.verifyWritable()
  }

  @Test("A write that finds no room leaves everything as it was, and the next one that finds some succeeds")
  func noRoom() throws {
    let folder = try StoreFolder()
    let store = try folder.open()
    try store.store(Grant(level: .whenInUse), decidedAt: time(1), for: app)
    let regions = StoredRegistrations(monitorsVisits: true)
    try store.store(regions, appending: [[1]], for: app)
    let before = try (store.apps(), store.pendingEvents(of: app))
    try limit(store, pages: 1)
    let large = StoredRegistrations(engineState: [UInt8](repeating: 1, count: 200_000))
    do throws(StoreError) {
      try store.store(large, appending: [[2]], for: app)
      Issue.record("there was room")
    } catch {
      #expect(error.reason == .diskFull)
      #expect(error.description.contains(folder.file) && error.description.contains("Make room"))
    }
    #expect(try store.apps() == before.0)
    #expect(try store.pendingEvents(of: app) == before.1)
    #expect(try store.registrations().map(\.registrations) == [regions])
    try limit(store, pages: 100_000)
    try store.store(large, appending: [[2]], for: app)
    #expect(try store.registrations().map(\.registrations) == [large])
  }

  private func limit(_ store: LocationStore, pages: Int) throws {
    try store.state.withLock { _ = try $0.database.set("max_page_count", "\(pages)") }
  }

  @Test("Calls from many threads take turns")
  func turns() async throws {
    let store = try StoreFolder().open()
    await withTaskGroup(of: Void.self) { group in
      for number in 0..<8 {
        group.addTask {
          for round in 0..<5 {
            let app = AppIdentifier("app\(number)")
            try? store.store(Grant(level: .always), decidedAt: time(Int64(round)), for: app)
            _ = try? store.append(event: [UInt8(round)], for: app)
          }
        }
      }
    }
    #expect(try store.apps().map(\.decidedAt) == Array(repeating: time(4), count: 8))
    for number in 0..<8 {
      #expect(try store.pendingEvents(of: AppIdentifier("app\(number)")).map(\.bytes) == [[0], [1], [2], [3], [4]])
    }
  }
}
