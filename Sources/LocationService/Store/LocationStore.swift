import LinuxIO
import LocationEngine
import LocationModel

/// What outlives the service: permissions, the last fix, settings, what apps registered, what waits for them, and when
/// they used location. One SQLite file that one process has open.
///
/// What a call has returned from outlives a kill, and a power failure too but for the last location and the access log,
/// which are too frequent to wait for the disk each time. A call that throws has changed nothing. Calls come from any
/// thread and take turns; each may wait for the disk. There is no thread and no timer behind it, and nothing is kept in
/// memory but SQLite's small cache.
package final class LocationStore: Sendable {
  package static let fileName = "store.sqlite"

  package let path: String
  package let limits: StoreLimits
  let state: Locked<State>
  /// The file that was opened, to notice where its name stands for another one.
  private let file: FileIdentity?

  struct State {
    var database: StoreDatabase
    /// Held for as long as the store is open.
    var lock: LockFile?
    /// Accesses up to this number are of earlier runs, which saw no end of those that have none.
    var lastAccessOfEarlierRuns: Int64
    var accessCount: Int
    var accessesPrunedAt: WallTime?
  }

  /// Opens the store of a folder, or begins one there. A damaged one is set aside with a line to `log`.
  ///
  /// - Parameter now: dates what is set aside.
  package convenience init(
    folder: String, limits: StoreLimits = StoreLimits(), now: WallTime,
    log: @escaping @Sendable (String) -> Void
  ) throws(StoreError) {
    try self.init(folder: folder, limits: limits, now: now, schema: .current, log: log)
  }

  init(
    folder: String, limits: StoreLimits = StoreLimits(), now: WallTime, schema: StoreSchema,
    log: @escaping @Sendable (String) -> Void
  ) throws(StoreError) {
    path = folder + "/" + Self.fileName
    self.limits = limits
    let opened = try StoreOpening(folder: folder, path: path, schema: schema, now: now, log: log).open()
    let last: Int64
    let count: Int
    do throws(DatabaseFailure) {
      last = Int64(try opened.database.once("SELECT seq FROM sqlite_sequence WHERE name = 'access'").first ?? "") ?? 0
      count = Int(try opened.database.once("SELECT count(*) FROM access").first ?? "") ?? 0
    } catch {
      throw StoreError(path: path, consequence: "the store cannot be opened", reason: StoreError.Reason(error))
    }
    file = (try? Syscalls.status(ofName: path))?.identity
    state = Locked(
      State(database: opened.database, lock: opened.lock, lastAccessOfEarlierRuns: last, accessCount: count))
  }

  /// Writes to the disk and waits until it has it. Throws where the next answer of a person could not be kept either,
  /// as far as that can be known before it is tried.
  package func verifyWritable() throws(StoreError) {
    let consequence = "nothing can be stored"
    // What is written to a file that has lost its name is gone with this process.
    guard let found = try? Syscalls.status(ofName: path), found.identity == file else {
      throw StoreError(path: path, consequence: consequence, reason: .replaced)
    }
    try change(consequence) { (state) throws(DatabaseFailure) in
      try state.database.run("UPDATE write_probe SET count = count + 1")
    }
  }

  /// Works the log into the file, for a clean stop: nothing depends on it, but a file without a log can be read on a
  /// disk that has become read-only.
  package func checkpoint() throws(StoreError) {
    try read("the log was not worked into the file") { (state) throws(DatabaseFailure) -> Void in
      try state.database.once("PRAGMA wal_checkpoint(TRUNCATE)")
    }
  }

  // MARK: Turns

  /// All of `body` is stored, or nothing of it.
  ///
  /// - Parameters:
  ///   - consequence: what it means if it is not.
  ///   - survives: what it outlives once this returns.
  func change<Value>(
    _ consequence: @autoclosure () -> String, survives: Survival = .powerFailure,
    _ body: (inout State) throws(DatabaseFailure) -> Value
  ) throws(StoreError) -> Value {
    try turn(consequence()) { (state) throws(DatabaseFailure) in
      try state.database.setSurvival(survives)
      // The caller's copy counts only once the disk has it.
      var changed = state
      let value = try state.database.transaction { () throws(DatabaseFailure) in try body(&changed) }
      state = changed
      return value
    }
  }

  func read<Value>(
    _ consequence: @autoclosure () -> String, _ body: (State) throws(DatabaseFailure) -> Value
  ) throws(StoreError) -> Value {
    try turn(consequence()) { (state) throws(DatabaseFailure) in try body(state) }
  }

  private func turn<Value>(
    _ consequence: @autoclosure () -> String, _ body: (inout State) throws(DatabaseFailure) -> Value
  ) throws(StoreError) -> Value {
    let result = state.withLock { state -> Result<Value, DatabaseFailure> in
      do throws(DatabaseFailure) {
        return .success(try body(&state))
      } catch {
        return .failure(error)
      }
    }
    do throws(DatabaseFailure) {
      return try result.get()
    } catch {
      throw StoreError(path: path, consequence: consequence(), reason: StoreError.Reason(error))
    }
  }

  // MARK: What may come in

  func check(text: String?, named name: String, _ consequence: @autoclosure () -> String) throws(StoreError) {
    guard let text, text.utf8.count > limits.textBytesMax else { return }
    throw StoreError(
      path: path, consequence: consequence(),
      reason: .unstorable("\(name) has \(text.utf8.count) bytes, \(limits.textBytesMax) are allowed"))
  }

  /// SQLite would make NULL of what is no number, and unknown of what was wrong.
  func check(numbers: [Double?], _ consequence: @autoclosure () -> String) throws(StoreError) {
    guard numbers.contains(where: { $0.map { !$0.isFinite } ?? false }) else { return }
    throw StoreError(path: path, consequence: consequence(), reason: .unstorable("one of its numbers is none"))
  }
}
