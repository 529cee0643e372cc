/// What a security module (AppArmor, SELinux) says of a process: `/proc/PID/attr/current`.
enum SecurityLabel: Hashable {
  /// No security module gives labels.
  case none
  /// A module says that it does not confine this process.
  case unconfined
  /// The snap and whatever it runs cannot shed this label.
  case snap(name: String, label: String)
  case confined(String)

  /// The kernel ends the text with a newline or a zero byte.
  init(text: String) {
    let label = String(text.prefix { $0 != "\0" && $0 != "\n" && $0 != "\r\n" })
    let parts = label.split(separator: ":", maxSplits: 3)
    if label.isEmpty || label == "kernel" {
      self = .unconfined
    } else if parts.count >= 3, !label.contains(" (") {
      // SELinux: user:role:type:level.
      self = Self.unconfinedTypes.contains(String(parts[2])) ? .unconfined : .confined(label)
    } else {
      self.init(appArmor: label)
    }
  }

  /// AppArmor: `unconfined`, or a profile and its mode in brackets. A profile in the mode `unconfined` is a mere name;
  /// one in `complain` forbids nothing.
  private init(appArmor label: String) {
    var profile = Substring(label)
    var mode: Substring = "enforce"
    if label.hasSuffix(")"), let bracket = label.lastIndex(of: "("), bracket > label.startIndex {
      mode = label[label.index(after: bracket)...].dropLast()
      profile = label[..<label.index(before: bracket)]
    }
    // A stack of profiles is one after another; a snap's is the first of its own stack.
    let snap = Self.snapName(inSecurityTag: String(profile.prefix { $0 != "/" }))
    if let snap {
      self = .snap(name: snap, label: label)
    } else {
      let isFree = profile == "unconfined" || mode == "unconfined" || mode == "complain"
      self = isFree ? .unconfined : .confined(label)
    }
  }

  /// The types that SELinux's targeted policy gives to what it does not confine.
  private static let unconfinedTypes: Set<String> = ["unconfined_t", "unconfined_service_t", "initrc_t", "kernel_t"]

  /// `snap.NAME.APP` or `snap.NAME.hook.HOOK`. A snap's name is of small letters, digits and dashes; a parallel
  /// installation adds an underscore and a key.
  static func snapName(inSecurityTag tag: String) -> String? {
    let parts = tag.split(separator: ".", maxSplits: 2, omittingEmptySubsequences: false)
    guard parts.count == 3, parts[0] == "snap", !parts[1].isEmpty, !parts[2].isEmpty else { return nil }
    let isName = parts[1].utf8.allSatisfy { byte in
      (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte) || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
        || byte == UInt8(ascii: "-") || byte == UInt8(ascii: "_")
    }
    return isName ? String(parts[1]) : nil
  }
}
