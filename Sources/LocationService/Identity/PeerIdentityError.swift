import LinuxIO

/// Why a process that connected is not served: it cannot be told which app it is.
package enum PeerIdentityError: Error, Hashable, Sendable, CustomStringConvertible {
  case notAUnixSocket(SystemError)
  /// It lives where this process cannot see processes, as in another process namespace.
  case processOutOfSight(userNumber: UInt32)
  case processEnded(Int32)
  /// Other threads live, but of a process the kernel tells by its first.
  case firstThreadEnded(Int32)
  /// The number belongs to a process that started after the connection was accepted.
  case processNumberReused(Int32)
  case unreadable(path: String, reason: String)
  case damaged(path: String, expected: String)
  /// The process acts as another user than the one that connected.
  case userChanged(processNumber: Int32, connectedAs: UInt32, actsAs: UInt32)
  /// The program was never a file, so that nothing of it could be recognised at its next start.
  case programWithoutFile(processNumber: Int32, link: String)
  /// The program's path holds characters that cannot be shown for what they are.
  case unshowablePath(Int32)
  /// Another program kept taking its place while it was looked at.
  case programKeepsChanging(Int32)
  case programChanged(from: String, to: String)
  case flatpakWithoutName(Int32)
  /// The sandbox and systemd tell different applications.
  case flatpakInDoubt(processNumber: Int32, application: String, unit: String)
  /// A path in folders of its own could be any file.
  case unknownContainer(processNumber: Int32, executablePath: String)
  case otherSender(processNumber: Int32, sender: Int32)

  package var description: String {
    switch self {
    case .notAUnixSocket(let error):
      "The connection does not tell who is at its other end (\(error)). Expected a Unix socket."
    case .processOutOfSight(let user):
      "A process of user \(user) connected that this service cannot see. Let both run in one process namespace."
    case .processEnded(let number): "Process \(number), which connected, has ended."
    case .firstThreadEnded(let number):
      "Process \(number) has ended, or its first thread has: its program cannot be told. "
        + "One that goes on needs that thread."
    case .processNumberReused(let number):
      "Process \(number), which connected, has ended, and another has its number now. Connect again."
    case .unreadable(let path, let reason):
      "\(path) cannot be read (\(reason)), so that the app is not known. "
        + "The service needs CAP_SYS_PTRACE, or to run as the app's user."
    case .damaged(let path, let expected): "\(path) is not understood. Expected \(expected)."
    case .userChanged(let number, let before, let now):
      "Process \(number) connected as user \(before) and acts as user \(now). Connect again after the change."
    case .programWithoutFile(let number, let link):
      "Process \(number) runs a program that is no file (\(link)). Start it from a file."
    case .unshowablePath(let number):
      "The path of process \(number)'s program holds control characters or bytes that are no text. "
        + "Rename the program or its folder."
    case .programKeepsChanging(let number):
      "Process \(number) replaced its program while it was looked at. Connect again."
    case .programChanged(let before, let now):
      "The process connected as \(before) and is \(now) now. Connect again."
    case .flatpakWithoutName(let number):
      "Process \(number) runs in a Flatpak that tells no application. Expected [Application] name= in .flatpak-info."
    case .flatpakInDoubt(let number, let application, let unit):
      "Process \(number) says that it is the Flatpak \(application), and runs in \(unit). "
        + "Expected app-flatpak-\(application)-NUMBER.scope, which Flatpak makes. Start it with flatpak run."
    case .unknownContainer(let number, let path):
      "Process \(number) (\(path)) runs in a container that is no Flatpak, Snap or service of the system, "
        + "where a path says nothing. Run it as one of these, or outside."
    case .otherSender(let number, sender: 0):
      "What came on the connection of process \(number) tells no sender, as before a service takes over a socket that "
        + "was opened without PassCredentials=. Connect again."
    case .otherSender(let number, let sender):
      "Process \(sender) spoke on the connection of process \(number). Each process connects for itself."
    }
  }
}
