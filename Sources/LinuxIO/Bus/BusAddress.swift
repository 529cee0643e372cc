import Glibc

/// Where the buses of a machine and of a person's session are found: the variable that names it, else its usual place.
package enum BusAddress {
  package static var system: String {
    variable("DBUS_SYSTEM_BUS_ADDRESS") ?? "unix:path=/run/dbus/system_bus_socket"
  }

  /// Nil where no session is known.
  package static var session: String? {
    variable("DBUS_SESSION_BUS_ADDRESS") ?? variable("XDG_RUNTIME_DIR").map { "unix:path=\($0)/bus" }
  }

  private static func variable(_ name: String) -> String? {
    guard let value = getenv(name), value[0] != 0 else { return nil }
    return String(cString: value)
  }
}
