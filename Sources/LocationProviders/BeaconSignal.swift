import LocationModel

/// How strong a simulated beacon is heard: as in free space, 20 dB less for ten times the distance.
package enum BeaconSignal {
  /// The deviation of a signal that fades, from one packet to the next.
  package static let fadingDecibels = 4.0
  /// What is weaker than this a radio does not hear.
  package static let weakestDecibels = -95
  /// Nearer than this a signal grows no stronger.
  private static let metersMin = 0.1

  /// In dBm; nil where it is too weak to be heard.
  ///
  /// - Parameters:
  ///   - measuredPower: the signal at one metre, in dBm.
  ///   - fading: in deviations of `fadingDecibels`.
  package static func decibels(measuredPower: Int8, meters: Double, fading: Double = 0) -> Int? {
    let loss = 20 * decimalLogarithm(max(meters, metersMin))
    let signal = (Double(measuredPower) - loss + fadingDecibels * fading).rounded()
    return signal >= Double(weakestDecibels) ? Int(min(signal, -1)) : nil
  }
}
