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
        name: "gpsd at \(address(host, port))", language: .gpsd, endpoint: .tcp(host: host, port: port),
        place: place(of: host),
        seed: seed, makeProtocol: { _ in GPSDConversation() }),
      clock: clock)
  }

  /// The provider of a source that is a receiver; nil where the source is none.
  ///
  /// - Parameters:
  ///   - app: the bundle identifier or the executable's path, for services that ask who is asking.
  ///   - ended: is called when standard input ends, with the reason where no position has come of it.
  package static func provider(
    for source: SourceSpecification, app: String, clock: any SessionClock,
    ended: (@Sendable (ReplayError?) -> Void)? = nil
  ) -> (any LocationProvider)? {
    // Different in every process, so that many do not come back to one server at once.
    let seed = UInt64(bitPattern: clock.wallTime.nanosecondsSince1970)
    return switch source {
    case .gpsd(let host, let port): gpsd(host: host, port: port, clock: clock, seed: seed)
    case .tcp(let host, let port): tcp(host: host, port: port, clock: clock, seed: seed)
    case .udp(let port): udp(port: port, clock: clock)
    case .nmea(let path, _): isRecording(path) ? nil : device(path: path, clock: clock, ended: ended)
    case .geoClue: LocationServiceProvider(.ofThisMachine(for: app), clock: clock)
    case .portal: LocationServiceProvider(.portal, clock: clock)
    case .automatic:
      AutomaticProvider(clock: clock, service: LocationServiceProvider(.ofThisMachine(for: app), clock: clock))
    case .gpx, .fixed: nil
    }
  }

  /// Whether a source is a person's own stream or file, for which nobody else needs to be asked; a receiver is not.
  package static func isOwnStream(_ source: SourceSpecification) -> Bool {
    switch source {
    case .gpx, .fixed: true
    case .nmea("-", _): true
    case .nmea(let path, _): isRecording(path) || Syscalls.kind(of: path) == .pipe
    case .gpsd, .tcp, .udp, .geoClue, .portal, .automatic: false
    }
  }

  /// Whether `nmea:PATH` is played as a recording rather than listened to: a plain file is, and what is not there
  /// counts as one unless it is named like a device, which may be plugged in later.
  package static func isRecording(_ path: String) -> Bool {
    if path == "-" { return false }
    return switch Syscalls.kind(of: path) {
    case .regular, .directory: true
    case nil: !isDeviceName(path)
    case .characterDevice, .pipe, .other: false
    }
  }

  /// Whether `nmea:PATH` is a device, or the name of one that is not there now.
  package static func isDevice(_ path: String) -> Bool {
    guard path != "-" else { return false }
    return switch Syscalls.kind(of: path) {
    case .characterDevice: true
    case nil: isDeviceName(path)
    case .regular, .directory, .pipe, .other: false
    }
  }

  /// Begins of the names that serial ports, their links and receivers with a driver of their own get.
  private static let deviceNamePrefixes = ["tty", "gps", "gnss", "rfcomm"]

  /// In /dev or a link there, or with a device's name and no extension: links to ports are put into other folders, too.
  private static func isDeviceName(_ path: String) -> Bool {
    if Syscalls.namesLeading(to: path).contains(where: { $0.hasPrefix("/dev/") }) { return true }
    let name = FolderWatch.split(path).name
    return !name.contains(".") && deviceNamePrefixes.contains { name.hasPrefix($0) }
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
        name: "UDP port \(port)", endpoint: .udp(port: port), isOpenToAll: true,
        makeProtocol: { _ in NMEAConversation(endsPieces: true) }),
      clock: clock)
  }

  /// NMEA sentences from a serial port, whose speed is found, another device or a named pipe; `-` is standard input.
  ///
  /// - Parameter ended: is called when standard input ends, which never comes back, with the reason where no position
  ///   has come of it.
  package static func device(
    path: String, clock: any SessionClock, ended: (@Sendable (ReplayError?) -> Void)? = nil
  ) -> StreamProvider {
    if path == "-" {
      let setup = StreamProvider.Setup(
        name: "standard input", endpoint: .standardInput, endsForGood: true, makeProtocol: { _ in NMEAConversation() })
      return StreamProvider(setup, clock: clock, ended: ended)
    }
    return StreamProvider(
      StreamProvider.Setup(
        name: path, language: Syscalls.kind(of: path) == .pipe ? .sentences : .sentencesAtAnySpeed,
        endpoint: .device(path: path, SpeedSearch.order[0]),
        startingSeconds: SpeedSearch.listenSeconds * Double(SpeedSearch.order.count) + 1,
        makeProtocol: { known in
          let isSerial = Syscalls.kind(of: path) == .characterDevice
          return NMEAConversation(search: isSerial ? SpeedSearch(known: known) : nil)
        }),
      clock: clock)
  }

  /// As a source is written: `localhost:2947`, `[::1]:2947`.
  package static func address(_ host: String, _ port: UInt16) -> String {
    host.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)"
  }

  /// Names and numbers that mean this machine.
  static func place(of host: String) -> ReconnectSchedule.Place {
    let isLocal = host == "localhost" || host == "::1" || host.hasPrefix("127.") || host == "ip6-localhost"
    return isLocal ? .local : .remote
  }
}
