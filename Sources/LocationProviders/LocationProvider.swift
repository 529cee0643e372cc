import LocationModel

/// Where fixes come from: a receiver, a recording, a fixed place.
///
/// A provider is idle until it is wanted: with no demand it opens nothing and wakes nobody.
package protocol LocationProvider: AnyObject, Sendable {
  /// Tells where events go. Called once, before anything else.
  func connect(_ events: @escaping @Sendable (ProviderEvent) -> Void)

  /// What is wanted from now on; nil is nothing.
  func setDemand(_ demand: ReceiverDemand?)

  /// What it may switch on. One of several kinds keeps to those that the demand allows; another gets no demand that
  /// does not allow its kind.
  var kinds: ReceiverKinds { get }
}

extension LocationProvider {
  package var kinds: ReceiverKinds { .wired }
}

package enum ProviderEvent: Sendable {
  case fix(Fix)
  case state(ReceiverState)
  /// Where the device points. Receivers with a compass give it as long as they run for a position.
  case heading(HeadingSample)
  /// Whether there is a compass.
  case headingAvailable(Bool)
  /// Something a person should hear once, as a whole sentence.
  case notice(String)
}
