import LinuxIO

/// Whether the user who runs a program can also change it, and with it what the app of that name does.
package enum ProgramProtection: Hashable, Sendable {
  case protected
  /// This file or folder above it can be written by the program's user; for root's programs, by anybody else.
  case writable(path: String)
  /// This folder could not be looked at.
  case unknown(path: String)

  /// - Parameters:
  ///   - path: the program's, without links.
  ///   - file: the program as it runs, which need not be what stands at `path` now.
  ///   - prefix: the folder that the program sees as root, empty for the machine's.
  static func examine(
    path: String, file: FileStatus, user: UInt32, groups: [UInt32], prefix: String = ""
  ) -> ProgramProtection {
    let judge = Judge(user: user, groups: groups)
    if judge.mayWrite(file, hasAccessList: FileStatus.hasAccessList(prefix + path)) { return .writable(path: path) }
    let parts = path.split(separator: "/")
    var folder = "/"
    guard var current = try? FileStatus(path: prefix + folder, followsLink: true) else { return .unknown(path: folder) }
    for (index, part) in parts.enumerated() {
      let isLast = index == parts.count - 1
      let childPath = folder == "/" ? "/\(part)" : "\(folder)/\(part)"
      let hasAccessList = FileStatus.hasAccessList(prefix + folder)
      // Who may write a folder that is not sticky may replace all in it: the child need not be looked at.
      if judge.mayWrite(current, hasAccessList: hasAccessList) && !judge.isHeldBack(by: current) {
        return .writable(path: folder)
      }
      let child = isLast ? file : try? FileStatus(path: prefix + childPath, followsLink: false)
      guard let child else { return .unknown(path: childPath) }
      if judge.mayOwn(child) { return .writable(path: childPath) }
      if isLast { break }
      current = child
      folder = childPath
    }
    return .protected
  }

  private struct Judge {
    var user: UInt32
    var groups: [UInt32]

    /// An owner can give himself every right. Root can do all to all, so that for root the others are asked about.
    func mayOwn(_ status: FileStatus) -> Bool {
      user == 0 ? status.owner != 0 : status.owner == user
    }

    func mayWrite(_ status: FileStatus, hasAccessList: Bool) -> Bool {
      let isInGroup = user == 0 ? status.group != 0 : groups.contains(status.group)
      return mayOwn(status) || status.isWritableByOthers
        || (status.isWritableByGroup && (isInGroup || hasAccessList))
    }

    /// A sticky folder lets a user replace what is his own only.
    func isHeldBack(by folder: FileStatus) -> Bool {
      folder.isSticky && !mayOwn(folder)
    }
  }
}
