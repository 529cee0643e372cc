import Foundation
import LinuxIO
import LocationModel
import LocationProviders

/// Sensors as the kernel shows them, laid out in a folder of the test's own.
final class SensorFolder {
  let path: String

  init() throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("sensors-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    path = folder.path
  }

  deinit { try? FileManager.default.removeItem(atPath: path) }

  func write(_ files: [String: String], device: String) throws {
    try FileManager.default.createDirectory(atPath: "\(path)/\(device)", withIntermediateDirectories: true)
    for (name, text) in files {
      try Data((text + "\n").utf8).write(to: URL(fileURLWithPath: "\(path)/\(device)/\(name)"))
    }
  }

  func remove(_ device: String) throws {
    try FileManager.default.removeItem(atPath: "\(path)/\(device)")
  }

  /// A magnetometer in thousandths of a gauss, as whole numbers.
  func magnetometer(
    _ x: Int, _ y: Int, _ z: Int, more: [String: String] = ["in_magn_scale": "0.001"]
  ) throws {
    try write(
      ["name": "ak8975", "in_magn_x_raw": "\(x)", "in_magn_y_raw": "\(y)", "in_magn_z_raw": "\(z)"]
        .merging(more) { $1 },
      device: "iio:device1")
  }

  /// An accelerometer in hundredths of m/s².
  func accelerometer(_ x: Int, _ y: Int, _ z: Int) throws {
    try write(
      [
        "name": "bma250", "in_accel_x_raw": "\(x)", "in_accel_y_raw": "\(y)", "in_accel_z_raw": "\(z)",
        "in_accel_scale": "0.01",
      ], device: "iio:device0")
  }
}

/// A clock whose alarms ring when a test says so.
final class HandClock: SessionClock {
  private final class Bell: Alarm {
    let ring: @Sendable () -> Void
    let deadline = Locked<Instant?>(nil)

    init(_ ring: @escaping @Sendable () -> Void) { self.ring = ring }

    func set(_ deadline: Instant?) { self.deadline.withLock { $0 = deadline } }
  }

  private let bells = Locked<[Bell]>([])

  var now: Instant { .zero }
  var wallTime: WallTime { WallTime(secondsSince1970: 1_780_300_800) }

  func makeAlarm(_ ring: @escaping @Sendable () -> Void) -> any Alarm {
    let bell = Bell(ring)
    bells.withLock { $0.append(bell) }
    return bell
  }

  /// Rings what is set.
  func ring() {
    for bell in bells.withLock({ $0 }) where bell.deadline.withLock({ $0 }) != nil { bell.ring() }
  }

  /// Seconds until the first bell; nil where none is set.
  var nextSeconds: Double? {
    bells.withLock { $0 }.compactMap { $0.deadline.withLock { $0 } }.min().map { $0.seconds(since: .zero) }
  }
}
