import Dispatch
import Foundation
import Glibc
import LinuxIO
import XCTest

/// A receiver that moves north and tells its place ten times a second: RMC, GGA and GSA, with the machine's time.
final class FakeReceiver: @unchecked Sendable {
  private let queue = DispatchQueue(label: "tests.receiver")
  private let timer: any DispatchSourceTimer
  private var count = 0
  private let send: ([UInt8]) -> Void

  /// - Parameter send: takes each epoch's sentences in one piece.
  init(_ send: @escaping ([UInt8]) -> Void) {
    self.send = send
    timer = DispatchSource.makeTimerSource(queue: queue)
    timer.schedule(deadline: .now(), repeating: .milliseconds(100), leeway: .milliseconds(1))
    timer.setEventHandler { [weak self] in self?.tell() }
    timer.activate()
  }

  /// Returns when nothing is sent any more.
  func stop() {
    timer.cancel()
    queue.sync {}
  }

  deinit { timer.cancel() }

  private func tell() {
    send(Array(Self.epoch(count, at: Date()).utf8))
    count += 1
  }

  /// 47 degrees 30 minutes and `number` thousandths of a minute north, 19 degrees 12 minutes east.
  static func epoch(_ number: Int, at date: Date) -> String {
    var seconds = time_t(date.timeIntervalSince1970)
    let tenths = Int(date.timeIntervalSince1970 * 10) % 10
    var parts = tm()
    gmtime_r(&seconds, &parts)
    let time = String(format: "%02d%02d%02d.%d0", parts.tm_hour, parts.tm_min, parts.tm_sec, tenths)
    let day = String(format: "%02d%02d%02d", parts.tm_mday, parts.tm_mon + 1, parts.tm_year % 100)
    let place = String(format: "47%07.4f,N,01912.0000,E", 30 + Double(number % 1000) * 0.001)
    return [
      "GPRMC,\(time),A,\(place),3.6,0.0,\(day),,,A", "GPGGA,\(time),\(place),1,08,1.0,100.0,M,40.0,M,,",
      "GPGSA,A,3,01,02,03,04,05,06,07,08,,,,,1.8,1.0,1.5",
    ].map(sentence).joined()
  }

  static func sentence(_ body: String) -> String {
    String(format: "$%@*%02X\r\n", body, body.utf8.reduce(0, ^))
  }
}

/// A pseudo-terminal whose one end a test holds as the receiver's, the other being a serial port at `path`.
final class FakeSerialPort: Sendable {
  let path: String
  /// Used by the receiver's queue and closed by the test; -1 once it is unplugged.
  private let master: Locked<Int32>

  init() throws {
    var (master, slave): (Int32, Int32) = (-1, -1)
    var name = [CChar](repeating: 0, count: 128)
    try XCTSkipIf(openpty(&master, &slave, &name, nil, nil) != 0, "there are no pseudo-terminals here")
    var settings = termios()
    tcgetattr(slave, &settings)
    cfmakeraw(&settings)
    tcsetattr(slave, TCSANOW, &settings)
    // gpsd gives up root's rights before it opens the port.
    fchmod(slave, 0o666)
    close(slave)
    _ = fcntl(master, F_SETFL, O_NONBLOCK)
    _ = fcntl(master, F_SETFD, FD_CLOEXEC)
    self.master = Locked(master)
    path = name.withUnsafeBufferPointer { $0.baseAddress.map { String(cString: $0) } ?? "" }
  }

  deinit { unplug() }

  /// A receiver that nobody reads goes on talking: what does not fit is lost.
  func send(_ bytes: [UInt8]) {
    master.withLock { master in
      _ = bytes.withUnsafeBytes { write(master, $0.baseAddress, $0.count) }
    }
  }

  /// What the program on the other end has set.
  var speedCode: speed_t {
    var settings = termios()
    master.withLock { _ = tcgetattr($0, &settings) }
    return cfgetospeed(&settings)
  }

  func unplug() {
    master.withLock { master in
      if master >= 0 { close(master) }
      master = -1
    }
  }
}
