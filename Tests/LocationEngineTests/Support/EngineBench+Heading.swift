import LocationEngine
import LocationModel

extension EngineBench {
  /// A compass that gives directions, as a sensor proxy does.
  @discardableResult
  mutating func compass(_ degrees: Double, accuracy: Double? = nil, at seconds: Double) -> [String] {
    hear(.headingSampled(.magnetic(degrees, accuracy: accuracy, at: seconds)), at: seconds)
  }

  /// A magnetometer on a device that lies flat.
  @discardableResult
  mutating func magnetometer(_ field: DeviceVector, at seconds: Double) -> [String] {
    hear(.headingSampled(.flat(field, at: seconds)), at: seconds)
  }

  @discardableResult
  mutating func fix(_ place: Coordinate, at seconds: Double) -> [String] {
    let fix = Fix(coordinate: place, horizontalAccuracyMeters: 4, time: Fix.start.advanced(bySeconds: seconds))
    return hear(.fixReceived(fix), at: seconds)
  }
}

extension HeadingSample {
  static func magnetic(_ degrees: Double, accuracy: Double? = nil, at seconds: Double) -> HeadingSample {
    HeadingSample(
      .magnetic(degrees: degrees), accuracyDegrees: accuracy, time: Fix.start.advanced(bySeconds: seconds))
  }

  static func fromTrueNorth(_ degrees: Double, accuracy: Double? = nil, at seconds: Double) -> HeadingSample {
    HeadingSample(
      .fromTrueNorth(degrees: degrees), accuracyDegrees: accuracy, time: Fix.start.advanced(bySeconds: seconds))
  }

  static func flat(_ field: DeviceVector, at seconds: Double) -> HeadingSample {
    HeadingSample(
      .field(microteslas: field, acceleration: DeviceVector(x: 0, y: 0, z: 9.81)),
      time: Fix.start.advanced(bySeconds: seconds))
  }
}

extension MagneticField {
  /// At sea level on the day of second 0.
  static func ofTests(at place: Coordinate) -> MagneticField {
    WorldMagneticModel.wmm2025.field(at: place, time: Fix.start)
      ?? MagneticField(northNanoteslas: 0, eastNanoteslas: 0, downNanoteslas: 0)
  }

  /// What a magnetometer shows in this field that lies flat and whose top edge points `degrees` from magnetic north.
  func seenFlat(heading degrees: Double) -> DeviceVector {
    let (sine, cosine) = sineAndCosineOfDegrees(degrees)
    return DeviceVector(
      x: -horizontalNanoteslas / 1_000 * sine, y: horizontalNanoteslas / 1_000 * cosine, z: -downNanoteslas / 1_000)
  }
}

extension Coordinate {
  static let applePark = Coordinate(latitude: 37.3349, longitude: -122.0090)

  /// A place on a parallel of central Europe where the declination is so much, found by halving.
  static func european(declination degrees: Double) -> Coordinate {
    var west = 0.0
    var east = 30.0
    for _ in 0..<60 {
      let middle = (west + east) / 2
      let place = Coordinate(latitude: 50, longitude: middle)
      if MagneticField.ofTests(at: place).declinationDegrees < degrees { west = middle } else { east = middle }
    }
    return Coordinate(latitude: 50, longitude: west)
  }
}
