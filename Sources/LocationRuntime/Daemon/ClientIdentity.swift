import LinuxIO
import LocationEngine

/// Who a client is, by what the kernel says of the process at the other end (docs/security.md).
package struct ClientIdentity: Hashable, Sendable {
  package var app: AppIdentifier
  package var userNumber: UInt32
  package var processNumber: Int32
  /// What names it: "executable", "bundle", "flatpak", "snap" or "unit".
  package var kind: String
  package var executablePath: String
  /// It cannot do as it likes with its user's files and processes: then it speaks for no person.
  package var isConfined: Bool
  /// Its own user can change the program, so that the name is a record and not a wall.
  package var isUnprotected: Bool
  /// Root, or of the group that administers the service.
  package var isAdministrator: Bool

  package init(
    app: AppIdentifier, userNumber: UInt32, processNumber: Int32, kind: String, executablePath: String,
    isConfined: Bool = false, isUnprotected: Bool = false, isAdministrator: Bool = false
  ) {
    self.app = app
    self.userNumber = userNumber
    self.processNumber = processNumber
    self.kind = kind
    self.executablePath = executablePath
    self.isConfined = isConfined
    self.isUnprotected = isUnprotected
    self.isAdministrator = isAdministrator
  }
}

/// Why a process is not served, as a sentence for its developer.
package struct RefusedClient: Error, Sendable {
  package var sentence: String

  package init(_ sentence: String) {
    self.sentence = sentence
  }
}
