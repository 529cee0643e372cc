import LinuxIO
import LocationModel

/// The compass of a device that is carried along a recording: it lies flat, its top points where the journey goes, and
/// its magnetometer measures the Earth's field of that place and time.
///
/// Beyond the years of the magnetic model it measures the field of the nearest year of the model.
package final class TrackCompass: HeadingSensor {
  private struct State {
    var events: (@Sendable (ProviderEvent) -> Void)?
    var isWanted = false
    var last: Fix?
    var courseDegrees: Double?
  }

  /// Places nearer to each other than this show no direction.
  private static let metersMin = 2.0
  private static let standardGravity = 9.80665

  private let state = Locked(State())

  package init() {}

  /// Says at once that there is a compass.
  package func connect(_ events: @escaping @Sendable (ProviderEvent) -> Void) {
    state.withLock { $0.events = events }
    events(.headingAvailable(true))
  }

  package func setWanted(_ isWanted: Bool) {
    state.withLock { state in
      state.isWanted = isWanted
      state.last = nil
    }
  }

  /// The device is at the next place of the recording. Until the first course there is no heading; where the device
  /// rests its top stays where it was.
  package func moved(to fix: Fix) {
    let (events, sample) = state.withLock { state -> ((@Sendable (ProviderEvent) -> Void)?, HeadingSample?) in
      guard state.isWanted, fix.coordinate.isValid else { return (nil, nil) }
      if let course = Self.course(to: fix, from: state.last) { state.courseDegrees = course }
      if state.last.map({ Self.distance($0, fix) >= Self.metersMin }) != false { state.last = fix }
      return (state.events, state.courseDegrees.flatMap { Self.sample(course: $0, at: fix) })
    }
    if let events, let sample { events(.heading(sample)) }
  }

  private static func distance(_ start: Fix, _ end: Fix) -> Double {
    Geodesic.distanceMeters(from: start.coordinate, to: end.coordinate)
  }

  private static func course(to fix: Fix, from last: Fix?) -> Double? {
    if let course = fix.courseDegrees { return course }
    guard let last, distance(last, fix) >= metersMin else { return nil }
    let way = LocalPlane(origin: last.coordinate).meters(to: fix.coordinate)
    return CircleAngle.normalized(arctangentDegrees(y: way.east, x: way.north))
  }

  private static func sample(course: Double, at fix: Fix) -> HeadingSample? {
    let model = WorldMagneticModel.wmm2025
    let years = model.validYears
    let year = min(max(fix.time.decimalYear, years.lowerBound), years.upperBound)
    guard let field = model.field(at: fix, decimalYear: year) else { return nil }
    let (sine, cosine) = sineAndCosineOfDegrees(course)
    let (north, east) = (field.northNanoteslas / 1_000, field.eastNanoteslas / 1_000)
    return HeadingSample(
      .field(
        microteslas: DeviceVector(
          x: east * cosine - north * sine, y: north * cosine + east * sine, z: -field.downNanoteslas / 1_000),
        acceleration: DeviceVector(x: 0, y: 0, z: standardGravity)),
      time: fix.time)
  }
}

/// A recording's provider whose device has a compass: each fix is told to it after the engine has heard it.
package final class CompassCarrier: LocationProvider {
  private let provider: any LocationProvider
  private let compass: TrackCompass

  package init(_ provider: any LocationProvider, compass: TrackCompass) {
    self.provider = provider
    self.compass = compass
  }

  package var kinds: ReceiverKinds { provider.kinds }

  package func connect(_ events: @escaping @Sendable (ProviderEvent) -> Void) {
    provider.connect { [compass] event in
      events(event)
      if case .fix(let fix) = event { compass.moved(to: fix) }
    }
  }

  package func setDemand(_ demand: ReceiverDemand?) {
    provider.setDemand(demand)
  }
}
