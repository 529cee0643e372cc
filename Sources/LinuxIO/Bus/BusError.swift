import Glibc

/// Why something asked for over the bus did not come: the error's name on the bus and the text that came with it.
package struct BusError: Error, Hashable, Sendable, CustomStringConvertible {
  /// Such as `org.freedesktop.DBus.Error.AccessDenied`; one of the names below where the error is the system's.
  package var name: String
  package var text: String

  package init(name: String, text: String) {
    self.name = name
    self.text = text
  }

  /// A failed function of libsystemd, which gives the negative of an `errno`.
  init(_ operation: String, result: Int32) {
    name = Self.systemFailure
    text = "\(operation): \(String(cString: strerror(-result)))"
  }

  package var description: String {
    "\(name): \(text)"
  }

  /// This connection could not be made or has ended.
  package static let systemFailure = "System.Error"
  package static let accessDenied = "org.freedesktop.DBus.Error.AccessDenied"
  /// Nobody has the name, and nothing is known that could be started to get it.
  package static let serviceUnknown = "org.freedesktop.DBus.Error.ServiceUnknown"
  package static let nameHasNoOwner = "org.freedesktop.DBus.Error.NameHasNoOwner"
  package static let noReply = "org.freedesktop.DBus.Error.NoReply"
  package static let invalidArguments = "org.freedesktop.DBus.Error.InvalidArgs"
  package static let unknownProperty = "org.freedesktop.DBus.Error.UnknownProperty"
  package static let unknownObject = "org.freedesktop.DBus.Error.UnknownObject"

  /// There is no such service now, and no way to start it.
  package var meansAbsence: Bool {
    name == Self.serviceUnknown || name == Self.nameHasNoOwner || name.hasPrefix("org.freedesktop.DBus.Error.Spawn.")
  }
}
