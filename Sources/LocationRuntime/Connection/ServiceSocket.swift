import Glibc

/// Where the service's socket is (design 5, "Finding the service").
package enum ServiceSocket {
  /// The places of this machine; tests have their own.
  package struct Places: Sendable {
    package var systemSocket = "/run/corelocation/socket"
    package var systemUnitFolders = ["/etc/systemd/system", "/usr/local/lib/systemd/system", "/usr/lib/systemd/system"]
    package var userUnitFolders = ["/etc/systemd/user", "/usr/local/lib/systemd/user", "/usr/lib/systemd/user"]
    package static let unit = "corelocationd.socket"

    package init() {}
  }

  /// The socket that an app waits for: the one that CORELOCATION_SOCKET names, the person's own, the system's. One that
  /// is there goes before one whose unit is installed, since both kinds of units are installed together, and a person
  /// or a machine has one of them. Nil where there is no service, neither listening nor installed: then the app is its
  /// own.
  package static func path(_ environment: ProcessEnvironment, places: Places = Places()) -> String? {
    if let named = environment.socketPath { return named }
    let own = ownPath(environment)
    if let own, exists(own) { return own }
    if exists(places.systemSocket) { return places.systemSocket }
    let folders =
      places.userUnitFolders + [environment.configurationFolder.map { $0 + "/systemd/user" }].compactMap(\.self)
    if let own, folders.contains(where: { exists("\($0)/\(Places.unit)") }) { return own }
    let isInstalled = places.systemUnitFolders.contains { exists("\($0)/\(Places.unit)") }
    return isInstalled ? places.systemSocket : nil
  }

  /// The socket of the person's own service.
  package static func ownPath(_ environment: ProcessEnvironment) -> String? {
    environment.runtimeFolder.map { $0 + "/corelocation/socket" }
  }

  private static func exists(_ path: String) -> Bool {
    access(path, F_OK) == 0
  }
}
