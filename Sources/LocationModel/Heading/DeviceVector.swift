/// A vector in the device's axes: x to the right of the screen, y to its top, z out of it, towards who looks at it.
package struct DeviceVector: Hashable, Sendable {
  package var x: Double
  package var y: Double
  package var z: Double

  package init(x: Double, y: Double, z: Double) {
    self.x = x
    self.y = y
    self.z = z
  }

  package var length: Double { (x * x + y * y + z * z).squareRoot() }

  package var isFinite: Bool { x.isFinite && y.isFinite && z.isFinite }

  /// Of length 1; nil for a vector of no length, which points nowhere.
  package var unit: DeviceVector? {
    let length = length
    guard length > 0, length.isFinite else { return nil }
    return DeviceVector(x: x / length, y: y / length, z: z / length)
  }

  package func dot(_ other: DeviceVector) -> Double {
    x * other.x + y * other.y + z * other.z
  }

  package func cross(_ other: DeviceVector) -> DeviceVector {
    DeviceVector(
      x: y * other.z - z * other.y, y: z * other.x - x * other.z, z: x * other.y - y * other.x)
  }
}
