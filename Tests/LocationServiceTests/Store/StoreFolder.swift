import CSQLite
import Foundation
import LocationModel
@testable import LocationService

/// A folder with a store, which goes with the test.
final class StoreFolder {
  let temporary: TemporaryFolder
  let lines = Lines()

  init() throws {
    temporary = try TemporaryFolder()
  }

  /// Below the temporary one, so that the store makes it.
  var path: String { temporary.path + "/state" }
  var file: String { path + "/" + LocationStore.fileName }

  /// 2020-09-13 at 12:26:40 UTC.
  static let now = WallTime(secondsSince1970: 1_600_000_000)

  func open(
    limits: StoreLimits = StoreLimits(), schema: StoreSchema = .current
  ) throws(StoreError) -> LocationStore {
    let lines = lines
    return try LocationStore(folder: path, limits: limits, now: Self.now, schema: schema) { lines.add($0) }
  }

  func names() throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: path).sorted()
  }

  func bytes(of name: String) throws -> Data {
    try Data(contentsOf: URL(fileURLWithPath: path + "/" + name))
  }

  /// Runs SQL in the file with a connection of its own, as another program would.
  func execute(_ sql: String) throws {
    var database: OpaquePointer?
    defer { sqlite3_close(database) }
    guard sqlite3_open(file, &database) == SQLITE_OK, sqlite3_exec(database, sql, nil, nil, nil) == SQLITE_OK else {
      throw Trouble(text: String(cString: sqlite3_errmsg(database)))
    }
  }

  struct Trouble: Error {
    var text: String
  }
}

func time(_ nanoseconds: Int64) -> WallTime { WallTime(nanosecondsSince1970: nanoseconds) }
