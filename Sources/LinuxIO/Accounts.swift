import Glibc

/// The users and groups of the machine.
package enum Accounts {
  /// Nil where there is no such user.
  package static func userNumber(of name: String) -> UInt32? {
    withUnsafeTemporaryAllocation(byteCount: 16_384, alignment: 8) { buffer in
      var entry = passwd()
      var found: UnsafeMutablePointer<passwd>?
      let room = buffer.bindMemory(to: CChar.self)
      guard let start = room.baseAddress, getpwnam_r(name, &entry, start, room.count, &found) == 0, found != nil
      else { return nil }
      return entry.pw_uid
    }
  }

  /// Nil where there is no such group.
  package static func groupNumber(of name: String) -> UInt32? {
    withUnsafeTemporaryAllocation(byteCount: 16_384, alignment: 8) { buffer in
      var entry = group()
      var found: UnsafeMutablePointer<group>?
      let room = buffer.bindMemory(to: CChar.self)
      guard let start = room.baseAddress, getgrnam_r(name, &entry, start, room.count, &found) == 0, found != nil
      else { return nil }
      return entry.gr_gid
    }
  }
}
