import LinuxIO
import LocationModel

/// Makes the providers of real receivers.
package enum LiveSource {
  /// gpsd's port (registered with IANA).
  package static let gpsdPort: UInt16 = 2947

  package static func gpsd(
    host: String = "localhost", port: UInt16 = gpsdPort, clock: any SessionClock, seed: UInt64 = 0
  ) -> StreamProvider {
    StreamProvider(
      StreamProvider.Setup(
        name: "gpsd at \(address(host, port))", endpoint: .tcp(host: host, port: port), place: place(of: host),
        seed: seed, makeProtocol: { _ in GPSDConversation() }),
      clock: clock)
  }

  static func address(_ host: String, _ port: UInt16) -> String {
    host.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)"
  }

  /// Names and numbers that mean this machine.
  static func place(of host: String) -> ReconnectSchedule.Place {
    let isLocal = host == "localhost" || host == "::1" || host.hasPrefix("127.") || host == "ip6-localhost"
    return isLocal ? .local : .remote
  }
}
