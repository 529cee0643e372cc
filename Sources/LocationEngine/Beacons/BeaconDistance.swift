import LocationModel

/// From signal strengths to distances. Nobody outside of Apple knows its curve; this is the one that the field has
/// fitted (behaviour 6.9).
enum BeaconDistance {
  /// Metres; nil where the numbers say nothing: a radio gives negative decibels, and a beacon of one metre, too.
  static func meters(decibels: Double, measuredPower: Int8, policy: Policy) -> Double? {
    guard measuredPower < 0, decibels < 0, decibels.isFinite else { return nil }
    let ratio = decibels / Double(measuredPower)
    if ratio < 1 { return power(ratio, policy.beaconNearExponent) }
    let meters = policy.beaconCurveFactor * power(ratio, policy.beaconCurveExponent) + policy.beaconCurveOffsetMeters
    return meters.isFinite ? meters : nil
  }

  /// A beacon is farther than before only once it is clearly beyond the bound, so that one at a bound does not waver.
  static func proximity(meters: Double, before: Proximity, policy: Policy) -> Proximity {
    let slack = 1 + policy.beaconProximityHysteresisRatio
    let immediate = policy.beaconImmediateMetersMax * (before == .immediate ? slack : 1)
    let near = policy.beaconNearMetersMax * (before == .immediate || before == .near ? slack : 1)
    return meters <= immediate ? .immediate : meters <= near ? .near : .far
  }

  /// The mean without the extremes; nil of nothing.
  static func mean(_ decibels: [Int], policy: Policy) -> Double? {
    guard !decibels.isEmpty else { return nil }
    let dropped = Int(Double(decibels.count) * policy.beaconTrimRatio)
    let kept = decibels.sorted()[dropped..<(decibels.count - dropped)]
    guard !kept.isEmpty else { return nil }
    return Double(kept.reduce(0, +)) / Double(kept.count)
  }
}
