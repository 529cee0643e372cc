import LocationModel

extension NMEASentence {
  /// Recommended minimum: status, position, speed, course and the date.
  package struct RMC {
    package var timeOfDayNanoseconds: Int64 = -1
    package var position: NMEAPosition?
    package var speedMetersPerSecond: Double?
    package var courseDegrees: Double?
    package var daysSince1970: Int64?
    package var magneticVariationDegrees: Double?
    /// Status V, or mode N: the receiver has no fix.
    package var isVoid = false
    package var quality: FixQuality?
    /// NMEA 4.1's S (safe), C (caution), U (unsafe), V (not valid for navigation; also "nothing is said", which is all
    /// that most receivers ever write here, so that it does not void a fix); 0 where absent.
    package var navigationalStatus: UInt8 = 0

    /// Nil where time or position cannot be read.
    init?(_ fields: inout NMEAFields) {
      timeOfDayNanoseconds = fields.timeOfDay()
      let status = fields.letter()
      guard fields.refusedCount == 0, NMEAPosition.read(&fields, into: &position) else { return nil }
      speedMetersPerSecond = fields.knots()
      courseDegrees = fields.bearing()
      daysSince1970 = fields.date()
      magneticVariationDegrees = fields.variation()
      quality = FixQuality(modeLetter: fields.letter())
      navigationalStatus = fields.letter()
      isVoid = status == UInt8(ascii: "V") || quality == FixQuality.none
    }
  }
}

/// A position as a sentence writes it.
package struct NMEAPosition: Equatable, Sendable {
  package var coordinate: Coordinate
  /// Decimals of the minutes: how finely it is written.
  package var decimalCount: Int

  /// False where there is one that cannot be read; true, with or without a position, else.
  @inline(__always)
  static func read(_ fields: inout NMEAFields, into position: inout NMEAPosition?) -> Bool {
    switch fields.place() {
    case .none: return true
    case .refused: return false
    case .position(let coordinate, let decimalCount):
      position = NMEAPosition(coordinate: coordinate, decimalCount: decimalCount)
      return true
    }
  }
}

extension NMEAFields {
  /// A speed in knots as metres a second: 1852 m an hour is 463/900 m/s. What no receiver can move at is refused.
  @inline(__always)
  mutating func knots() -> Double? {
    possibleSpeed(decimal(times: 463, over: 900))
  }

  /// A speed in km/h as metres a second.
  @inline(__always)
  mutating func kilometersPerHour() -> Double? {
    possibleSpeed(decimal(times: 5, over: 18))
  }

  /// A number of metres within `range` and the unit M; another unit is refused.
  @inline(__always)
  mutating func metersWithUnit(in range: ClosedRange<Double>) -> Double? {
    let value = decimal(in: range)
    let unit = letter()
    guard value == nil || unit == UInt8(ascii: "M") || unit == 0 else {
      refuse()
      return nil
    }
    return value
  }

  @inline(__always)
  private mutating func possibleSpeed(_ value: Double?) -> Double? {
    guard let value, !ValueLimits.receiverSpeedMetersPerSecond.contains(value) else { return value }
    refuse()
    return nil
  }
}
