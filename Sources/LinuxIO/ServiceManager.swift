import CSystemd

/// The system's service manager, where there is one: it may have opened the socket, and wants to know how the service
/// is (sd_listen_fds(3), sd_notify(3)). Without one nothing happens.
package enum ServiceManager {
  /// A listening socket that it passed to this process; nil where it passed none.
  package static func inheritedSocket() -> Int32? {
    sd_listen_fds(1) >= 1 ? 3 : nil
  }

  package static func isReady() {
    notify("READY=1")
  }

  package static func reloads() {
    notify("RELOADING=1")
  }

  package static func stops() {
    notify("STOPPING=1")
  }

  private static func notify(_ state: String) {
    _ = sd_notify(0, state)
  }
}
