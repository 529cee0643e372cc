import FoundationEssentials
import LinuxIO

/// What stands at the path of a state file.
enum StateFileContent {
  case absent
  case file(StoredFile)
  /// Ours, but no state.
  case damaged
  /// Not ours to read or to replace; with the reason and what to do, without a full stop.
  case refused(String)

  /// - Parameter owner: the user whose file is believed: what others may write they could grant themselves.
  init(path: String, owner: UInt32) {
    let file: SmallFile
    do {
      file = try SmallFile(path: path)
    } catch {
      self = Self.content(after: error)
      return
    }
    guard file.owner == owner else {
      self = .refused("belongs to another user (number \(file.owner)) and does not count; remove it or take it over")
      return
    }
    guard !file.isWritableByOthers else {
      self = .refused("may be changed by other users and does not count; remove it or run chmod 600 on it")
      return
    }
    let decoder = JSONDecoder()
    let data = Data(file.bytes)
    if let version = try? decoder.decode(Version.self, from: data).version, version > StoredFile.currentVersion {
      self = .refused(
        "was written by a newer version of this software (format \(version), known is \(StoredFile.currentVersion)); "
          + "use that version or remove the file")
      return
    }
    guard let stored = try? decoder.decode(StoredFile.self, from: data), stored.version == StoredFile.currentVersion
    else {
      self = .damaged
      return
    }
    self = .file(stored)
  }

  private static func content(after failure: SmallFile.Failure) -> StateFileContent {
    switch failure {
    case .tooLarge: .damaged
    case .notRegular: .refused("is not a regular file; remove it")
    case .system where failure.isMissing: .absent
    case .system: .refused("cannot be read (\(failure.text)); mend that or remove it")
    }
  }

  private struct Version: Decodable {
    var version: Int
  }
}
