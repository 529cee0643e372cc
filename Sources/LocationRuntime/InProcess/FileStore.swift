import FoundationEssentials
import Glibc
import LinuxIO
import LocationEngine
import LocationModel

/// The state of in-process apps, a file an app: `$XDG_STATE_HOME/corelocation/apps/NAME.json`, readable by its owner
/// alone. NAME is the bundle identifier where it is fit for a file name, else a hash of the app's identity.
package final class FileStore: AppStateStore {
  private let folder: String
  private let log: @Sendable (String) -> Void
  private let cache = Locked<[AppIdentifier: StoredFile]>([:])

  package init(stateFolder: String, log: @escaping @Sendable (String) -> Void) {
    folder = stateFolder + "/corelocation/apps"
    self.log = log
  }

  package func load(_ app: AppIdentifier) -> StoredAppState {
    let path = path(for: app)
    guard let data = try? Data(contentsOf: URL(filePath: path)) else { return StoredAppState() }
    do {
      let file = try JSONDecoder().decode(StoredFile.self, from: data)
      guard file.version == StoredFile.currentVersion else { throw UnknownVersion() }
      cache.withLock { $0[app] = file }
      return StoredAppState(grant: file.grant.grant, lastFix: file.lastFix?.fix)
    } catch {
      // Never silently emptied: what cannot be read is kept beside.
      let aside = path + ".damaged"
      rename(path, aside)
      log(
        "\(path): the stored permission of \(app.name) is damaged; "
          + "it was set aside as \(aside) and will be asked for anew.")
      return StoredAppState()
    }
  }

  package func store(_ grant: Grant, for app: AppIdentifier) {
    change(app) { $0.grant = StoredFile.StoredGrant(grant) }
  }

  package func store(_ lastFix: Fix, for app: AppIdentifier) {
    change(app) { $0.lastFix = StoredFile.StoredFix(lastFix) }
  }

  private func change(_ app: AppIdentifier, _ body: (inout StoredFile) -> Void) {
    cache.withLock { cache in
      var file = cache[app] ?? StoredFile()
      body(&file)
      cache[app] = file
      write(file, to: path(for: app), app: app)
    }
  }

  private func write(_ file: StoredFile, to path: String, app: AppIdentifier) {
    do {
      try FileManager.default.createDirectory(
        atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
      let data = try JSONEncoder().encode(file)
      try PrivateFile.replace(path, with: Array(data))
    } catch {
      log("\(path): the permission of \(app.name) could not be stored and will be asked for again (\(error)).")
    }
  }

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

  private struct UnknownVersion: Error {}
}

/// The grant comes from outside (CORELOCATION_AUTHORIZATION) and is not stored; the rest is.
package final class PresetGrantStore: AppStateStore {
  private let grant: Grant
  private let store: any AppStateStore

  package init(grant: Grant, store: any AppStateStore) {
    self.grant = grant
    self.store = store
  }

  package func load(_ app: AppIdentifier) -> StoredAppState {
    StoredAppState(grant: grant, lastFix: store.load(app).lastFix)
  }

  package func store(_ grant: Grant, for app: AppIdentifier) {}

  package func store(_ lastFix: Fix, for app: AppIdentifier) {
    store.store(lastFix, for: app)
  }
}
