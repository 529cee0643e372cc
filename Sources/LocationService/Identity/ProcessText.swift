/// What the text files of /proc/PID say, as far as an identity is made of it. Nil where the text is not one.
enum ProcessText {
  /// The 22nd field of `stat`. The second is the program's name, chosen by the program: it may hold blanks and
  /// brackets, so that fields are counted from the last bracket. (proc(5))
  static func startTicks(stat text: String) -> UInt64? {
    guard let bracket = text.lastIndex(of: ")") else { return nil }
    let fields = text[text.index(after: bracket)...].split(separator: " ")
    // The first after the name is the third of all.
    let index = 22 - 3
    return fields.count > index ? UInt64(fields[index]) : nil
  }

  struct Status: Hashable {
    var effectiveUser: UInt32
    var groups: [UInt32]
    var hasSystemCallFilter: Bool
  }

  /// `status`: users and groups, and whether a filter of system calls is set (mode 2, proc(5)). A kernel without
  /// such filters has no line for them.
  static func status(_ text: String) -> Status? {
    var users: [UInt32] = []
    var groups: [UInt32] = []
    var filterMode = "0"
    // The name stands in the first line with its newlines escaped, so that it cannot pretend to be another line.
    for line in text.split(separator: "\n") {
      let words = line.split(whereSeparator: { $0 == "\t" || $0 == " " })
      switch words.first {
      case "Uid:": users = words.dropFirst().compactMap { UInt32($0) }
      case "Gid:", "Groups:": groups += words.dropFirst().compactMap { UInt32($0) }
      case "Seccomp:": filterMode = words.dropFirst().first.map(String.init) ?? "0"
      default: break
      }
    }
    guard users.count == 4 else { return nil }
    return Status(effectiveUser: users[1], groups: groups, hasSystemCallFilter: filterMode != "0")
  }
}
