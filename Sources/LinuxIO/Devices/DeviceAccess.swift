import Glibc

/// Who may open a device, as far as a person can do something about it.
package struct DeviceAccess: Hashable, Sendable {
  package enum Membership: Hashable, Sendable {
    case member
    /// Made a member after this session had begun.
    case afterNextLogin
    case none
  }

  package var isOpenable: Bool
  /// The group of the device's file; nil where it has no name, or no right to read.
  package var group: String?
  package var membership: Membership
  /// Whether everybody may read it.
  package var isForEverybody: Bool
  /// Of whoever runs this program.
  package var person: String

  package init(
    isOpenable: Bool, group: String?, membership: Membership, isForEverybody: Bool = false, person: String
  ) {
    self.isOpenable = isOpenable
    self.group = group
    self.membership = membership
    self.isForEverybody = isForEverybody
    self.person = person
  }

  /// Who may open it, where this person may not and it can be told.
  package var explanation: String? {
    guard !isOpenable else { return nil }
    return switch (group, membership) {
    case (let group?, .none): "group \(group) may"
    case (let group?, .afterNextLogin): "the membership in group \(group) counts from the next login on"
    case (.some, .member): nil
    case (nil, _): "no group may, only its owner"
    }
  }

  /// Nil where there is no such file.
  package static func find(_ path: String) -> DeviceAccess? {
    var status = stat()
    guard stat(path, &status) == 0 else { return nil }
    let user = getpwuid(getuid()).map { String(cString: $0.pointee.pw_name) } ?? String(getuid())
    var access = DeviceAccess(
      isOpenable: Glibc.access(path, R_OK) == 0, group: nil, membership: .none,
      isForEverybody: status.st_mode & S_IROTH != 0, person: user)
    guard status.st_mode & S_IRGRP != 0, let entry = getgrgid(status.st_gid) else { return access }
    access.group = String(cString: entry.pointee.gr_name)
    if isInSession(status.st_gid) {
      access.membership = .member
    } else if members(entry.pointee).contains(user) {
      access.membership = .afterNextLogin
    }
    return access
  }

  private static func isInSession(_ group: gid_t) -> Bool {
    let count = getgroups(0, nil)
    guard count > 0 else { return getegid() == group }
    var groups = [gid_t](repeating: 0, count: Int(count))
    let filled = getgroups(count, &groups)
    return getegid() == group || groups.prefix(Int(max(0, filled))).contains(group)
  }

  private static func members(_ entry: group) -> [String] {
    var names: [String] = []
    guard var next = entry.gr_mem else { return names }
    while let name = next.pointee {
      names.append(String(cString: name))
      next += 1
    }
    return names
  }
}

extension Syscalls {
  /// Seconds since 1970 at which a file was last written; nil where there is none.
  package static func modificationSeconds(of path: String) -> Int? {
    var status = stat()
    return stat(path, &status) == 0 ? status.st_mtim.tv_sec : nil
  }
}
