/// What the text files of /proc/PID say, as far as an identity is made of it. Nil where the text is not one.
enum ProcessText {
  /// The 22nd field of `stat`. The second is the program's name, chosen by the program: it may hold blanks and
  /// brackets, so that fields are counted from the last bracket. (proc(5))
  static func startTicks(stat text: String) -> UInt64? {
    let bytes = text.utf8
    guard let bracket = bytes.lastIndex(of: UInt8(ascii: ")")) else { return nil }
    let fields = bytes[bracket...].dropFirst().split(separator: UInt8(ascii: " "))
    // The first after the name is the third of all.
    let index = 22 - 3
    return fields.count > index ? UInt64(Substring(fields[index])) : nil
  }

  /// What `stat` says of a process's place among others.
  struct Stat: Hashable {
    var number: Int32
    /// One letter: R runs, S sleeps, T is stopped, Z has ended and is not reaped.
    var state: Character
    var parent: Int32
    var session: Int32
    /// Ticks of the processors that it has used, in its own code and in the kernel.
    var usedTicks: UInt64
    var startTicks: UInt64

    var hasEnded: Bool { state == "Z" || state == "X" }

    /// Fields 3, 4, 6, 14, 15 and 22; those after the name, which may hold anything, are counted from its bracket.
    init?(number: Int32, _ text: String) {
      guard let bracket = text.lastIndex(of: ")") else { return nil }
      let fields = text[text.index(after: bracket)...].split(separator: " ")
      guard fields.count > 22 - 3, let state = fields[0].first, let parent = Int32(fields[1]),
        let session = Int32(fields[3]), let own = UInt64(fields[14 - 3]), let inKernel = UInt64(fields[15 - 3]),
        let startTicks = UInt64(fields[22 - 3])
      else { return nil }
      self.number = number
      self.state = state
      self.parent = parent
      self.session = session
      usedTicks = own &+ inKernel
      self.startTicks = startTicks
    }
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
    // The name stands in the first line with its newlines escaped, so that it cannot pretend to be another line. Of
    // some sixty lines four count, for each client: bytes, not characters.
    for line in text.utf8.split(separator: UInt8(ascii: "\n")) {
      guard let colon = line.firstIndex(of: UInt8(ascii: ":")) else { continue }
      let values = line[colon...].dropFirst()
      switch Substring(line[..<colon]) {
      case "Uid": users = words(values).compactMap { UInt32($0) }
      case "Gid", "Groups": groups += words(values).compactMap { UInt32($0) }
      case "Seccomp": filterMode = words(values).first.map(String.init) ?? "0"
      default: break
      }
    }
    guard users.count == 4 else { return nil }
    return Status(effectiveUser: users[1], groups: groups, hasSystemCallFilter: filterMode != "0")
  }

  private static func words(_ values: Substring.UTF8View) -> [Substring] {
    values.split(whereSeparator: { $0 == UInt8(ascii: "\t") || $0 == UInt8(ascii: " ") }).map(Substring.init)
  }
}
