import Glibc
import LinuxIO
import LocationModel

/// Opens the store's file, or says why not: the folder and the file are the service's own, nobody else has them, the
/// file is sound and of this version. A damaged file is set aside, never emptied.
struct StoreOpening {
  let folder: String
  let path: String
  let schema: StoreSchema
  let now: WallTime
  let log: @Sendable (String) -> Void

  struct Opened {
    var database: StoreDatabase
    /// Nil on a disk that can only be read, where there is nothing to guard.
    var lock: LockFile?
  }

  func open() throws(StoreError) -> Opened {
    do throws(PrivateFile.Failure) {
      try PrivateFile.makeFolder(folder)
    } catch {
      throw self.error(StoreError.Reason(systemNumber: error.code))
    }
    try check(status { () throws(SystemError) in try Syscalls.status(of: folder) }, named: folder, isFolder: true)
    guard let lock = try lock() else { return Opened(database: try openOnReadOnlyDisk(), lock: nil) }
    let status = try status { () throws(SystemError) in try Syscalls.status(ofName: path) }
    if let status {
      try check(status, named: path, isFolder: false)
    } else {
      try create()
    }
    do throws(DatabaseFailure) {
      return Opened(database: try openSound(), lock: lock)
    } catch {
      guard error.kind == .damaged else { throw self.error(error) }
      try setAside(because: error)
    }
    try create()
    do throws(DatabaseFailure) {
      return Opened(database: try openSound(), lock: lock)
    } catch {
      throw self.error(error)
    }
  }

  // MARK: The file and its folder

  private func status(
    _ call: () throws(SystemError) -> FileStatus?
  ) throws(StoreError) -> FileStatus? {
    do throws(SystemError) {
      return try call()
    } catch {
      throw self.error(StoreError.Reason(systemNumber: error.number))
    }
  }

  private func check(_ status: FileStatus?, named name: String, isFolder: Bool) throws(StoreError) {
    let trouble: String? =
      if let status {
        if isFolder ? !status.isFolder : !status.isRegular {
          "\(name) is not a \(isFolder ? "folder" : "regular file")"
        } else if status.owner != geteuid() && status.owner != 0 {
          "\(name) belongs to another user (number \(status.owner))"
        } else if status.isWritableByGroup || status.isWritableByOthers {
          "\(name) may be changed by other users (chmod go-w ends that)"
        } else {
          nil
        }
      } else {
        "\(name) is gone"
      }
    if let trouble { throw error(.untrusted(trouble)) }
  }

  /// Nil where the disk can only be read.
  private func lock() throws(StoreError) -> LockFile? {
    do throws(LockFile.Failure) {
      return try LockFile(path + ".lock")
    } catch {
      switch error {
      case .held(let holder): throw self.error(.inUse(by: holder))
      case .system(let failure):
        if failure.number == EROFS { return nil }
        throw self.error(StoreError.Reason(systemNumber: failure.number))
      }
    }
  }

  private func create() throws(StoreError) {
    do throws(SystemError) {
      // Made here and not by SQLite, which would let others read it. It outlives a crash once its log does: SQLite
      // writes out the folder then.
      try Syscalls.createPrivateFile(path)
    } catch {
      throw self.error(StoreError.Reason(systemNumber: error.number))
    }
  }

  // MARK: The database

  private func openSound() throws(DatabaseFailure) -> StoreDatabase {
    let database = try StoreDatabase(path: path)
    // What is damaged is set aside as it was found.
    database.setKeepsLogOnClose(true)
    // Held for good: no other program changes the file meanwhile, and no memory is shared with one.
    try database.set("locking_mode", "EXCLUSIVE")
    try database.checkSoundness(knownVersion: schema.version)
    guard try database.set("journal_mode", "WAL").lowercased() == "wal" else {
      throw DatabaseFailure(kind: .other, message: "the file system has no write-ahead log")
    }
    try database.configure()
    try migrate(database)
    database.setKeepsLogOnClose(false)
    return database
  }

  /// Reads go on where nothing can be written. A log that was not worked in yet cannot be read there.
  private func openOnReadOnlyDisk() throws(StoreError) -> StoreDatabase {
    for suffix in ["-wal", "-journal"] {
      let rest = try status { () throws(SystemError) in try Syscalls.status(ofName: path + suffix) }
      if (rest?.byteCount ?? 0) > 0 { throw error(.diskReadOnly) }
    }
    guard let file = try status({ () throws(SystemError) in try Syscalls.status(ofName: path) }) else {
      throw error(.diskReadOnly)
    }
    try check(file, named: path, isFolder: false)
    do throws(DatabaseFailure) {
      let database = try StoreDatabase(path: path, isReadOnlyDisk: true)
      try database.checkSoundness(knownVersion: schema.version)
      try database.configure()
      if try database.number("user_version") != schema.version { throw DatabaseFailure.readOnlyDisk }
      log("\(path): its disk can only be read. What is stored counts; nothing new is kept.")
      return database
    } catch {
      throw self.error(error)
    }
  }

