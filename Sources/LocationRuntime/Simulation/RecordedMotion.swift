import LocationModel

/// What a motion sensor would have felt along a recording, as far as it has been played: a movement at once, a rest
/// when it has lasted.
package struct RecordedMotion: Sendable {
  /// Slower than this is no movement that a sensor feels. Chosen: a third of a walk.
  package static let metersPerSecondMin = 0.5
  /// A recorder that is silent for longer has stopped, or waits for a movement itself. Chosen.
  private static let holdSecondsMax = 300.0
  private static let unknownAccuracyMeters = 50.0

  private let stillSeconds: Double
  /// Where ways are measured from as long as fixes have no speed of their own.
  private var anchor: (fix: Fix, at: Instant)?
  private var lastAt: Instant?
  /// Whether a movement or a rest has been made out.
  private var isTold = false
  private var hasMoved = false
  /// From when on nothing moves, as far as is known.
  private var restSince: Instant?

  /// - Parameter stillSeconds: how long nothing moves until the sensor says so.
  package init(stillSeconds: Double) {
    self.stillSeconds = stillSeconds
  }

  /// The next fix of the recording, whether or not anybody receives it.
  package mutating func passed(_ fix: Fix, at now: Instant) {
    // A fix holds for as long as the one before it did: between two of them, minutes apart, a train does not stand.
    let intervalSeconds = lastAt.map { min(Self.holdSecondsMax, now.seconds(since: $0)) } ?? 0
    lastAt = now
    guard let speed = fix.speedMetersPerSecond else { return measured(fix, at: now, holdSeconds: intervalSeconds) }
    anchor = (fix, now)
    if speed >= Self.metersPerSecondMin {
      moves(until: now.advanced(bySeconds: intervalSeconds))
    } else {
      rests(since: now)
    }
  }

  /// It moves if it has gone farther than both fixes may be wrong; whoever goes fast enough has, in so many seconds.
  private mutating func measured(_ fix: Fix, at now: Instant, holdSeconds: Double) {
    guard let anchor else {
      self.anchor = (fix, now)
      return cannotTell(at: now)
    }
    let noiseMeters = max(1, errorMeters(anchor.fix) + errorMeters(fix))
    let windowSeconds = noiseMeters / Self.metersPerSecondMin
    let meters = Geodesic.distanceMeters(from: anchor.fix.coordinate, to: fix.coordinate)
    let seconds = now.seconds(since: anchor.at)
    if meters > noiseMeters, meters >= seconds * Self.metersPerSecondMin {
      moves(until: now.advanced(bySeconds: max(holdSeconds, windowSeconds)))
    } else if seconds >= windowSeconds {
      rests(since: anchor.at)
    } else {
      return cannotTell(at: now)
    }
    self.anchor = (fix, now)
  }

  /// Too little is known yet; what falls silent then rests at last.
  private mutating func cannotTell(at now: Instant) {
    if !isTold { restSince = now.advanced(bySeconds: Self.holdSecondsMax) }
  }

  private func errorMeters(_ fix: Fix) -> Double {
    max(0, fix.horizontalAccuracyMeters ?? Self.unknownAccuracyMeters)
  }

  private mutating func moves(until end: Instant) {
    isTold = true
    hasMoved = true
    restSince = end
  }

  private mutating func rests(since begin: Instant) {
    isTold = true
    restSince = restSince.map { min($0, begin) } ?? begin
  }

  private var stillFrom: Instant? { restSince?.advanced(bySeconds: stillSeconds) }

  package func motion(at now: Instant) -> DeviceMotion {
    if let stillFrom, stillFrom <= now { return .still }
    return hasMoved ? .moving : .unknown
  }

  /// When it will be felt to rest if nothing moves until then.
  package func nextChange(after now: Instant) -> Instant? {
    stillFrom.flatMap { $0 > now ? $0 : nil }
  }
}
