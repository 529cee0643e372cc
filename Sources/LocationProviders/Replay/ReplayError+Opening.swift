import LinuxIO

extension ReplayError {
  /// How messages name a path.
  static func fileName(_ path: String) -> String {
    switch path {
    case "-": "standard input"
    case "": "\"\""
    default: path
    }
  }

  /// Where the file is missing and its name ends like options, the one that is unknown is the likelier mistake.
  static func cannotOpen(_ path: String, _ error: SystemError) -> ReplayError {
    var explanation = "cannot be opened: \(error.text)"
    if error.isMissing, let option = PlaybackOptions.unknownOption(atEndOf: path) {
      explanation += ". If options were meant, \"\(option)\" is none: expected speed=, time= or gaps="
    }
    return ReplayError(reason: .cannotOpen, file: fileName(path), explanation: explanation)
  }
}

extension PlaybackOptions {
  /// The first of what follows a path's last `?` that is no option, where it looks like `key=value` at all.
  static func unknownOption(atEndOf path: String) -> Substring? {
    guard let mark = path.lastIndex(of: "?") else { return nil }
    let query = path[path.index(after: mark)...]
    guard query.contains("=") else { return nil }
    return query.split(separator: "&").first { !areKnown(in: $0) }
  }
}
