import CSystemd
import Glibc

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

  /// A stream into the journal under a name, for the output of another process; nil where this process's own does not
  /// go there (systemd.exec(5), JOURNAL_STREAM). The caller closes it.
  package static func journalStream(named name: String) -> Int32? {
    guard getenv("JOURNAL_STREAM") != nil else { return nil }
    // 6 is LOG_INFO; a line may begin with another in brackets.
    let stream = sd_journal_stream_fd(name, 6, 1)
    return stream >= 0 ? stream : nil
  }

  private static func notify(_ state: String) {
    _ = sd_notify(0, state)
  }
}
