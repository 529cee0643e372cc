import LocationEngine
import LocationModel
import LocationProviders

/// The motion sensor of a simulated device: feels a movement at once, and a rest when it has lasted.
struct ModelledMotion {
  /// Slower than this is no movement that a sensor feels. Chosen: a third of a walk.
  private static let metersPerSecondMin = 0.5

  var changed: (@Sendable (DeviceMotion) -> Void)?
  var alarm: (any Alarm)?
  var isWatched = false {
    didSet { if !isWatched { felt = .unknown } }
  }
  /// What will be felt, and from when on; the first holds from before.
  private var coming: [(at: Instant, motion: DeviceMotion)] = []
  private var felt = DeviceMotion.unknown

  /// The device goes on this journey from now on.
  mutating func begin(_ journey: Journey, at now: Instant, energy: EnergyModel) {
    let isMoving = coming.last { $0.at <= now }?.motion == .moving
    var stretches = journey.stretches(slowerThan: Self.metersPerSecondMin)
    stretches.append((journey.seconds, false))
    coming = isMoving ? [(now, .moving)] : []
    var wasMoving = isMoving
    for (seconds, moves) in stretches where moves != wasMoving || coming.isEmpty {
      let begins = now.advanced(bySeconds: seconds)
      // A rest that ends before it is felt never was one.
      if moves, let last = coming.last, last.motion == .still, last.at > begins { coming.removeLast() }
      let isFirst = coming.isEmpty && !moves
      coming.append(
        (moves || isFirst ? begins : begins.advanced(bySeconds: energy.motionStillSeconds), moves ? .moving : .still))
      wasMoving = moves
    }
  }

  /// What there is to say now, and the alarm for what comes.
  mutating func feel(at now: Instant) -> DeviceMotion? {
    guard isWatched else {
      alarm?.set(nil)
      return nil
    }
    while coming.count > 1, coming[1].at <= now { coming.removeFirst() }
    alarm?.set(coming.first { $0.at > now }?.at)
    guard let motion = coming.first, motion.at <= now, motion.motion != felt else { return nil }
    felt = motion.motion
    return felt
  }
}

extension Journey {
  var seconds: Double { duration.inSeconds }

  /// Where it goes and where it rests, in order: from so many seconds on, until the next.
  func stretches(slowerThan metersPerSecond: Double) -> [(seconds: Double, moves: Bool)] {
    let recorded = zip(recording, recording.dropFirst()).map { fix, next in
      let seconds = Double(next.offsetNanoseconds - fix.offsetNanoseconds) / 1e9
      let meters = Geodesic.distanceMeters(from: fix.fix.coordinate, to: next.fix.coordinate)
      return (Double(fix.offsetNanoseconds) / 1e9, seconds > 0 && meters / seconds >= metersPerSecond)
    }
    return recorded
      + legs.map { leg in
        (leg.beginSeconds, leg.seconds > 0 && leg.lengthMeters / leg.seconds >= metersPerSecond)
      }
  }
}
