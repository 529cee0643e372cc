/// Where the equipment's bow points, as far as it says.
package struct NMEAHeading: Equatable, Sendable {
  /// HDT: degrees clockwise from true north in [0, 360).
  package var trueDegrees: Double?
  /// HDM, or HDG with its deviation applied: from magnetic north.
  package var magneticDegrees: Double?
  /// HDG: magnetic declination where the equipment is, east positive.
  package var variationDegrees: Double?

  package init(trueDegrees: Double? = nil, magneticDegrees: Double? = nil, variationDegrees: Double? = nil) {
    self.trueDegrees = trueDegrees
    self.magneticDegrees = magneticDegrees
    self.variationDegrees = variationDegrees
  }

  package var isEmpty: Bool { trueDegrees == nil && magneticDegrees == nil }

  /// True heading: as given, else the magnetic one plus the variation where both are known.
  package var bestTrueDegrees: Double? {
    if let trueDegrees { return trueDegrees }
    guard let magneticDegrees, let variationDegrees else { return nil }
    return Self.normal(magneticDegrees + variationDegrees)
  }

  /// Into [0, 360). A tiny negative angle would round up to 360 itself, which is 0.
  static func normal(_ degrees: Double) -> Double {
    let rest = degrees.truncatingRemainder(dividingBy: 360)
    let positive = rest < 0 ? rest + 360 : rest
    return positive >= 360 ? 0 : positive
  }
}

extension NMEASentence {
  /// HDT `h,T` and HDM `h,M`; another letter than the one expected is refused.
  static func heading(_ fields: inout NMEAFields, reference: UInt8) -> Double? {
    let degrees = fields.bearing()
    let letter = fields.letter()
    guard degrees == nil || letter == reference || letter == 0 else {
      fields.refuse()
      return nil
    }
    return degrees
  }

  /// HDG: the sensor's heading, deviation, variation. Magnetic heading is sensor plus deviation; an empty deviation
  /// means that it is applied already or unknown to the equipment.
  static func sensorHeading(_ fields: inout NMEAFields) -> NMEAHeading {
    let sensor = fields.bearing()
    let deviation = fields.variation() ?? 0
    let variation = fields.variation()
    return NMEAHeading(
      magneticDegrees: sensor.map { NMEAHeading.normal($0 + deviation) }, variationDegrees: variation)
  }
}
