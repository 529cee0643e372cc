import LocationModel

/// Which way the device points.
extension SimulatedDevice {
  /// The device turns: its top edge points so many degrees from magnetic north; delivered at once. A device has a
  /// compass from the first such word on.
  public func point(magneticDegrees: Double, accuracyDegrees: Double? = 10) {
    measure(
      HeadingSample(.magnetic(degrees: magneticDegrees), accuracyDegrees: accuracyDegrees, time: host.clock.wallTime))
  }

  /// Whether the device has a compass.
  public func setCompass(isThere: Bool) {
    host.host.handle(.headingAvailabilityChanged(isThere))
    settle()
  }

  /// The compass measures something; delivered at once.
  package func measure(_ sample: HeadingSample) {
    host.host.handle(.headingSampled(sample))
    settle()
  }
}