  private func migrate(_ database: StoreDatabase) throws(DatabaseFailure) {
    for version in try database.number("user_version")..<schema.version {
      try database.transaction { () throws(DatabaseFailure) in
        try database.execute(schema.migrations[version])
        try database.execute("PRAGMA application_id = \(StoreSchema.applicationNumber)")
        try database.execute("PRAGMA user_version = \(version + 1)")
      }
    }
  }

  // MARK: Damage

  private func setAside(because failure: DatabaseFailure) throws(StoreError) {
    let aside = try freeName(path + ".damaged-" + Self.dateText(now))
    do throws(SystemError) {
      // The logs first: a log that was left beside a new file would be worked into it.
      for suffix in ["-wal", "-journal"] where try Syscalls.status(ofName: path + suffix) != nil {
        try Syscalls.rename(path + suffix, to: aside + suffix)
      }
      try Syscalls.rename(path, to: aside)
    } catch {
      throw self.error(StoreError.Reason(systemNumber: error.number))
    }
    log(
      "\(path): damaged (\(failure.message)). It was set aside as \(aside), and a new one is begun: every app asks "
        + "for permission again. sqlite3's .recover may save what is in it.")
  }

  private func freeName(_ wanted: String) throws(StoreError) -> String {
    for number in 1...1_000 {
      let name = number == 1 ? wanted : "\(wanted)-\(number)"
      if try status({ () throws(SystemError) in try Syscalls.status(ofName: name) }) == nil { return name }
    }
    throw error(.system("there are 1000 damaged files of this second already; remove them"))
  }

  /// As in 20260131T235959Z.
  static func dateText(_ time: WallTime) -> String {
    var seconds = time_t(time.nanosecondsSince1970 / 1_000_000_000)
    var parts = tm()
    guard gmtime_r(&seconds, &parts) != nil else { return "unknown" }
    var text = [CChar](repeating: 0, count: 32)
    let count = strftime(&text, text.count, "%Y%m%dT%H%M%SZ", &parts)
    return String(decoding: text[..<count].map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }

  // MARK: Errors

  private func error(_ reason: StoreError.Reason) -> StoreError {
    StoreError(path: path, consequence: "the store cannot be opened", reason: reason)
  }

  private func error(_ failure: DatabaseFailure) -> StoreError {
    guard failure.kind == .busy else { return error(StoreError.Reason(failure)) }
    return error(.inUse(by: Syscalls.recordLockHolder(of: path).map(ProcessName.init)))
  }
}

extension StoreDatabase {
  /// Settings of the connection that are no part of the file.
  func configure() throws(DatabaseFailure) {
    try setSurvival(.powerFailure)
    try set("foreign_keys", "ON")
    try set("trusted_schema", "OFF")
    try set("temp_store", "MEMORY")
    // In KiB: the store is small and seldom read.
    try set("cache_size", "-64")
    // In pages of 4 KiB: the log is worked in every 256 KiB and cut back then.
    try set("wal_autocheckpoint", "64")
    try set("journal_size_limit", "262144")
  }

  @discardableResult
  func set(_ name: String, _ value: String) throws(DatabaseFailure) -> String {
    try once("PRAGMA \(name) = \(value)").first ?? ""
  }

  func number(_ name: String) throws(DatabaseFailure) -> Int {
    Int(try once("PRAGMA \(name)").first ?? "") ?? 0
  }

  /// Throws where the file is no database, another program's, of a newer version or not sound.
  func checkSoundness(knownVersion: Int) throws(DatabaseFailure) {
    let version = try number("user_version")
    let application = try number("application_id")
    if version == 0 && application == 0 {
      // New, or the rest of a first start that ended before its first step was stored.
      if try once("SELECT count(*) FROM sqlite_schema").first != "0" { throw .foreign }
    } else if application != Int(StoreSchema.applicationNumber) {
      throw .foreign
    }
    if version > knownVersion { throw .newerVersion(found: version, known: knownVersion) }
    guard version >= 0 else { throw .damaged("its version is \(version)") }
    let findings = try once("PRAGMA quick_check(1)")
    if findings != ["ok"] { throw .damaged(findings.first ?? "the check says nothing") }
  }
}
