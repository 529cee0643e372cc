import CWallClock
import LocationRuntime

/// `Date()` in code that belongs to a simulated device is the device's time.
enum DeviceWallClock {
  /// Done once for the process, with its first device.
  static let install: Void = wall_clock_ask_first { time in
    guard let time, let device = DeviceBinding.current as? SimulatedDevice else { return false }
    let nanoseconds = device.host.clock.wallTime.nanosecondsSince1970
    let (seconds, rest) = nanoseconds.quotientAndRemainder(dividingBy: 1_000_000_000)
    time.pointee.tv_sec = rest < 0 ? Int(seconds) - 1 : Int(seconds)
    time.pointee.tv_nsec = rest < 0 ? Int(rest) + 1_000_000_000 : Int(rest)
    return true
  }
}
