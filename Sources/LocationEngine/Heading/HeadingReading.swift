import LocationModel

/// One sample, and what it says of the field that it was measured in.
struct HeadingReading {
  let sample: HeadingSample
  /// How the device lies in the field; nil of a source that gives a direction.
  private let tilt: TiltCompensation?
  /// Something else than the Earth turns the needle (algorithms 4).
  let isDisturbed: Bool
  /// How far the direction may be off; nil where it cannot be believed.
  let accuracyDegrees: Double?

  /// - Parameter local: the Earth's field where the device is; nil where that is not known.
  ///
  /// Nil for a sample that says nothing: not a number, in free fall or shaken, without a direction.
  init?(_ sample: HeadingSample, local: MagneticField?, policy: Policy) {
    guard sample.isValid else { return nil }
    self.sample = sample
    switch sample.measurement {
    case .magnetic:
      tilt = nil
      isDisturbed = false
      accuracyDegrees = sample.accuracyDegrees ?? policy.headingUnknownAccuracyDegrees
    case .fromTrueNorth:
      tilt = nil
      isDisturbed = false
      let own = sample.accuracyDegrees ?? policy.headingUnknownAccuracyDegrees
      let declination = local?.declinationErrorDegrees ?? 0
      accuracyDegrees = min(180, (own * own + declination * declination).squareRoot())
    case .field(let field, let acceleration):
      if let acceleration {
        let excess = abs(acceleration.length / Self.standardGravity - 1)
        guard excess <= policy.headingAccelerationRatioMax else { return nil }
      }
      let up = acceleration ?? DeviceVector(x: 0, y: 0, z: 1)
      guard let tilt = TiltCompensation(field: field, up: up) else { return nil }
      self.tilt = tilt
      isDisturbed = Self.isDisturbed(
        field, dipDegrees: acceleration == nil ? nil : tilt.dipDegrees, local: local, policy: policy)
      accuracyDegrees =
        isDisturbed
        ? nil
        : sample.accuracyDegrees
          ?? Self.accuracyDegrees(field, tilt, isLevelled: acceleration != nil, local: local, policy: policy)
    }
  }

  private static let standardGravity = 9.80665

  /// The field is not as strong, or not as steep, as the Earth's at this place; where the place is not known, as the
  /// Earth's anywhere.
  private static func isDisturbed(
    _ field: DeviceVector, dipDegrees: Double?, local: MagneticField?, policy: Policy
  ) -> Bool {
    guard let local else {
      return field.length < policy.headingFieldMicroteslasMin || field.length > policy.headingFieldMicroteslasMax
    }
    let expected = local.totalNanoteslas / 1_000
    if abs(field.length - expected) > policy.headingFieldRatioMax * expected { return true }
    guard let dipDegrees else { return false }
    return abs(dipDegrees - local.inclinationDegrees) > policy.headingDipDegreesMax
  }

  /// A tilt that is off turns the heading by the tangent of the dip (algorithms 4); what is wrong with the strength of
  /// the field may lie all along the ground.
  private static func accuracyDegrees(
    _ field: DeviceVector, _ tilt: TiltCompensation, isLevelled: Bool, local: MagneticField?, policy: Policy
  ) -> Double {
    let dip = sineAndCosineOfDegrees(tilt.dipDegrees)
    let horizontal = field.length * dip.cosine
    let tiltDegrees = isLevelled ? policy.headingTiltErrorDegrees : policy.headingUnknownTiltDegrees
    let fromTilt = tiltDegrees * abs(dip.sine) / max(dip.cosine, 1e-6)
    let mismatch = local.map { abs(field.length - $0.totalNanoteslas / 1_000) } ?? 0
    let fromField = arctangentDegrees(y: policy.headingFieldErrorMicroteslas + mismatch, x: horizontal)
    return min(180, (fromTilt * fromTilt + fromField * fromField).squareRoot())
  }

  /// Whether a compass measured it, which a person can calibrate.
  var isMagnetic: Bool {
    if case .fromTrueNorth = sample.measurement { false } else { true }
  }

  var fieldMicroteslas: DeviceVector? {
    if case .field(let field, _) = sample.measurement { field } else { nil }
  }

  /// The direction of the device's front from the north that the source knows, true or magnetic.
  func directionDegrees(_ orientation: HeadingOrientation) -> Double? {
    switch sample.measurement {
    case .field: tilt?.headingDegrees(of: orientation.front)
    case .magnetic(let degrees), .fromTrueNorth(let degrees):
      CircleAngle.normalized(degrees + orientation.degreesFromTop)
    }
  }
}
