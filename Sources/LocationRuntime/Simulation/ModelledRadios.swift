import LocationEngine
import LocationModel

/// What the receivers of a modelled device have cost, each for itself.
package struct ReceiverJoules: Hashable, Sendable {
  package var satellite = 0.0
  package var wireless = 0.0
  package var cell = 0.0
  package var beacon = 0.0
  package var motion = 0.0

  package init() {}

  package var total: Double { satellite + wireless + cell + beacon + motion }

  /// What was spent after `earlier`.
  package func since(_ earlier: ReceiverJoules) -> ReceiverJoules {
    var joules = self
    joules.satellite -= earlier.satellite
    joules.wireless -= earlier.wireless
    joules.cell -= earlier.cell
    joules.beacon -= earlier.beacon
    joules.motion -= earlier.motion
    return joules
  }
}

/// The receivers of a modelled device (algorithms 1.3): when each has a place to give, how far it is off, and what all
/// of them have cost. The same seed gives the same errors.
package struct ModelledRadios: Sendable {
  /// Scans follow each other no faster while somebody wants more (algorithms 1.2: microG's 10 s).
  private static let scanIntervalSeconds = 10.0
  /// A network that was looked up is known so far around. Chosen.
  private static let lookupMeters = 300.0
  private static let lookupsMax = 10_000
  /// A receiver that follows satellites says so at least so often. Chosen.
  private static let quietSecondsMax = 10.0

  package let profile: DeviceProfile
  private var satellites: GNSSMeter
  private var generator: SeededGenerator
  private var isIndoors = false
  private var demand: ReceiverDemand?
  private var scanDue: Instant?
  private var cellDue: Instant?
  private var spent = ReceiverJoules()
  private var lookedUp: [Coordinate] = []
  private var given: (place: Coordinate, at: Instant)?
  private var motionSince: Instant?
  private var beaconSince: Instant?

  package init(profile: DeviceProfile, seed: UInt64) {
    self.profile = profile
    satellites = GNSSMeter(profile.energy)
    generator = SeededGenerator(state: seed)
  }

  package mutating func setDemand(_ demand: ReceiverDemand?, at now: Instant) {
    let wanted = demand?.technologies ?? []
    if wanted.contains(.satellite) != satellites.isOn {
      satellites.setOn(wanted.contains(.satellite), at: now, findsNothing: missesIndoors())
    }
    let had = self.demand?.technologies ?? []
    if wanted.contains(.wireless) != had.contains(.wireless) {
      scanDue = wanted.contains(.wireless) ? now.advanced(bySeconds: profile.energy.wirelessScanSeconds) : nil
    }
    if wanted.contains(.cell) != had.contains(.cell) {
      cellDue = wanted.contains(.cell) ? now.advanced(bySeconds: profile.energy.cellReadSeconds) : nil
    }
    self.demand = demand
  }

  private mutating func missesIndoors() -> Bool {
    isIndoors && Double.random(in: 0..<1, using: &generator) < profile.energy.satelliteIndoorMissProbability
  }

  /// Weak signals cost more; in a building a search may be in vain.
  package mutating func setReception(isWeak: Bool, isIndoors: Bool, at now: Instant) {
    satellites.setWeak(isWeak, at: now)
    guard isIndoors != self.isIndoors else { return }
    self.isIndoors = isIndoors
    // Who follows satellites goes on doing so behind a wall; who searched in vain finds them outside.
    if !isIndoors { satellites.setFindsNothing(false, at: now) }
  }

  /// Satellites have to be searched for before the next fix of them, for so long.
  package mutating func restartSatellites(searchingForSeconds seconds: Double, at now: Instant) {
    satellites.restart(searchingForSeconds: seconds, at: now)
  }

  // MARK: Finding

  package var isSatelliteOn: Bool { satellites.isOn }
  package var satelliteFixCount: Int { satellites.fixCount }
  package var satelliteStartCount: Int { satellites.startCount }
  package func satelliteSeconds(at now: Instant) -> Double { satellites.onSeconds(at: now) }

  /// Whether a fix of the satellites that is received now reaches the host; then it counts.
  package mutating func takes(_ fix: Fix, at now: Instant) -> Bool {
    if let given, let demand, demand.quietMeters > 0, now.seconds(since: given.at) < Self.quietSecondsMax {
      let (east, north) = LocalPlane(origin: given.place).meters(to: fix.coordinate)
      if east * east + north * north < demand.quietMeters * demand.quietMeters { return false }
    }
    guard satellites.takesFix(at: now, isCollected: demand?.collects == true) else { return false }
    given = (fix.coordinate, now)
    return true
  }

  /// When one of the others has a place next.
  package var nextDue: Instant? { Instant.earlier(scanDue, cellDue) }

  /// What the others have found until now.
  package mutating func found(at now: Instant, place: Coordinate?, time: WallTime) -> [Fix] {
    var fixes: [Fix] = []
    if let due = scanDue, due <= now {
      scanDue = now.advanced(bySeconds: Self.scanIntervalSeconds)
      spent.wireless += profile.energy.wirelessScanJoules + profile.energy.wakeJoulesPerFix
      if let place {
        lookUp(place)
        fixes.append(fix(near: place, accuracyMeters: profile.energy.wirelessAccuracyMeters, time))
      }
    }
    if let due = cellDue, due <= now {
      cellDue = now.advanced(bySeconds: Self.scanIntervalSeconds)
      spent.cell += profile.energy.cellReadJoules + profile.energy.wakeJoulesPerFix
      if let place { fixes.append(fix(near: place, accuracyMeters: profile.energy.cellAccuracyMeters, time)) }
    }
    return fixes
  }

  private mutating func lookUp(_ place: Coordinate) {
    let plane = LocalPlane(origin: place)
    let isKnown = lookedUp.contains { known in
      guard abs(known.latitude - place.latitude) < 0.01 else { return false }
      let (east, north) = plane.meters(to: known)
      return east * east + north * north <= Self.lookupMeters * Self.lookupMeters
    }
    guard !isKnown else { return }
    spent.wireless += profile.energy.wirelessLookupJoules
    if lookedUp.count < Self.lookupsMax { lookedUp.append(place) }
  }

  /// Off as a two-dimensional normal error is whose 68 % radius the accuracy is.
  private mutating func fix(near place: Coordinate, accuracyMeters: Double, _ time: WallTime) -> Fix {
    let deviation = accuracyMeters / ReceiverNoise.radiusPerDeviation
    let plane = LocalPlane(origin: place)
    let found = plane.place(
      eastMeters: deviation * generator.normal(), northMeters: deviation * generator.normal())
    return Fix(coordinate: found, horizontalAccuracyMeters: accuracyMeters, time: time, isSimulated: true)
  }

  // MARK: Costs

  package mutating func setMotionWatched(_ isWatched: Bool, at now: Instant) {
    spent.motion += motionJoules(at: now)
    motionSince = isWatched ? now : nil
  }

  private func motionJoules(at now: Instant) -> Double {
    motionSince.map { max(0, now.seconds(since: $0)) * profile.energy.motionWatts } ?? 0
  }

  /// The radio listens for beacons from now on, or no more.
  package mutating func setBeaconScan(_ isOn: Bool, at now: Instant) {
    spent.beacon += beaconJoules(at: now)
    beaconSince = isOn ? now : nil
  }

  private func beaconJoules(at now: Instant) -> Double {
    beaconSince.map { max(0, now.seconds(since: $0)) * profile.energy.beaconScanWatts } ?? 0
  }

  /// A time is passed over in which satellites were looked for again and again: what that cost, and how long it was.
  package mutating func passOver(seconds: Double, satelliteJoules: Double, satelliteSeconds: Double) {
    satellites.passOver(seconds: seconds, joules: satelliteJoules, onSeconds: satelliteSeconds)
  }

  package func joules(at now: Instant) -> ReceiverJoules {
    var joules = spent
    joules.satellite += satellites.joules(at: now)
    joules.beacon += beaconJoules(at: now)
    joules.motion += motionJoules(at: now)
    return joules
  }
}
