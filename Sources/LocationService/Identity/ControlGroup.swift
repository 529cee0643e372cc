/// Where systemd has put a process, read from its control group.
///
/// The path of a group tells who made it: below `user@N.service` the user N may make groups of any name, elsewhere only
/// root may. (systemd's documentation of control groups and of desktop environments)
enum ControlGroup: Hashable {
  /// A service of the system's manager.
  case systemService(String)
  /// A unit of a user's own manager; nil for the manager itself.
  case userUnit(String?, manager: UInt32)
  /// A login session, a container, a unit of a moment, a group out of sight.
  case other(String)
  /// No systemd put the process anywhere.
  case none

  /// - Parameter text: `/proc/PID/cgroup`. systemd's own hierarchy counts, else the unified one.
  init(text: String) {
    let lines = text.split(separator: "\n")
    let path =
      Self.path(in: lines, after: ":name=systemd:") ?? Self.path(in: lines, after: "0::")
    self = path.map(Self.init(path:)) ?? .none
  }

  private static func path(in lines: [Substring], after mark: String) -> Substring? {
    for line in lines {
      guard let colon = line.firstIndex(of: ":") else { continue }
      if mark.first == ":" ? line[colon...].hasPrefix(mark) : line.hasPrefix(mark) {
        let rest = line[colon...].dropFirst().drop { $0 != ":" }.dropFirst()
        return rest.isEmpty ? nil : rest
      }
    }
    return nil
  }

  private init(path: Substring) {
    let parts = path.split(separator: "/", omittingEmptySubsequences: true)
    let isOfSystemd = parts.contains { part in [".slice", ".scope", ".service"].contains(where: part.hasSuffix) }
    // Two dots lead out of what this process sees as the root of groups.
    guard isOfSystemd, !parts.contains("..") else {
      self = isOfSystemd ? .other(String(path)) : .none
      return
    }
    var rest = parts.drop { $0.hasSuffix(".slice") }
    guard let unit = rest.popFirst().map(Self.unescaped) else {
      self = .other(String(path))
      return
    }
    if let manager = Self.userOfManager(unit) {
      let inner = rest.drop { $0.hasSuffix(".slice") }.first.map(Self.unescaped)
      self = .userUnit(inner.flatMap { $0 == "init.scope" ? nil : $0 }, manager: manager)
    } else if unit.hasSuffix(".service"), unit.count > ".service".count, !Self.isTransient(unit) {
      self = .systemService(unit)
    } else {
      self = .other(String(path))
    }
  }

  /// systemd puts an underscore before names that the kernel would take for files of its own.
  private static func unescaped(_ name: Substring) -> String {
    String(name.hasPrefix("_") ? name.dropFirst() : name)
  }

  private static func userOfManager(_ unit: String) -> UInt32? {
    guard unit.hasPrefix("user@"), unit.hasSuffix(".service") else { return nil }
    return UInt32(unit.dropFirst("user@".count).dropLast(".service".count))
  }

  /// `systemd-run` makes up such names, another at each run: nothing to know an app by.
  private static func isTransient(_ unit: String) -> Bool {
    ["run-r", "run-u", "run-p"].contains { prefix in
      unit.hasPrefix(prefix)
        && unit.dropFirst(prefix.count).dropLast(".service".count).allSatisfy {
          $0.isHexDigit || $0 == "-" || $0 == "i"
        }
    }
  }

  /// The Flatpak that a unit of the user's manager is named after: `app-flatpak-NAME-NUMBER.scope`, without `app-`
  /// before Flatpak 1.11.
  var flatpakName: String? {
    guard case .userUnit(let unit?, _) = self, unit.hasSuffix(".scope"),
      let prefix = ["app-flatpak-", "flatpak-"].first(where: unit.hasPrefix)
    else { return nil }
    let name = unit.dropFirst(prefix.count).dropLast(".scope".count)
    guard let dash = name.lastIndex(of: "-"), dash > name.startIndex else { return nil }
    return UnitName.unescaped(name[..<dash])
  }

  /// The Snap that a unit is named after: `snap.NAME.APP-UUID.scope` or `snap.NAME.APP.service`.
  var snapName: String? {
    switch self {
    case .systemService(let unit), .userUnit(let unit?, _):
      guard unit.hasSuffix(".scope") || unit.hasSuffix(".service") else { return nil }
      return SecurityLabel.snapName(inSecurityTag: unit)
    case .userUnit(nil, _), .other, .none: return nil
    }
  }
}

/// systemd's writing of names in units: `\xHH` for a byte that a unit's name may not hold. (systemd.unit(5))
enum UnitName {
  /// Nil where an escape is not one.
  static func unescaped(_ name: Substring) -> String? {
    var bytes: [UInt8] = []
    var rest = Array(name.utf8)[...]
    while let byte = rest.popFirst() {
      guard byte == UInt8(ascii: "\\") else {
        bytes.append(byte)
        continue
      }
      let digits = rest.prefix(3)
      guard digits.count == 3, digits.first == UInt8(ascii: "x"),
        let value = UInt8(String(decoding: digits.dropFirst(), as: UTF8.self), radix: 16)
      else { return nil }
      bytes.append(value)
      rest = rest.dropFirst(3)
    }
    return String(validating: bytes, as: UTF8.self)
  }
}
