import LinuxIO

/// The part of the kernel's control groups (version 2) that the service may make groups in: its own group, which
/// systemd hands over to it (`Delegate=yes`), or whatever it was started in where it may write there.
package struct GroupTree: Hashable, Sendable {
  /// The folder of the service's own group.
  package var folder: String
  /// Begins the names of all groups of this service, and of no other's: two services may share a group.
  package var prefix: String

  package init(folder: String, prefix: String) {
    self.folder = folder
    self.prefix = prefix
  }

  /// Nil where this machine has no groups of version 2, or none that this process may make any in.
  ///
  /// - Parameter owner: what tells this service from others, such as the path of its socket.
  package static func find(owner: String) -> GroupTree? {
    guard let mounts = text("/proc/self/mountinfo"), let own = text("/proc/self/cgroup"),
      let folder = ownFolder(mounts: mounts, groups: own)
    else { return nil }
    let tree = GroupTree(folder: folder, prefix: prefix(for: owner))
    return tree.canMakeGroups ? tree : nil
  }

  private static func text(_ path: String) -> String? {
    (try? SmallFile(path: path)).map { String(decoding: $0.bytes, as: UTF8.self) }
  }

  private static let namesBegin = "corelocation-"

  /// By the numbers of FNV-1a, 64 bits: a name that stays the same from one run to the next.
  static func prefix(for owner: String) -> String {
    let hash = owner.utf8.reduce(0xCBF2_9CE4_8422_2325 as UInt64) { ($0 ^ UInt64($1)) &* 0x0000_0100_0000_01B3 }
    return "\(namesBegin)\(String(hash, radix: 16))-"
  }

  /// - Parameters:
  ///   - mounts: `/proc/self/mountinfo`: fields of a line are the number, its parent's, the device, the folder of the
  ///     hierarchy that is mounted, where, how, and after a dash the kind. (proc(5))
  ///   - groups: `/proc/self/cgroup`, of which the line `0::PATH` counts. (cgroups(7))
  static func ownFolder(mounts: String, groups: String) -> String? {
    guard let line = groups.split(separator: "\n").first(where: { $0.hasPrefix("0::/") }) else { return nil }
    let path = line.dropFirst("0::".count)
    // Two dots lead out of what this process sees.
    guard !path.split(separator: "/").contains("..") else { return nil }
    // What was mounted last lies on top.
    for mount in mounts.split(separator: "\n").reversed() {
      let fields = mount.split(separator: " ")
      guard let dash = fields.firstIndex(of: "-"), dash >= 5, fields.indices.contains(dash + 1),
        fields[dash + 1] == "cgroup2"
      else { continue }
      let root = fields[3] == "/" ? "" : unescaped(fields[3])
      guard path == root || path.hasPrefix(root + "/") else { continue }
      let inner = path.dropFirst(root.count)
      return unescaped(fields[4]) + (inner == "/" ? "" : inner)
    }
    return nil
  }

  /// Blanks and the like stand as a backslash and three octal digits. (proc(5))
  private static func unescaped(_ field: Substring) -> String {
    var bytes: [UInt8] = []
    var rest = Array(field.utf8)[...]
    while let byte = rest.popFirst() {
      let digits = rest.prefix(3)
      if byte == UInt8(ascii: "\\"), digits.count == 3,
        let value = UInt8(String(decoding: digits, as: UTF8.self), radix: 8)
      {
        bytes.append(value)
        rest = rest.dropFirst(3)
      } else {
        bytes.append(byte)
      }
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// Tried, since no right that can be read tells it.
  private var canMakeGroups: Bool {
    guard let probe = try? AppGroup(folder: "\(folder)/\(prefix)probe") else { return false }
    defer { probe.remove() }
    return probe.canFreeze
  }

  /// A new, empty group for one launch of an app.
  ///
  /// The name never ends like a unit of systemd's, whatever the app is called: `PeerIdentity` reads such names.
  func makeGroup(for name: String, launch: String) throws(SystemError) -> AppGroup {
    let isFileName = name.utf8.count <= 150 && !name.contains("/")
    return try AppGroup(folder: "\(folder)/\(prefix)\(isFileName ? name : "app")-\(launch)")
  }

  /// The group of a launch that a process is in, by whichever service's name; nil where it is in none of this tree.
  func group(of processNumber: Int32) -> AppGroup? {
    guard let groups = Self.text("/proc/\(processNumber)/cgroup"),
      let line = groups.split(separator: "\n").first(where: { $0.hasPrefix("0::/") }),
      let name = line.split(separator: "/").last(where: { $0.hasPrefix(Self.namesBegin) })
    else { return nil }
    let path = "\(folder)/\(name)"
    return (try? FileStatus(path: path, followsLink: false))?.isFolder == true ? AppGroup(existing: path) : nil
  }

  /// Groups that a run of the service before this one has left.
  var leftovers: [AppGroup] {
    Syscalls.names(in: folder).filter { $0.hasPrefix(prefix) }.map { AppGroup(existing: "\(folder)/\($0)") }
  }
}

/// The control group of one app: whatever processes it makes are in it.
struct AppGroup: Hashable, Sendable {
  let folder: String

  init(folder: String) throws(SystemError) {
    try Syscalls.makeFolder(folder)
    self.folder = folder
  }

  init(existing folder: String) {
    self.folder = folder
  }

  var processesFile: String { "\(folder)/cgroup.procs" }

  var canFreeze: Bool { Syscalls.isRegularFile("\(folder)/cgroup.freeze") }

  /// Frozen processes get no time of any processor, and end when they are killed.
  func setFrozen(_ isFrozen: Bool) throws(SystemError) {
    try Syscalls.write(isFrozen ? "1" : "0", to: "\(folder)/cgroup.freeze")
  }

  /// Every process of the group and of groups below it. False where the kernel is older than 5.14 and cannot.
  func kill() -> Bool {
    (try? Syscalls.write("1", to: "\(folder)/cgroup.kill")) != nil
  }

  /// The processes of the group and of groups that the app has made below it.
  var processes: [Int32] {
    let own = (try? SmallFile(path: processesFile)).map { String(decoding: $0.bytes, as: UTF8.self) } ?? ""
    return own.split(separator: "\n").compactMap { Int32($0) } + inner.flatMap(\.processes)
  }

  private var inner: [AppGroup] {
    Syscalls.names(in: folder).map { "\(folder)/\($0)" }
      .filter { (try? FileStatus(path: $0, followsLink: false))?.isFolder == true }.map(AppGroup.init(existing:))
  }

  /// False while processes are in it that have not ended or not been reaped.
  @discardableResult
  func remove() -> Bool {
    inner.forEach { $0.remove() }
    do throws(SystemError) {
      try Syscalls.removeFolder(folder)
      return true
    } catch {
      return error.isMissing
    }
  }
}
