import CLinux
import Glibc

/// Which file a path leads to, whose it is, and who may change it.
package struct FileStatus: Hashable, Sendable {
  package var device: UInt64
  package var inode: UInt64
  package var owner: UInt32
  package var group: UInt32
  package var mode: UInt32
  package var byteCount: Int64

  package init(device: UInt64, inode: UInt64, owner: UInt32, group: UInt32, mode: UInt32, byteCount: Int64 = 0) {
    self.device = device
    self.inode = inode
    self.owner = owner
    self.group = group
    self.mode = mode
    self.byteCount = byteCount
  }

  /// - Parameter followsLink: where false, a link is looked at itself.
  package init(path: String, followsLink: Bool) throws(SystemError) {
    var status = stat()
    let result = followsLink ? stat(path, &status) : lstat(path, &status)
    guard result == 0 else { throw SystemError(call: followsLink ? "stat" : "lstat") }
    self.init(
      device: UInt64(status.st_dev), inode: UInt64(status.st_ino), owner: status.st_uid, group: status.st_gid,
      mode: status.st_mode, byteCount: Int64(status.st_size))
  }

  /// Which file it is, whatever its name.
  package var identity: FileIdentity { FileIdentity(device: device, number: inode) }

  package var isRegular: Bool { mode & S_IFMT == S_IFREG }
  package var isFolder: Bool { mode & S_IFMT == S_IFDIR }
  package var isLink: Bool { mode & S_IFMT == S_IFLNK }
  package var isSocket: Bool { mode & S_IFMT == S_IFSOCK }
  /// Somebody may run it.
  package var isExecutable: Bool { mode & (S_IXUSR | S_IXGRP | S_IXOTH) != 0 }
  package var isWritableByGroup: Bool { mode & S_IWGRP != 0 }
  package var isWritableByOthers: Bool { mode & S_IWOTH != 0 }
  /// In such a folder only a file's owner and the folder's may remove or replace it, as in /tmp.
  package var isSticky: Bool { mode & S_ISVTX != 0 }

  package func isSameFile(as other: FileStatus) -> Bool {
    device == other.device && inode == other.inode
  }

  /// Rights are given to single users or groups, which the mode shows only the upper limit of.
  package static func hasAccessList(_ path: String) -> Bool {
    linux_has_access_list(path)
  }

  /// Where a link leads, word for word; it need not exist.
  package static func target(ofLink path: String) throws(SystemError) -> String {
    guard let target = Syscalls.target(ofLink: path) else { throw SystemError(call: "readlink") }
    return target
  }
}
