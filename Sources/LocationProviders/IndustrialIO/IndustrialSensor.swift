import LinuxIO
import LocationModel

/// A three-axis sensor as the kernel's Industrial I/O shows it: a folder, a file a number (its sysfs-bus-iio document).
///
/// What is measured is (raw + offset) x scale, and its mounting matrix turns the sensor's axes into the device's: x to
/// the right of the screen, y to its top, z out of it.
struct IndustrialSensor: Sendable {
  enum Quantity: String, Sendable {
    /// Scaled to gauss.
    case magneticField = "magn"
    /// Scaled to m/s²; at rest what points up.
    case acceleration = "accel"

    /// What one scaled unit is in the units of LocationModel.
    fileprivate var factor: Double {
      switch self {
      case .magneticField: 100
      case .acceleration: 1
      }
    }
  }

  let folder: String
  let quantity: Quantity

  private static let axes = ["x", "y", "z"]
  /// More devices than a machine has.
  private static let devicesMax = 64
  private static let fileBytesMax = 4_096

  /// The first device of the folder that measures this.
  static func first(in root: String, _ quantity: Quantity) -> IndustrialSensor? {
    for name in Syscalls.names(in: root).sorted().prefix(devicesMax) where name.hasPrefix("iio:device") {
      let sensor = IndustrialSensor(folder: "\(root)/\(name)", quantity: quantity)
      if sensor.isThere { return sensor }
    }
    return nil
  }

  /// A device without a scale says numbers of which nobody knows what they are: it is none.
  var isThere: Bool {
    let isScaled = Syscalls.kind(of: path("scale")) == .regular
    return Self.axes.allSatisfy { axis in
      Syscalls.kind(of: path("\(axis)_raw")) == .regular
        && (isScaled || Syscalls.kind(of: path("\(axis)_scale")) == .regular)
    }
  }

  /// Measures all axes once; nil where the device is gone, busy, or says what is no number.
  func read() -> DeviceVector? {
    var values: [Double] = []
    for axis in Self.axes {
      guard let raw = number("\(axis)_raw") else { return nil }
      let offset = number("\(axis)_offset") ?? number("offset") ?? 0
      guard let scale = number("\(axis)_scale") ?? number("scale") else { return nil }
      values.append((raw + offset) * scale * quantity.factor)
    }
    let vector = turned(DeviceVector(x: values[0], y: values[1], z: values[2]))
    return vector.isFinite ? vector : nil
  }

  private func path(_ name: String) -> String { "\(folder)/in_\(quantity.rawValue)_\(name)" }

  /// Nil where there is no such file; not a number where there is one that says none, so that nothing else stands in
  /// for it.
  private func number(_ name: String) -> Double? {
    let path = path(name)
    if let text = Self.text(path) { return Double(text) ?? .nan }
    return Syscalls.kind(of: path) == nil ? nil : .nan
  }

  private static func text(_ path: String) -> String? {
    guard let file = try? SmallFile(path: path, bytesMax: fileBytesMax) else { return nil }
    let text = String(decoding: file.bytes, as: UTF8.self)
    return text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
  }

  // MARK: The mounting matrix

  /// Rows are divided by semicolons, numbers by commas. A matrix that cannot be read, or that does more than turn and
  /// mirror, turns nothing.
  private func turned(_ vector: DeviceVector) -> DeviceVector {
    let places = [path("mount_matrix"), "\(folder)/in_mount_matrix", "\(folder)/mount_matrix"]
    guard let text = places.lazy.compactMap(Self.text).first, let rows = Self.matrix(text) else { return vector }
    return DeviceVector(x: rows[0].dot(vector), y: rows[1].dot(vector), z: rows[2].dot(vector))
  }

  static func matrix(_ text: String) -> [DeviceVector]? {
    let rows = text.split(separator: ";").compactMap { row -> DeviceVector? in
      let numbers = row.split(separator: ",").map { Double($0.filter { !$0.isWhitespace }) }
      guard numbers.count == 3, let x = numbers[0], let y = numbers[1], let z = numbers[2] else { return nil }
      return DeviceVector(x: x, y: y, z: z)
    }
    guard rows.count == 3, rows.allSatisfy({ abs($0.length - 1) < 0.1 }), abs(rows[0].dot(rows[1])) < 0.1,
      abs(rows[1].dot(rows[2])) < 0.1, abs(rows[2].dot(rows[0])) < 0.1
    else { return nil }
    return rows
  }
}
