import Foundation
import Glibc
import LinuxIO
import XCTest

/// A receiver at a named pipe, or at a pseudo-terminal: moves north and tells its place, with the machine's time.
final class PipeReceiver: Sendable {
  let path: String
  private let descriptor: Int32
  private let count = Locked(0)
  private let feeding = Locked<(any DispatchSourceTimer)?>(nil)
  /// Where it stands, in ten thousandths of a minute; nil where it moves.
  private let standing = Locked<Int?>(nil)
  /// When the place of each tenth of a second was told, by the clock that does not step.
  let told = Locked<[Int64: UInt64]>([:])

  init(_ path: String) throws {
    self.path = path
    unlink(path)
    guard mkfifo(path, 0o600) == 0 else { throw SystemError(call: "mkfifo") }
    // For reading too, so that it does not end while nobody listens.
    descriptor = open(path, O_RDWR | O_NONBLOCK | O_CLOEXEC)
    guard descriptor >= 0 else { throw SystemError(call: "open") }
  }

  /// At a pseudo-terminal, as a serial port is.
  init() throws {
    var (master, slave): (Int32, Int32) = (-1, -1)
    var name = [CChar](repeating: 0, count: 128)
    try XCTSkipIf(openpty(&master, &slave, &name, nil, nil) != 0, "there are no pseudo-terminals here")
    var settings = termios()
    tcgetattr(slave, &settings)
    cfmakeraw(&settings)
    tcsetattr(slave, TCSANOW, &settings)
    close(slave)
    _ = fcntl(master, F_SETFL, O_NONBLOCK)
    _ = fcntl(master, F_SETFD, FD_CLOEXEC)
    descriptor = master
    path = name.withUnsafeBufferPointer { $0.baseAddress.map { String(cString: $0) } ?? "" }
  }

  deinit {
    feeding.withLock { $0?.cancel() }
    close(descriptor)
  }

  /// Takes out what a listener has left.
  func drain() {
    var bytes = [UInt8](repeating: 0, count: 65_536)
    while read(descriptor, &bytes, bytes.count) > 0 {}
  }

  /// It stands so far north of where it began, from now on; a ten thousandth of a minute of latitude is 0.1853 m.
  func stand(metersNorth meters: Double) {
    standing.withLock { $0 = Int((meters / 0.1853).rounded()) }
  }

  /// Tells the next place.
  func tell() {
    let number =
      standing.withLock { $0 }
      ?? count.withLock { count -> Int in
        count += 1
        return count
      }
    let now = Date()
    let tenth = Int64(now.timeIntervalSince1970 * 10)
    told.withLock { $0[tenth] = DispatchTime.now().uptimeNanoseconds }
    let bytes = Array(Self.epoch(number, tenth: tenth).utf8)
    _ = write(descriptor, bytes, bytes.count)
  }

  /// Tells a place ten times a second until `stopFeeding`.
  func feed() {
    feeding.withLock { feeding in
      guard feeding == nil else { return }
      let timer = DispatchSource.makeTimerSource(queue: .global(qos: .userInteractive))
      timer.schedule(deadline: .now(), repeating: .milliseconds(100), leeway: .nanoseconds(0))
      timer.setEventHandler { [weak self] in self?.tell() }
      timer.activate()
      feeding = timer
    }
  }

  func stopFeeding() {
    feeding.withLock { feeding in
      feeding?.cancel()
      feeding = nil
    }
  }

  /// 47 degrees 30 minutes and `number` ten thousandths of a minute north.
  private static func epoch(_ number: Int, tenth: Int64) -> String {
    var seconds = time_t(tenth / 10)
    var parts = tm()
    gmtime_r(&seconds, &parts)
    let time = String(format: "%02d%02d%02d.%d0", parts.tm_hour, parts.tm_min, parts.tm_sec, Int(tenth % 10))
    let day = String(format: "%02d%02d%02d", parts.tm_mday, parts.tm_mon + 1, parts.tm_year % 100)
    let place = String(format: "47%07.4f,N,01912.3457,E", 30.1234 + Double(number % 200_000) * 0.0001)
    return [
      "GPGGA,\(time),\(place),1,08,1.0,100.0,M,40.0,M,,", "GPGSA,A,3,01,02,03,04,05,06,07,08,,,,,1.8,1.0,1.5",
      "GPRMC,\(time),A,\(place),3.6,0.0,\(day),,,A",
    ].map { String(format: "$%@*%02X\r\n", $0, $0.utf8.reduce(0, ^)) }.joined()
  }
}
