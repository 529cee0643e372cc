import Foundation
import Glibc
import LinuxIO
import LocationModel
import LocationProviders

/// A receiver that a fault loop listens to, over and over: how it is reached, and how it tells its next place.
struct FaultSession {
  var name: String
  var makeProvider: (any SessionClock) -> StreamProvider
  /// Tells one place, as measured at a time.
  var tell: (Int, WallTime) -> Void
  /// What the calls of each kind can fail with, beside EINTR.
  var errorNumbers: [FaultyCall: [Int32]]
  /// One that fails with one of these makes two opens: UDP tries IPv4 where there is no IPv6, and a port that may not
  /// be opened for writing is tried for reading alone.
  var errorNumbersOfTwoOpens: [Int32] = []
  var end: () -> Void

  static func gpsd() throws -> FaultSession {
    let greeting = #"{"class":"VERSION","release":"3.22","proto_major":3,"proto_minor":14}"# + "\r\n"
    // As gpsd does: a client hears nothing before it has asked.
    let watchingClient = Locked(0)
    let server = try FakeServer(greeting: greeting) { server, text in
      if text.hasPrefix("?WATCH=") { watchingClient.withLock { $0 = server.acceptedCount } }
    }
    return FaultSession(
      name: "gpsd", makeProvider: { LiveSource.gpsd(host: "127.0.0.1", port: server.port, clock: $0) },
      tell: { number, time in
        guard watchingClient.withLock({ $0 }) == server.acceptedCount else { return }
        server.send(report(number, at: time))
      },
      errorNumbers: [.open: [EMFILE], .connect: [ECONNREFUSED], .read: [ECONNRESET], .write: [EPIPE, EAGAIN]],
      end: { server.stop() })
  }

  static func tcp() throws -> FaultSession {
    let server = try FakeServer()
    return FaultSession(
      name: "NMEA over TCP",
      makeProvider: { LiveSource.tcp(host: "127.0.0.1", port: server.port, clock: $0) },
      tell: { server.send(FakeReceiver.epoch($0, at: date($1))) },
      errorNumbers: [.open: [EMFILE], .connect: [ECONNREFUSED], .read: [ECONNRESET], .write: [EPIPE]],
      end: { server.stop() })
  }

  static func udp() throws -> FaultSession {
    let port = try freePort(SOCK_DGRAM)
    let sender = socket(AF_INET, Int32(SOCK_DGRAM.rawValue), 0)
    return FaultSession(
      name: "NMEA over UDP", makeProvider: { LiveSource.udp(port: port, clock: $0) },
      tell: { number, time in
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        let bytes = Array(FakeReceiver.epoch(number, at: date(time)).utf8)
        _ = withUnsafePointer(to: &address) { pointer in
          pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
            sendto(sender, bytes, bytes.count, 0, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
          }
        }
      },
      errorNumbers: [.open: [EMFILE], .read: [ENOMEM]], errorNumbersOfTwoOpens: [EMFILE], end: { close(sender) })
  }

  static func serial() throws -> FaultSession {
    let port = try FakeSerialPort()
    return FaultSession(
      name: "a serial port", makeProvider: { LiveSource.device(path: port.path, clock: $0) },
      tell: { port.send(Array(FakeReceiver.epoch($0, at: date($1)).utf8)) },
      // ENXIO, ENODEV: the device file is there and its driver is not yet, or not any more.
      errorNumbers: [
        .open: [EMFILE, EACCES, EBUSY, ENXIO, ENODEV, ENOENT], .watch: [EMFILE], .read: [EIO, ENODEV],
        .write: [EPIPE],
      ],
      errorNumbersOfTwoOpens: [EACCES],
      end: { port.unplug() })
  }

  private static func date(_ time: WallTime) -> Date {
    Date(timeIntervalSince1970: time.secondsSince1970)
  }

  private static func report(_ number: Int, at time: WallTime) -> String {
    let latitude = 47.5 + Double(number) * 1e-5
    let moment = date(time).formatted(.iso8601.year().month().day().time(includingFractionalSeconds: true))
    return #"{"class":"TPV","device":"/dev/x","mode":3,"lat":\#(latitude),"lon":19.2,"eph":3,"time":"\#(moment)Z"}"#
      + "\r\n"
  }
}

/// The descriptors that this process has open.
func openDescriptorCount() -> Int {
  (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").count) ?? 0
}
