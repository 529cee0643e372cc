import CSQLite
import Glibc

/// What SQLite answered instead of doing it.
struct DatabaseFailure: Error, Hashable {
  enum Kind: Hashable {
    case full, busy, damaged, readOnly, foreign, other
    case newerVersion(found: Int, known: Int)
  }

  var kind: Kind
  /// SQLite's own words.
  var message: String
  /// The `errno` behind it; 0 where there is none.
  var systemNumber: Int32 = 0

  static func damaged(_ what: String) -> DatabaseFailure {
    DatabaseFailure(kind: .damaged, message: what)
  }

  static let foreign = DatabaseFailure(kind: .foreign, message: "another program's database")
  static let readOnlyDisk = DatabaseFailure(kind: .readOnly, message: "a disk that can only be read")

  static func newerVersion(found: Int, known: Int) -> DatabaseFailure {
    DatabaseFailure(kind: .newerVersion(found: found, known: known), message: "a newer version's database")
  }
}

/// What a change outlives.
enum Survival {
  /// The end of the process, in whatever way: the system has the change. A later one that outlives more takes it along.
  case kill
  /// The disk has it.
  case powerFailure
}

/// One connection to one SQLite file, with its statements prepared once. Belongs to whoever holds its owner's lock.
final class StoreDatabase {
  private let handle: OpaquePointer
  private var statements: [String: OpaquePointer] = [:]
  /// Nil before it was set.
  private var survival: Survival?

  /// - Parameters:
  ///   - isReadOnlyDisk: the file is read as it stands, without a lock or a log beside it.
  init(path: String, isReadOnlyDisk: Bool = false) throws(DatabaseFailure) {
    var opened: OpaquePointer?
    let code: Int32
    // The owner's lock serialises all calls, so that SQLite's own is not needed.
    if isReadOnlyDisk {
      let flags = SQLITE_OPEN_READONLY | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_URI
      code = sqlite3_open_v2(Self.immutableAddress(path), &opened, flags, nil)
    } else {
      code = sqlite3_open_v2(path, &opened, SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX, nil)
    }
    guard code == SQLITE_OK, let opened else {
      let failure = Self.failure(code, of: opened)
      sqlite3_close(opened)
      throw failure
    }
    // SQLite falls back to reading where it may not write.
    if !isReadOnlyDisk, sqlite3_db_readonly(opened, "main") == 1 {
      sqlite3_close(opened)
      throw DatabaseFailure(kind: .other, message: "may not be written", systemNumber: EACCES)
    }
    handle = opened
    sqlite3_extended_result_codes(opened, 1)
    // 64 blocks of 256 bytes; SQLite's default of 48 KB is for programs that prepare statements all the time.
    _ = corelocation_set_lookaside(opened, 256, 64)
  }

  deinit {
    for statement in statements.values { sqlite3_finalize(statement) }
    sqlite3_close(handle)
  }

  /// Whether closing leaves file and log as they are; else the log is worked into the file and removed.
  func setKeepsLogOnClose(_ keeps: Bool) {
    _ = corelocation_keep_log_on_close(handle, keeps ? 1 : 0)
  }

  // MARK: Statements

  /// Runs statements that give nothing and are needed once.
  func execute(_ sql: String) throws(DatabaseFailure) {
    let code = sqlite3_exec(handle, sql, nil, nil, nil)
    guard code == SQLITE_OK else { throw failure(code) }
  }

  /// Runs one statement that gives no rows.
  func run(_ sql: String, _ values: [StoreValue] = []) throws(DatabaseFailure) {
    try rows(sql, values) { (_) throws(DatabaseFailure) in }
  }

  /// Runs one statement and gives what `read` makes of each row, in order.
  @discardableResult
  func rows<Value>(
    _ sql: String, _ values: [StoreValue] = [], _ read: (StoreRow) throws(DatabaseFailure) -> Value
  ) throws(DatabaseFailure) -> [Value] {
    let statement = try prepared(sql)
    defer {
      sqlite3_reset(statement)
      sqlite3_clear_bindings(statement)
    }
    for (index, value) in values.enumerated() {
      let code = value.bind(to: statement, at: Int32(index + 1))
      guard code == SQLITE_OK else { throw failure(code) }
    }
    var found: [Value] = []
    while true {
      switch sqlite3_step(statement) {
      case SQLITE_ROW: found.append(try read(StoreRow(statement: statement)))
      case SQLITE_DONE: return found
      case let code: throw failure(code)
      }
    }
  }

