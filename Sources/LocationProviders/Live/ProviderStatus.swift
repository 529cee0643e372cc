import LocationFormats
import LocationModel

/// A provider that can tell how its receiver stands.
package protocol ReceiverProvider: LocationProvider {
  /// From any thread, without waiting for the receiver.
  var currentStatus: ProviderStatus { get }
}

/// How a receiver stands, finer than what the engine needs: for people who ask why there is no location.
package struct ProviderStatus: Equatable, Sendable {
  package enum Phase: String, Hashable, Sendable {
    /// Nobody wants a location: nothing is open.
    case idle
    /// It is not there, or cannot be had: `problem` says why.
    case absent
    /// Being opened, or open and silent so far.
    case starting
    /// It speaks and has no position.
    case searching
    case fixing
    /// It was there and is gone, or has fallen silent.
    case lost
    /// It is there, and does not serve this program: `problem` says why.
    case refused
  }

  package var phase = Phase.idle
  /// As a person knows it: `gpsd at localhost:2947`.
  package var name: String
  /// What is in the way, as a whole sentence; nil where nothing is.
  package var problem: String?
  /// Its kind, for who knows cures; nil where there is no problem, or none of these kinds.
  package var obstacle: Obstacle?
  package var language = SourceLanguage.other
  /// The stream is open, whether or not anything has come of it.
  package var isOpen = false
  /// What the sentences that came are about.
  package var topic = SentenceTopic.own
  /// Bytes since the last that were understood, counted while nothing is.
  package var foreignByteCount = 0
  /// The receivers behind it, where it tells them.
  package var devices: [String] = []
  package var satellites: [SatelliteView] = []
  /// What the sender calls itself, such as gpsd's version.
  package var sender: String?
  package var speedBaud: Int?
  package var lastFixAt: Instant?
  /// The receiver's time less the machine's at the last fix; about minus the receiver's delay where both are right.
  package var clockDifferenceSeconds: Double?
  /// What could not be read since the connection stands.
  package var malformedCount = 0

  package init(name: String, language: SourceLanguage = .other) {
    self.name = name
    self.language = language
  }

  /// The receivers are known to be there, whether or not they have a position.
  package var isServing: Bool {
    phase == .searching || phase == .fixing
  }
}

/// What a source speaks of.
package enum SentenceTopic: Hashable, Sendable {
  /// Its own place, time or satellites, as far as is known.
  case own
  /// Places of other ships alone (AIS).
  case otherShips
  /// Neither: depth, wind, engines.
  case other
}
