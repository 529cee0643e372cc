import FoundationEssentials
import LinuxIO
import LocationEngine
import LocationRuntime

/// An operator's answers as a JSON object of app names and levels: `{"/usr/bin/tracker": "always", "*": "denied"}`.
package enum PermissionFile {
  package struct Problem: Error, CustomStringConvertible {
    package var description: String
  }

  /// Where it is unless somebody says otherwise.
  package static let machinePath = "/etc/corelocation/permissions.json"

  package static func read(_ path: String) throws(Problem) -> PermissionRules {
    let file: SmallFile
    do {
      file = try SmallFile(path: path)
    } catch {
      throw Problem(description: "\(path): the permission file cannot be read (\(error.text)).")
    }
    let levels: [String: String]
    do {
      levels = try JSONDecoder().decode([String: String].self, from: Data(file.bytes))
    } catch {
      throw Problem(
        description: "\(path): expected a JSON object of app names and levels, such as {\"*\": \"whenInUse\"}; this is "
          + "none.")
    }
    var rules = PermissionRules()
    for (app, level) in levels.sorted(by: { $0.key < $1.key }) {
      guard let setting = AuthorizationSetting(level), setting.grant.level != .notDetermined else {
        throw Problem(
          description: "\(path): \"\(app)\": expected \(AuthorizationSetting.expected), found \"\(level)\".")
      }
      rules.ruleByApp[app] = PermissionRules.Rule(level: setting.grant.level, isPrecise: setting.grant.isPrecise)
    }
    return rules
  }
}