  /// Runs one statement that is not needed again, and gives the first column of its rows.
  @discardableResult
  func once(_ sql: String) throws(DatabaseFailure) -> [String] {
    var statement: OpaquePointer?
    let prepared = sqlite3_prepare_v2(handle, sql, -1, &statement, nil)
    guard prepared == SQLITE_OK, let statement else { throw failure(prepared) }
    defer { sqlite3_finalize(statement) }
    var found: [String] = []
    while true {
      switch sqlite3_step(statement) {
      case SQLITE_ROW: found.append(StoreRow(statement: statement).text(0))
      case SQLITE_DONE: return found
      case let code: throw failure(code)
      }
    }
  }

  var lastInsertedRow: Int64 { sqlite3_last_insert_rowid(handle) }
  var changedRowCount: Int { Int(sqlite3_changes64(handle)) }

  private func prepared(_ sql: String) throws(DatabaseFailure) -> OpaquePointer {
    if let statement = statements[sql] { return statement }
    var statement: OpaquePointer?
    let code = sqlite3_prepare_v3(handle, sql, -1, UInt32(SQLITE_PREPARE_PERSISTENT), &statement, nil)
    guard code == SQLITE_OK, let statement else { throw failure(code) }
    statements[sql] = statement
    return statement
  }

  // MARK: Transactions

  /// Holds from the next transaction on.
  func setSurvival(_ wanted: Survival) throws(DatabaseFailure) {
    guard wanted != survival else { return }
    survival = nil
    try set("synchronous", wanted == .kill ? "NORMAL" : "FULL")
    survival = wanted
  }

  /// All of `body` or nothing of it.
  func transaction<Value>(
    _ body: () throws(DatabaseFailure) -> Value
  ) throws(DatabaseFailure) -> Value {
    try run("BEGIN IMMEDIATE")
    do throws(DatabaseFailure) {
      let value = try body()
      try run("COMMIT")
      return value
    } catch {
      // Some failures have ended the transaction already.
      if sqlite3_get_autocommit(handle) == 0 { try? run("ROLLBACK") }
      throw error
    }
  }

  // MARK: Failures

  private func failure(_ code: Int32) -> DatabaseFailure { Self.failure(code, of: handle) }

  private static func failure(_ code: Int32, of handle: OpaquePointer?) -> DatabaseFailure {
    let text = handle.map { String(cString: sqlite3_errmsg($0)) } ?? String(cString: sqlite3_errstr(code))
    if code == SQLITE_READONLY | (6 << 8) {
      // SQLITE_READONLY_DIRECTORY, a macro that Swift does not read: no log may be made beside the file.
      return DatabaseFailure(kind: .other, message: text, systemNumber: EACCES)
    }
    let kind: DatabaseFailure.Kind =
      switch code & 0xFF {
      case SQLITE_FULL: .full
      case SQLITE_BUSY, SQLITE_LOCKED: .busy
      case SQLITE_CORRUPT, SQLITE_NOTADB: .damaged
      case SQLITE_READONLY: .readOnly
      default: .other
      }
    // Only these codes come from a system call; for others the number is that of an earlier one.
    let isOfSystem = [SQLITE_IOERR, SQLITE_CANTOPEN].contains(code & 0xFF)
    return DatabaseFailure(
      kind: kind, message: "\(text), SQLite's code \(code)",
      systemNumber: isOfSystem ? handle.map { sqlite3_system_errno($0) } ?? 0 : 0)
  }

  /// SQLite reads a file that nothing will change without a lock and a log where its address says so.
  private static func immutableAddress(_ path: String) -> String {
    var escaped = ""
    for byte in path.utf8 {
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "/"), UInt8(ascii: "."), UInt8(ascii: "-"),
        UInt8(ascii: "_"):
        escaped.unicodeScalars.append(Unicode.Scalar(byte))
      default:
        let digits = String(byte, radix: 16)
        escaped += "%" + (digits.utf8.count == 1 ? "0" : "") + digits
      }
    }
    return "file:" + escaped + "?immutable=1"
  }
}
