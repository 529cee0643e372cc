import FoundationEssentials
import Glibc
import LocationEngine

/// Finds and reads the Info.plist of an executable.
///
/// Looked for, in this order: the file that CORELOCATION_INFO_PLIST names; beside the executable (also when that is
/// `Name.app/`); `Name.app/Info.plist` beside it; `Resources/` beside it; `Contents/` above `Contents/Linux/`.
package enum InfoPlist {
  /// What the app declares. Without a file, or with one that cannot be read, it declares nothing; `log` hears why.
  package static func describe(
    _ environment: ProcessEnvironment, log: (String) -> Void
  ) -> AppDescription {
    let path = find(environment)
    guard let path else {
      return AppDescription(identifier: AppIdentifier(environment.executablePath))
    }
    do {
      let data = try Data(contentsOf: URL(filePath: path))
      let keys = try PropertyListDecoder().decode(Keys.self, from: data)
      return keys.description(otherwise: environment.executablePath)
    } catch {
      log("\(path): not a readable property list, so this app declares no usage keys (\(error)).")
      return AppDescription(identifier: AppIdentifier(environment.executablePath))
    }
  }

  private static func find(_ environment: ProcessEnvironment) -> String? {
    if let named = environment.infoPlistPath { return named }
    let executable = environment.executablePath
    guard let slash = executable.lastIndex(of: "/") else { return nil }
    let folder = String(executable[..<slash])
    let name = executable[executable.index(after: slash)...]
    var candidates = [
      folder + "/Info.plist", folder + "/\(name).app/Info.plist", folder + "/Resources/Info.plist",
    ]
    if folder.hasSuffix("/Contents/Linux") {
      candidates.append(folder.dropLast("/Linux".count) + "/Info.plist")
    }
    return candidates.first { access($0, R_OK) == 0 }
  }

  /// The keys that location services read. A key of the wrong type counts as absent.
  private struct Keys: Decodable {
    var texts: [String: String] = [:]
    var flags: [String: Bool] = [:]
    var purposes: [String: String] = [:]
    var modes: [String] = []

    private struct Key: CodingKey {
      var stringValue: String
      var intValue: Int? { nil }
      init(stringValue: String) { self.stringValue = stringValue }
      init?(intValue: Int) { nil }
    }

    init(from decoder: any Decoder) throws {
      let container = try decoder.container(keyedBy: Key.self)
      for name in [
        InfoKey.bundleIdentifier, InfoKey.whenInUse, InfoKey.alwaysAndWhenInUse, InfoKey.always,
      ] {
        texts[name] = try? container.decode(String.self, forKey: Key(stringValue: name))
      }
      for name in [InfoKey.defaultAccuracyReduced, InfoKey.explicitServiceSession] {
        flags[name] = try? container.decode(Bool.self, forKey: Key(stringValue: name))
      }
      let purposesKey = Key(stringValue: InfoKey.temporaryUsages)
      purposes = (try? container.decode([String: String].self, forKey: purposesKey)) ?? [:]
      let modesKey = Key(stringValue: InfoKey.backgroundModes)
      modes = (try? container.decode([String].self, forKey: modesKey)) ?? []
    }

    func description(otherwise executablePath: String) -> AppDescription {
      let name = texts[InfoKey.bundleIdentifier] ?? executablePath
      var app = AppDescription(identifier: AppIdentifier(name))
      app.whenInUseUsage = texts[InfoKey.whenInUse]
      app.alwaysAndWhenInUseUsage = texts[InfoKey.alwaysAndWhenInUse]
      app.alwaysUsage = texts[InfoKey.always]
      app.temporaryUsages = purposes.sorted { $0.key < $1.key }.map {
        AppDescription.TemporaryUsage(purposeKey: $0.key, text: $0.value)
      }
      app.prefersReducedAccuracy = flags[InfoKey.defaultAccuracyReduced] ?? false
      app.requiresExplicitServiceSession = flags[InfoKey.explicitServiceSession] ?? false
      app.hasLocationBackgroundMode = modes.contains("location")
      return app
    }
  }
}
