import LocationModel

/// Where headings come from: the compass of the machine.
///
/// It watches whether there is one, and measures only while it is wanted: no sensor is claimed and no file read before.
package protocol HeadingSensor: AnyObject, Sendable {
  /// Tells where events go: `heading`, `headingAvailable` and `notice`. Called once, before anything else.
  func connect(_ events: @escaping @Sendable (ProviderEvent) -> Void)

  func setWanted(_ isWanted: Bool)
}
