import LinuxIO
import LocationEngine

/// Who is at the other end of a connection, by what the kernel says of its process; nothing of it comes from the
/// process itself. `docs/security.md` says how far that goes.
package struct PeerIdentity: Hashable, Sendable, CustomStringConvertible {
  /// What the app's name was taken from, the most trustworthy first.
  package enum Kind: String, Hashable, Sendable, CaseIterable {
    case snap
    case flatpak
    /// A service of the system's own manager, which only root can make.
    case systemdUnit
    case bundle
    case executable
  }

  /// Why a process counts as confined.
  package enum Confinement: Hashable, Sendable, CustomStringConvertible {
    case snap
    case flatpak
    /// It sees other folders than the machine does.
    case mountNamespace
    case userNamespace
    /// Its root is a folder of the machine.
    case rootFolder(String)
    case securityLabel(String)
    case systemCallFilter
    /// Its user is not the one of the service that it is a client of.
    case otherUser(UInt32)

    package var description: String {
      switch self {
      case .snap: "a Snap"
      case .flatpak: "a Flatpak"
      case .mountNamespace: "folders of its own (mount namespace)"
      case .userNamespace: "users of its own (user namespace)"
      case .rootFolder(let path): "its root folder is \(path)"
      case .securityLabel(let label): "security label \(label)"
      case .systemCallFilter: "a system call filter"
      case .otherUser(let number): "another user (\(number))"
      }
    }
  }

  /// The name and the user. Names of different kinds never meet: `snap:maps`, `flatpak:org.example.Maps`,
  /// `unit:tracker.service`, a bundle identifier without a colon, an absolute path.
  package var app: AppIdentifier
  package var kind: Kind
  package var userNumber: UInt32
  /// Every group whose rights the process has.
  package var groupNumbers: [UInt32]
  package var processNumber: Int32
  /// When the process started, in clock ticks since the machine did. With the number it is one process of all times.
  package var processStartTicks: UInt64
  /// As the process's own folders name it, without the mark of a file that has been replaced since.
  package var executablePath: String
  package var executableFile: FileStatus
  /// Empty for a process with all rights of its user.
  package var confinements: [Confinement]
  package var protection: ProgramProtection
  /// The unit of the user's own manager that the process runs in, such as `app-org.example.Maps-12.scope`. Any program
  /// of that user can make one of any name: it is shown, never believed.
  package var claimedUnit: String?

  package init(
    name: String, kind: Kind, userNumber: UInt32, groupNumbers: [UInt32], processNumber: Int32,
    processStartTicks: UInt64, executablePath: String, executableFile: FileStatus, confinements: [Confinement],
    protection: ProgramProtection, claimedUnit: String? = nil
  ) {
    app = AppIdentifier(name, userNumber: userNumber)
    self.kind = kind
    self.userNumber = userNumber
    self.groupNumbers = groupNumbers
    self.processNumber = processNumber
    self.processStartTicks = processStartTicks
    self.executablePath = executablePath
    self.executableFile = executableFile
    self.confinements = confinements
    self.protection = protection
    self.claimedUnit = claimedUnit
  }

  /// Such as `/usr/bin/maps (process 12 of user 1000)`.
  package var description: String {
    "\(app.name) (process \(processNumber) of user \(userNumber))"
  }

  /// Cut off from some of its user's rights. A confined process speaks for itself only: it may not be an agent nor
  /// change what apps may do.
  package var isConfined: Bool { !confinements.isEmpty }

  /// The program can be changed by the user who runs it, or nobody could look whether it can.
  package var isUnprotected: Bool { protection != .protected }

  /// The same process, running the same program with the same rights. How well the program is protected is left out:
  /// that may change while it runs.
  package func isSameProgram(as other: PeerIdentity) -> Bool {
    app == other.app && kind == other.kind && processNumber == other.processNumber
      && processStartTicks == other.processStartTicks && executableFile.isSameFile(as: other.executableFile)
      && confinements == other.confinements
  }
}
