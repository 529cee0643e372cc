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

  /// NMEA sentences over a connection.
  package static func tcp(host: String, port: UInt16, clock: any SessionClock, seed: UInt64 = 0) -> StreamProvider {
    StreamProvider(
      StreamProvider.Setup(
        name: "the receiver at \(address(host, port))", endpoint: .tcp(host: host, port: port),
        place: place(of: host), seed: seed, makeProtocol: { _ in NMEAConversation() }),
      clock: clock)
  }

  /// NMEA sentences in datagrams to this machine.
  package static func udp(port: UInt16, clock: any SessionClock) -> StreamProvider {
    StreamProvider(
      StreamProvider.Setup(
        name: "UDP port \(port)", endpoint: .udp(port: port),
        makeProtocol: { _ in NMEAConversation(endsPieces: true) }),
      clock: clock)
  }

  /// NMEA sentences from a serial port, whose speed is found, another device or a named pipe; `-` is standard input.
  ///
  /// - Parameter ended: is called when standard input ends, which never comes back.
  package static func device(
    path: String, clock: any SessionClock, ended: (@Sendable () -> Void)? = nil
  ) -> StreamProvider {
    if path == "-" {
      let setup = StreamProvider.Setup(
        name: "standard input", endpoint: .standardInput, endsForGood: true, makeProtocol: { _ in NMEAConversation() })
      return StreamProvider(setup, clock: clock, ended: ended)
    }
    return StreamProvider(
      StreamProvider.Setup(
        name: path, endpoint: .device(path: path, SpeedSearch.order[0]),
        makeProtocol: { known in
          let isSerial = Syscalls.kind(of: path) == .characterDevice
          return NMEAConversation(search: isSerial ? SpeedSearch(known: known) : nil)
        }),
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
