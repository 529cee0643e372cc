import LinuxIO

/// Whether a client may speak to what answers at a service's socket. Usage texts and the app's wishes are private too,
/// and a false service could feed an app places of its choice.
package enum ServerTrust {
  /// The user that the system's service runs as.
  package static let serviceUserName = "corelocation"

  /// To be called after connecting, before the first byte is sent.
  ///
  /// Trusted are root, `corelocation` and the client's own user, by what the kernel noted when the socket began to
  /// listen; behind a socket unit that is systemd, which is root or the user's own.
  ///
  /// - Parameters:
  ///   - path: where `socket` was connected to.
  ///   - serviceUser: the number of the user `corelocation`, asked for only where it matters.
  package static func check(
    _ socket: Int32, path: String, ownUser: UInt32 = Syscalls.userNumber,
    serviceUser: () -> UInt32? = { Syscalls.userNumber(named: serviceUserName) }
  ) throws(ServerTrustError) {
    let server: PeerCredentials
    do {
      server = try Syscalls.peerCredentials(socket)
    } catch {
      throw .notAUnixSocket(path: path, error)
    }
    let isKnown = server.userNumber == 0 || server.userNumber == ownUser
    guard isKnown || server.userNumber == serviceUser() else {
      throw .untrustedUser(path: path, userNumber: server.userNumber, ownUser: ownUser)
    }
    try checkFolders(above: path, ownUser: ownUser, serviceUser: serviceUser)
  }

  /// The socket's folder may be changed by trusted users only. Those above it too, but for sticky ones such as /tmp,
  /// where nobody can replace what is another's.
  package static func checkFolders(
    above path: String, ownUser: UInt32, serviceUser: () -> UInt32?
  ) throws(ServerTrustError) {
    guard path.hasPrefix("/") else { throw .relativePath(path) }
    var folder = parent(of: path)
    var isSocketFolder = true
    while true {
      let status: FileStatus
      do {
        status = try FileStatus(path: folder, followsLink: true)
      } catch {
        throw .folderOutOfSight(folder: folder, error)
      }
      let isTrusted = status.owner == 0 || status.owner == ownUser || status.owner == serviceUser()
      let isWritable = status.isWritableByOthers || (status.isWritableByGroup && status.group != 0)
      guard isTrusted, !isWritable || (status.isSticky && !isSocketFolder) else {
        throw .writableFolder(folder: folder, owner: status.owner)
      }
      if folder == "/" { return }
      folder = parent(of: folder)
      isSocketFolder = false
    }
  }

  private static func parent(of path: String) -> String {
    let trimmed = path.split(separator: "/").dropLast()
    return "/" + trimmed.joined(separator: "/")
  }
}

/// Why a client does not speak to what answers at a socket.
package enum ServerTrustError: Error, Hashable, Sendable, CustomStringConvertible {
  case notAUnixSocket(path: String, SystemError)
  case untrustedUser(path: String, userNumber: UInt32, ownUser: UInt32)
  case relativePath(String)
  case folderOutOfSight(folder: String, SystemError)
  case writableFolder(folder: String, owner: UInt32)

  package var description: String {
    switch self {
    case .notAUnixSocket(let path, let error): "\(path) does not tell who serves it (\(error))."
    case .untrustedUser(let path, let user, let own):
      "\(path) is served by user \(user). Expected root, \(ServerTrust.serviceUserName) or user \(own). "
        + "Stop that program, or set CORELOCATION_SOCKET to the service's socket."
    case .relativePath(let path): "\(path) is not an absolute path. Expected one that begins with a slash."
    case .folderOutOfSight(let folder, let error):
      "\(folder), above the service's socket, cannot be looked at (\(error.text))."
    case .writableFolder(let folder, let owner):
      "\(folder), above the service's socket, belongs to user \(owner) or can be written by others. "
        + "Expected a folder that root, \(ServerTrust.serviceUserName) or this user alone can write."
    }
  }
}
