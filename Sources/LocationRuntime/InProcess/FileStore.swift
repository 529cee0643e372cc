import Glibc
import LinuxIO
import LocationEngine
import LocationModel

/// The state of in-process apps, a file an app: `$XDG_STATE_HOME/corelocation/apps/NAME.json`, readable by its owner
/// alone. NAME is the bundle identifier where it is fit for a file name, else a hash of the app's identity.
///
/// Several processes of one app share the file. A change is made to what the file holds at that moment, under the lock
/// of `NAME.json.lock`, and to that part alone that was stored. Nothing of another person or of a newer version is
/// believed or overwritten. Each trouble is said once.
package final class FileStore: AppStateStore {
  private let folder: String
  private let owner: UInt32
  private let lockWaitSeconds: Double
  private let now: @Sendable () -> WallTime
  private let log: @Sendable (String) -> Void
  private let saidTroubles = Locked<Set<String>>([])
  /// What this process last read or stored of each app's registrations.
  private let knownRegistrations = Locked<[AppIdentifier: Registrations]>([:])

  /// - Parameters:
  ///   - owner: whose files are believed.
  ///   - lockWaitSeconds: how long another process's turn is waited for. A turn takes milliseconds.
  ///   - now: tells which stored times are still ahead.
  package init(
    stateFolder: String, owner: UInt32 = geteuid(), lockWaitSeconds: Double = 2,
    now: @escaping @Sendable () -> WallTime = { LiveClock.shared.wallTime },
    log: @escaping @Sendable (String) -> Void
  ) {
    folder = stateFolder + "/corelocation/apps"
    self.owner = owner
    self.lockWaitSeconds = lockWaitSeconds
    self.now = now
    self.log = log
  }

  package func load(_ app: AppIdentifier) -> StoredAppState {
    let path = path(for: app)
    switch StateFileContent(path: path, owner: owner) {
    case .absent:
      return StoredAppState()
    case .file(let file):
      let registrations = file.registrations?.registrations ?? Registrations()
      knownRegistrations.withLock { $0[app] = registrations }
      return StoredAppState(
        grant: file.grant.grant, lastFix: file.lastFix?.fix(now: now()), registrations: registrations)
    case .refused(let reason):
      say(.refused(reason), app: app)
    case .damaged:
      // Looked at again under the lock: another process may have mended it meanwhile.
      try? locked(path) { () throws(PrivateFile.Failure) in
        if case .damaged = StateFileContent(path: path, owner: owner) { setAside(path, app: app) }
      }
    }
    return StoredAppState()
  }

  package func store(_ grant: Grant, for app: AppIdentifier) {
    change(app, part: .grant) { $0.grant = StoredFile.StoredGrant(grant) }
  }

  /// A fix that `load` would not believe is not kept either.
  package func store(_ lastFix: Fix, for app: AppIdentifier) {
    let stored = StoredFile.StoredFix(lastFix)
    guard stored.fix(now: now()) != nil else { return }
    change(app, part: .lastFix) { $0.lastFix = stored }
  }

  /// What changed since this process last knew is changed in the file; what other processes of the app registered
  /// meanwhile stays.
  package func store(_ registrations: Registrations, for app: AppIdentifier) {
    let former = knownRegistrations.withLock { known in
      defer { known[app] = registrations }
      return known[app] ?? Registrations()
    }
    change(app, part: .registrations) { file in
      var stored = file.registrations?.registrations ?? Registrations()
      stored.take(changesFrom: former, to: registrations)
      file.registrations = stored.isEmpty ? nil : StoredFile.StoredRegistrations(stored)
    }
  }

  private func change(_ app: AppIdentifier, part: StoredPart, _ body: (inout StoredFile) -> Void) {
    let path = path(for: app)
    do throws(PrivateFile.Failure) {
      try PrivateFile.makeFolder(folder)
      try locked(path) { () throws(PrivateFile.Failure) in
        var file: StoredFile
        switch StateFileContent(path: path, owner: owner) {
        case .file(let stored): file = stored
        case .absent: file = StoredFile()
        case .damaged:
          guard setAside(path, app: app) else { return }
          file = StoredFile()
        case .refused(let reason):
          say(.refused(reason), app: app)
          return
        }
        body(&file)
        try PrivateFile.replace(path, with: file.bytes)
      }
    } catch {
      say(.notStored(part, error), app: app)
    }
  }

  private func locked(
    _ path: String, _ body: () throws(PrivateFile.Failure) -> Void
  ) throws(PrivateFile.Failure) {
    try PrivateFile.withLock(path + ".lock", waitSeconds: lockWaitSeconds, body)
  }

  /// Never silently emptied: what cannot be understood is kept beside. False where it could not be moved.
  @discardableResult
  private func setAside(_ path: String, app: AppIdentifier) -> Bool {
    let aside = path + ".damaged"
    guard rename(path, aside) == 0 else {
      say(.refused("damaged, and could not be set aside (\(SystemError(call: "rename").text)); remove it"), app: app)
      return false
    }
    say(.setAside(aside), app: app)
    return true
  }

  // MARK: Troubles

  private enum Trouble {
    case setAside(String)
    case refused(String)
    case notStored(StoredPart, PrivateFile.Failure)

    /// Troubles of one kind are said once. A permission that is lost is worth a line of its own.
    var kind: String {
      switch self {
      case .setAside: "set aside"
      case .refused: "refused"
      case .notStored(let part, _): part.rawValue
      }
    }
  }

  private func say(_ trouble: Trouble, app: AppIdentifier) {
    let isFirst = saidTroubles.withLock { said in
      if case .notStored(.lastFix, _) = trouble, said.contains(StoredPart.grant.rawValue + app.name) { return false }
      return said.insert(trouble.kind + app.name).inserted
    }
    guard isFirst else { return }
    let path = path(for: app)
    switch trouble {
    case .setAside(let aside):
      log("\(path): what was stored of \(app.name) is damaged. It was set aside as \(aside); nothing of it counts.")
    case .refused(let reason):
      log("\(path): \(reason). Until then nothing is read from it or stored in it for \(app.name).")
    case .notStored(let part, let failure):
      log("\(path): \(part.sentence(app, what: "could not be stored")) (\(failure)).")
    }
  }

  // MARK: Names

  private func path(for app: AppIdentifier) -> String {
    folder + "/" + Self.fileName(for: app) + ".json"
  }

  static func fileName(for app: AppIdentifier) -> String {
    let isPlain = app.name.utf8.allSatisfy { byte in
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "."), UInt8(ascii: "-"),
        UInt8(ascii: "_"):
        true
      default: false
      }
    }
    if isPlain, !app.name.hasPrefix("."), (1...200).contains(app.name.utf8.count) { return app.name }
    // FNV-1a, 64 bits: the same name in every process, unlike Swift's own hashes.
    let hash = app.name.utf8.reduce(UInt64(0xcbf2_9ce4_8422_2325)) {
      ($0 ^ UInt64($1)) &* 0x0000_0100_0000_01b3
    }
    return String(hash, radix: 16)
  }
}
