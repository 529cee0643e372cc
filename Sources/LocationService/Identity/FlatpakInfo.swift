/// What Flatpak writes into the root of every sandbox, `.flatpak-info`: a key file. (flatpak-metadata(5))
struct FlatpakInfo: Hashable {
  /// Such as `org.example.Maps`.
  var application: String
  /// The number of this start of it, for the log.
  var instance: String?

  /// Nil where no application is named: the sandbox runs a bare runtime, or the file is something else.
  init?(text: String) {
    var group: Substring = ""
    var name: String?
    var instance: String?
    for line in text.split(whereSeparator: \.isNewline) {
      if line.hasPrefix("["), line.hasSuffix("]") {
        group = line.dropFirst().dropLast()
      } else if let equals = line.firstIndex(of: "=") {
        let value = String(line[line.index(after: equals)...])
        switch (group, line[..<equals]) {
        case ("Application", "name"): name = name ?? value
        case ("Instance", "instance-id"): instance = instance ?? value
        default: break
        }
      }
    }
    guard let name, Self.isApplicationName(name) else { return nil }
    application = name
    self.instance = instance
  }

  /// The rules of D-Bus names, which Flatpak's are: letters, digits, dashes, underscores, and dots between them, 255
  /// characters at most.
  static func isApplicationName(_ name: String) -> Bool {
    let parts = name.split(separator: ".", omittingEmptySubsequences: false)
    return parts.count >= 2 && name.utf8.count <= 255
      && parts.allSatisfy { part in
        !part.isEmpty && part.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "_" || $0 == "-") }
      }
  }
}
