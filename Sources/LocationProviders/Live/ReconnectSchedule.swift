import LocationModel

/// When a source that is not there is tried again. A value: it has no clock, and its chance is in the seed.
///
/// - A local address or a device: every second, while somebody waits; a refused local connect costs microseconds.
/// - A remote address: after 1 to 2 s, 2 to 4 s and so on to 30 to 60 s, drawn evenly, so that a thousand clients of a
///   server that comes back do not come at once.
/// - With no demand: never.
package struct ReconnectSchedule: Hashable, Sendable {
  package enum Place: Hashable, Sendable {
    case local
    case remote
  }

  package static let localSeconds = 1.0
  package static let remoteSecondsMax = 60.0

  /// When to try next; nil while nothing is wanted, something is being tried, or a device is waited for.
  package private(set) var nextAttempt: Instant?
  package private(set) var isWanted = false
  private let place: Place
  private var failureCount = 0
  private var random: SeededGenerator

  package init(_ place: Place, seed: UInt64) {
    self.place = place
    random = SeededGenerator(seed: seed)
  }

  /// From now on the source is wanted: it is tried at once.
  package mutating func want(at now: Instant) {
    guard !isWanted else { return }
    isWanted = true
    nextAttempt = now
  }

  package mutating func unwant() {
    isWanted = false
    nextAttempt = nil
  }

  /// An attempt is under way, or the connection stands.
  package mutating func attempt() {
    nextAttempt = nil
  }

  /// The other side has shown that it is what was looked for; a connection that was merely accepted does not count.
  package mutating func succeed() {
    failureCount = 0
  }

  /// The attempt has failed, or the connection is lost.
  package mutating func fail(at now: Instant) {
    guard isWanted else { return }
    let delay: Double
    switch place {
    case .local:
      delay = Self.localSeconds
    case .remote:
      failureCount = min(failureCount + 1, 16)
      let longest = min(Self.remoteSecondsMax, Double(1 << failureCount))
      delay = Double.random(in: (longest / 2)...longest, using: &random)
    }
    nextAttempt = now.advanced(bySeconds: delay)
  }

  /// There is no such device: it is told when it comes, nothing needs to be tried.
  package mutating func waitForDevice() {
    nextAttempt = nil
  }

  /// The device has come.
  package mutating func deviceCame(at now: Instant) {
    if isWanted { nextAttempt = now }
  }
}

/// Chance that a seed decides: SplitMix64 (Steele, Lea and Flood, 2014).
package struct SeededGenerator: RandomNumberGenerator, Hashable, Sendable {
  private var state: UInt64

  package init(seed: UInt64) {
    state = seed
  }

  package mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var value = state
    value = (value ^ (value >> 30)) &* 0xBF58_476D_1CE4_E5B9
    value = (value ^ (value >> 27)) &* 0x94D0_49BB_1331_11EB
    return value ^ (value >> 31)
  }
}
