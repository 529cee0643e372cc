import Foundation
import Glibc
import LinuxIO
import LocationModel
import LocationProviders
import XCTest

/// The real GeoClue on a bus of its own, with a receiver that writes NMEA sentences into a socket.
///
/// It reads its settings from one fixed path, so that the test's are mounted over it in a mount namespace of GeoClue's
/// own: that needs root. Without an agent it answers nobody; the agent of its demonstration allows everything.
final class RealGeoClueTests: XCTestCase {
  private static let service = "/usr/libexec/geoclue"
  private static let agent = "/usr/libexec/geoclue-2.0/demos/agent"
  private static let settingsPath = "/etc/geoclue/geoclue.conf"

  func test_a_fix_of_the_real_GeoClue_reaches_the_delegate_and_another_one_after_it_was_killed() throws {
    try requireGeoClue()
    let bus = try PrivateBus()
    let receiver = try ReceiverOnSocket(bus.folder.appendingPathComponent("nmea.sock").path)
    var geoClue = try startGeoClue(on: bus, receiver: receiver)
    let agent = try StartedProgram(
      [Self.agent],
      environment: ["DBUS_SYSTEM_BUS_ADDRESS": bus.address, "DBUS_SESSION_BUS_ADDRESS": bus.address])
    defer {
      agent.kill()
      geoClue.kill()
    }
    let app = AppOnBus(
      .geoClue(desktopID: "org.example.app"), settings: LocationServiceProvider.Settings(address: bus.address))
    app.send(.startUpdatingLocation)
    // Asked before GeoClue has its name, the app is served when it has.
    let events = app.events.wait("a fix of the real GeoClue", seconds: 30) { $0.contains { $0.hasPrefix("fix") } }
    // 48 degrees 7.038 minutes north is 48.1173, 11 degrees 31 minutes east is 11 + 31/60 = 11.51667.
    let fix = try XCTUnwrap(events.first { $0.hasPrefix("fix") })
    let numbers = fix.dropFirst(4).split(separator: " ")[0].split(separator: ",").compactMap { Double($0) }
    XCTAssertEqual(try XCTUnwrap(numbers.first), 48.1173, accuracy: 1e-6)
    XCTAssertEqual(try XCTUnwrap(numbers.last), 11.516_666_667, accuracy: 1e-6)
    // At a horizontal dilution of 1 or less GeoClue names a radius of 0, which is no accuracy.
    XCTAssertTrue(fix.hasSuffix("unknown"), fix)
    geoClue.kill()
    app.states.wait("the end of GeoClue") { $0.last == .unavailable }
    geoClue = try startGeoClue(on: bus, receiver: receiver)
    app.events.wait("a fix of its successor", seconds: 30) { $0.count { $0.hasPrefix("fix") } >= 2 }
  }

  private func requireGeoClue() throws {
    for path in [Self.service, Self.agent] where access(path, X_OK) != 0 {
      try skipOrFail("there is no \(path)")
    }
    if getuid() != 0 { try skipOrFail("mounting GeoClue's settings needs root") }
  }

  private func startGeoClue(on bus: PrivateBus, receiver: ReceiverOnSocket) throws -> StartedProgram {
    let settings = bus.folder.appendingPathComponent("geoclue.conf")
    // A Wi-Fi source that is off would still ask its usual address.
    let text = """
      [agent]
      whitelist=geoclue-demo-agent
      [network-nmea]
      enable=true
      [3g]
      enable=false
      [cdma]
      enable=false
      [modem-gps]
      enable=false
      [wifi]
      enable=false
      url=http://127.0.0.1:9/
      [compass]
      enable=false
      [org.example.app]
      allowed=true
      system=true
      users=
      """
    try text.write(to: settings, atomically: true, encoding: .utf8)
    return try StartedProgram(
      [
        "unshare", "-m", "sh", "-c", "mount --bind \"$0\" \(Self.settingsPath) && exec \(Self.service) -t 0 -u \"$1\"",
        settings.path, receiver.path,
      ], environment: ["DBUS_SYSTEM_BUS_ADDRESS": bus.address])
  }
}

/// A receiver as GeoClue's Unix-socket source wants it: it listens, and whoever connects gets a position each second,
/// with the time of now.
private final class ReceiverOnSocket: @unchecked Sendable {
  let path: String
  private let queue = DispatchQueue(label: "receiver on a socket")
  private let listener: Int32
  private let accepting: any DispatchSourceRead
  private var clients: [(descriptor: Int32, timer: any DispatchSourceTimer)] = []

  init(_ path: String) throws {
    self.path = path
    listener = try Self.listen(at: path)
    accepting = DispatchSource.makeReadSource(fileDescriptor: listener, queue: queue)
    accepting.setEventHandler { [weak self] in self?.accept() }
    accepting.activate()
  }

  deinit {
    for client in clients {
      client.timer.cancel()
      close(client.descriptor)
    }
    accepting.cancel()
    close(listener)
  }

  private static func listen(at path: String) throws -> Int32 {
    let listener = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8.prefix($0.count - 1)) }
    let isBound = withUnsafePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(listener, $0, socklen_t(MemoryLayout<sockaddr_un>.size)) == 0
      }
    }
    guard isBound, Glibc.listen(listener, 4) == 0 else { throw POSIXError(.EADDRINUSE) }
    chmod(path, 0o666)
    return listener
  }

  private func accept() {
    let descriptor = Glibc.accept(listener, nil, nil)
    guard descriptor >= 0 else { return }
    let timer = DispatchSource.makeTimerSource(queue: queue)
    timer.setEventHandler {
      let bytes = Array(Self.position(at: time(nil)).utf8)
      _ = send(descriptor, bytes, bytes.count, Int32(MSG_NOSIGNAL))
    }
    timer.schedule(deadline: .now(), repeating: 1)
    timer.activate()
    clients.append((descriptor, timer))
  }

  private static func position(at seconds: time_t) -> String {
    var seconds = seconds
    var parts = tm()
    gmtime_r(&seconds, &parts)
    let clock = String(format: "%02d%02d%02d", parts.tm_hour, parts.tm_min, parts.tm_sec)
    let body = "GPGGA,\(clock),4807.038,N,01131.000,E,1,08,0.9,545.4,M,46.9,M,,"
    let sum = body.utf8.reduce(UInt8(0), ^)
    return "$\(body)*\(String(format: "%02X", sum))\r\n"
  }
}
