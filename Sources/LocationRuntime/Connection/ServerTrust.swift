import LinuxIO

/// Whether a client may speak to what answers at a service's socket. Usage texts and the app's wishes are private too,
/// and a false service could feed an app places of its choice.
package enum ServerTrust {
  /// The user that the system's service runs as.
  package static let serviceUserName = "corelocation"

  /// Where the system's service listens.
  package static let systemSocketPath = "/run/corelocation/socket"

  /// Whom a client believes.
  package struct Users: Sendable {
    package var own: UInt32
    /// The number that root and all other users out of sight have here; nil where root is in sight. Inside a Flatpak
    /// the kernel shows one number for them all.
    package var hidden: UInt32?
    /// The number of the user `corelocation`, asked for only where it matters.
    package var service: @Sendable () -> UInt32?

    package init(own: UInt32, hidden: UInt32?, service: @escaping @Sendable () -> UInt32?) {
      self.own = own
      self.hidden = hidden
      self.service = service
    }

    package static var current: Users {
      let map = (try? SmallFile(path: "/proc/self/uid_map")).map { String(decoding: $0.bytes, as: UTF8.self) }
      return Users(
        own: Syscalls.userNumber, hidden: map.flatMap(hidden(userMap:)),
        service: { Syscalls.userNumber(named: serviceUserName) })
    }

    /// - Parameter text: `/proc/self/uid_map`: first number inside, first outside, how many. (user_namespaces(7))
    package static func hidden(userMap text: String) -> UInt32? {
      let seesRoot = text.split(separator: "\n").contains { line in
        line.split(separator: " ").prefix(2).allSatisfy { $0 == "0" }
      }
      return seesRoot ? nil : 65_534
    }

    fileprivate func trusts(_ user: UInt32, allowsHidden: Bool) -> Bool {
      // Where root is hidden, who is shown as 0 is the own user.
      user == 0 || user == own || (allowsHidden && user == hidden) || user == service()
    }
  }

  /// What `check` says against a server, as a sentence; nil where it is trusted.
  package static func distrust(_ stream: LocalStream, path: String) -> String? {
    do throws(ServerTrustError) {
      try check(stream.number, path: path)
      return nil
    } catch {
      return error.description
    }
  }

  /// To be called after connecting, before the first byte is sent.
  ///
  /// Trusted are root, `corelocation` and the client's own user, by what the kernel noted when the socket began to
  /// listen; behind a socket unit that is systemd, which is root or the user's own. Where root is out of sight, whoever
  /// serves the system's own path is trusted: who made the sandbox has put it there.
  ///
  /// - Parameter path: where `socket` was connected to.
  package static func check(_ socket: Int32, path: String, users: Users = .current) throws(ServerTrustError) {
    let server: PeerCredentials
    do {
      server = try Syscalls.peerCredentials(socket)
    } catch {
      throw .notAUnixSocket(path: path, error)
    }
    guard users.trusts(server.userNumber, allowsHidden: path == systemSocketPath) else {
      throw .untrustedUser(path: path, userNumber: server.userNumber, ownUser: users.own)
    }
    try checkFolders(above: path, users: users)
  }

  /// The socket's folder may be changed by trusted users only. Those above it too, but for sticky ones such as /tmp,
  /// where nobody can replace what is another's.
  package static func checkFolders(above path: String, users: Users = .current) throws(ServerTrustError) {
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
      // Folders of users out of sight may stand above an own socket too: nobody here can be one of them.
      let isTrusted = users.trusts(status.owner, allowsHidden: true)
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
