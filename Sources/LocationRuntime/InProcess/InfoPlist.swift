import Glibc
import LocationEngine

/// Finds and reads the Info.plist of an executable.
///
/// Looked for, in this order: the file that CORELOCATION_INFO_PLIST names; beside the executable (also when that is
/// `Name.app/`); `Name.app/Info.plist` beside it; `Resources/` beside it; `Contents/` above `Contents/Linux/`. Texts
/// for people come from `LANGUAGE.lproj/InfoPlist.strings` beside the file where the person's language has one
/// (behaviour 1.47).
package enum InfoPlist {
  /// What the app declares. Without a file, or with one that cannot be read, it declares nothing; `log` hears why.
  package static func describe(
    _ environment: ProcessEnvironment, log: (String) -> Void
  ) -> AppDescription {
    let path = find(environment)
    guard let path else {
      return AppDescription(identifier: AppIdentifier(environment.executablePath))
    }
    do throws(PropertyListFile.Problem) {
      return try read(path, executablePath: environment.executablePath, locale: environment.locale, log: log)
    } catch {
      log("\(path): \(error.text). So this app declares no usage keys.")
      return AppDescription(identifier: AppIdentifier(environment.executablePath))
    }
  }

  /// What the Info.plist at a path declares; an app without a bundle identifier is called by its executable's path.
  package static func read(
    _ path: String, executablePath: String, locale: String?, log: (String) -> Void
  ) throws(PropertyListFile.Problem) -> AppDescription {
    let keys = try PropertyListFile.read(Keys.self, from: path, expected: expected)
    return keys.description(
      otherwise: executablePath, localized: localizedTexts(beside: path, locale: locale, log: log))
  }

  /// What an Info.plist is, for people.
  package static let expected = "a property list (XML or binary) with a dictionary at its root"

  /// The strings of the person's language, the most exact folder that there is: `de_DE`, `de-DE`, then `de`.
  private static func localizedTexts(
    beside path: String, locale: String?, log: (String) -> Void
  ) -> [String: String] {
    guard let name = locale?.prefix(while: { $0 != "." && $0 != "@" }), name != "C", name != "POSIX" else { return [:] }
    let language = name.prefix { $0 != "_" }
    let folder = path.lastIndex(of: "/").map { String(path[...$0]) } ?? ""
    let candidates = [String(name), name.split(separator: "_").joined(separator: "-"), String(language)]
      .map { folder + $0 + ".lproj/InfoPlist.strings" }
    guard let file = candidates.first(where: { access($0, R_OK) == 0 }) else { return [:] }
    do throws(PropertyListFile.Problem) {
      return try PropertyListFile.read(
        [String: String].self, from: file, expected: "a strings file: lines of \"KEY\" = \"TEXT\";")
    } catch {
      log("\(file): \(error.text). So the texts of the Info.plist are shown.")
      return [:]
    }
  }

  /// The file that `describe` reads; nil where there is none.
  package static func path(_ environment: ProcessEnvironment) -> String? {
    find(environment)
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

    /// A translation replaces a text; it does not stand in for a key that the Info.plist lacks.
    func description(otherwise executablePath: String, localized: [String: String]) -> AppDescription {
      let name = texts[InfoKey.bundleIdentifier] ?? executablePath
      func usage(_ key: String) -> String? { texts[key].map { localized[key] ?? $0 } }
      var app = AppDescription(identifier: AppIdentifier(name))
      app.whenInUseUsage = usage(InfoKey.whenInUse)
      app.alwaysAndWhenInUseUsage = usage(InfoKey.alwaysAndWhenInUse)
      app.alwaysUsage = usage(InfoKey.always)
      app.temporaryUsages = purposes.sorted { $0.key < $1.key }.map {
        AppDescription.TemporaryUsage(purposeKey: $0.key, text: localized[$0.key] ?? $0.value)
      }
      app.prefersReducedAccuracy = flags[InfoKey.defaultAccuracyReduced] ?? false
      app.requiresExplicitServiceSession = flags[InfoKey.explicitServiceSession] ?? false
      app.hasLocationBackgroundMode = modes.contains("location")
      return app
    }
  }
}
