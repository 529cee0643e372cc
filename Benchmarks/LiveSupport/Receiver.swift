import Foundation
import Glibc

/// A receiver at a pseudo-terminal, which tells its place ten times a second, with the machine's time: RMC, GGA and
/// GSA in one write, as baselines of gpsd's own latency are taken.
package final class Receiver {
  package let path: String
  private let master: Int32
  /// When the sentences of each tenth of a second were written.
  package private(set) var written: [Int64: Int64] = [:]
  private var count = 0

  package init?() {
    var (master, slave): (Int32, Int32) = (-1, -1)
    var name = [CChar](repeating: 0, count: 128)
    guard openpty(&master, &slave, &name, nil, nil) == 0 else { return nil }
    var settings = termios()
    tcgetattr(slave, &settings)
    cfmakeraw(&settings)
    tcsetattr(slave, TCSANOW, &settings)
    // gpsd gives up root's rights before it opens the port.
    fchmod(slave, 0o666)
    close(slave)
    _ = fcntl(master, F_SETFL, O_NONBLOCK)
    _ = fcntl(master, F_SETFD, FD_CLOEXEC)
    self.master = master
    path = name.withUnsafeBufferPointer { $0.baseAddress.map { String(cString: $0) } ?? "" }
  }

  deinit { close(master) }

  /// Tells one place at each tenth of the machine's second, until it is over.
  /// - Returns: false where it was not over in time.
  package func tell(secondsMax: Double, until isOver: () -> Bool) -> Bool {
    let end = monotonicNanoseconds() + Int64(secondsMax * 1e9)
    while !isOver() {
      guard monotonicNanoseconds() < end else { return false }
      waitForNextTenth()
      tellOnce()
    }
    return true
  }

  private func waitForNextTenth() {
    var now = timespec()
    clock_gettime(CLOCK_REALTIME, &now)
    let next = (now.tv_nsec / 100_000_000 + 1) * 100_000_000
    var due = timespec(tv_sec: now.tv_sec + next / 1_000_000_000, tv_nsec: next % 1_000_000_000)
    clock_nanosleep(CLOCK_REALTIME, TIMER_ABSTIME, &due, nil)
  }

  private func tellOnce() {
    var now = timespec()
    clock_gettime(CLOCK_REALTIME, &now)
    let tenth = now.tv_nsec / 100_000_000
    let bytes = Array(epoch(second: now.tv_sec, tenth: tenth).utf8)
    written[Int64(now.tv_sec) * 10 + Int64(tenth)] = monotonicNanoseconds()
    _ = bytes.withUnsafeBytes { write(master, $0.baseAddress, $0.count) }
  }

  private func epoch(second: Int, tenth: Int) -> String {
    var second = second
    var parts = tm()
    gmtime_r(&second, &parts)
    let time = String(format: "%02d%02d%02d.%d0", parts.tm_hour, parts.tm_min, parts.tm_sec, tenth)
    let day = String(format: "%02d%02d%02d", parts.tm_mday, parts.tm_mon + 1, parts.tm_year % 100)
    // 3.6 knots north are 0.0001 minutes in a tenth of a second.
    let place = String(format: "47%07.4f,N,01912.0000,E", 30 + Double(count) * 0.0001)
    count += 1
    return [
      "GPGGA,\(time),\(place),1,08,1.0,100.0,M,40.0,M,,", "GPGSA,A,3,01,02,03,04,05,06,07,08,,,,,1.8,1.0,1.5",
      "GPRMC,\(time),A,\(place),3.6,0.0,\(day),,,A",
    ].map { String(format: "$%@*%02X\r\n", $0, $0.utf8.reduce(0, ^)) }.joined()
  }
}

package func monotonicNanoseconds() -> Int64 {
  var now = timespec()
  clock_gettime(CLOCK_MONOTONIC, &now)
  return Int64(now.tv_sec) * 1_000_000_000 + Int64(now.tv_nsec)
}
