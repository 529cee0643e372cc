import LinuxIO
import LocationModel
import LocationProviders
import LocationRuntime

/// The compass of a simulated device, which lies flat. It measures when somebody begins to listen, when the device
/// turns, and when something magnetic comes near or goes; where the device points ahead, once a second on its way, and
/// ten times a second while its journey turns it.
///
/// Until it has been told where the device points it measures nothing.
final class SimulatedCompass: HeadingSensor {
  private enum Direction {
    case magnetic(degrees: Double)
    case fromTrueNorth(degrees: Double)
    /// Where the journey says, else where it goes; while the device rests where it pointed or went last.
    case ahead
  }

  private struct State {
    var events: (@Sendable (ProviderEvent) -> Void)?
    var alarm: (any Alarm)?
    var isThere = true
    var isWanted = false
    var direction: Direction?
    /// What the journey said last.
    var aheadDegrees: Double?
    var accuracyDegrees: Double?
    var hasInterference = false
  }

  /// The field of middle Europe, where the device has no place: 48 microtesla, 65 degrees below the horizon.
  private static let usualField = MagneticField(northNanoteslas: 20_500, eastNanoteslas: 0, downNanoteslas: 43_500)
  /// What a loudspeaker's magnet does at a hand's breadth: twice the Earth's field and more, from the right.
  private static let interferenceMicroteslas = 100.0
  private static let standardGravity = 9.80665
  /// As where a test does not say otherwise (`SimulatedDevice.point`).
  private static let usualAccuracyDegrees = 10.0
  /// Between two measurements on a way ahead, whose direction changes with its legs.
  private static let wayAheadSeconds = 1.0
  /// Between two measurements of a turn. Chosen: a quarter turn in a second is still told in steps of nine degrees.
  private static let turningSeconds = 0.1

  private let clock: VirtualClock
  private let receiver: SimulatedReceiver
  private let state = Locked(State())

  init(clock: VirtualClock, receiver: SimulatedReceiver) {
    self.clock = clock
    self.receiver = receiver
    let alarm = clock.makeAlarm { [weak self] in self?.lookAhead() }
    state.withLock { $0.alarm = alarm }
  }

  /// Says at once that there is a compass.
  func connect(_ events: @escaping @Sendable (ProviderEvent) -> Void) {
    state.withLock { $0.events = events }
    events(.headingAvailable(true))
  }

  func setWanted(_ isWanted: Bool) {
    state.withLock { $0.isWanted = isWanted }
    tell()
  }

  // MARK: What a test says

  var isThere: Bool { state.withLock { $0.isThere } }

  func set(isThere: Bool) {
    let events = state.withLock { state in
      state.isThere = isThere
      return state.events
    }
    events?(.headingAvailable(isThere))
    tell()
  }

  var hasInterference: Bool { state.withLock { $0.hasInterference } }

  func set(hasInterference: Bool) {
    state.withLock { $0.hasInterference = hasInterference }
    tell()
  }

  func point(magneticDegrees: Double, accuracyDegrees: Double?) {
    point(.magnetic(degrees: magneticDegrees), accuracyDegrees)
  }

  func point(trueDegrees: Double, accuracyDegrees: Double?) {
    point(.fromTrueNorth(degrees: trueDegrees), accuracyDegrees)
  }

  func pointAhead(accuracyDegrees: Double?) { point(.ahead, accuracyDegrees) }

  private func point(_ direction: Direction, _ accuracyDegrees: Double?) {
    state.withLock { state in
      state.isThere = true
      state.direction = direction
      state.accuracyDegrees = accuracyDegrees
    }
    tell()
  }

  /// A sample that a test has made.
  func give(_ sample: HeadingSample) {
    let events = state.withLock { $0.isThere ? $0.events : nil }
    events?(.heading(sample))
  }

  /// The device is on another journey; `hasHeadings`: one that says which way it points.
  func deviceHasMoved(hasHeadings: Bool) {
    if hasHeadings {
      state.withLock { state in
        if state.direction == nil { state.accuracyDegrees = Self.usualAccuracyDegrees }
        state.direction = .ahead
      }
    }
    if state.withLock({ if case .ahead = $0.direction { true } else { false } }) { tell() }
  }

  // MARK: Measuring

  private func lookAhead() {
    let turns = state.withLock { state in
      state.aheadDegrees != receiver.sample?.aheadDegrees ?? state.aheadDegrees
    }
    if turns { tell() } else { state.withLock { schedule(&$0) } }
  }

  private func tell() {
    let (events, sample) = state.withLock { state -> ((@Sendable (ProviderEvent) -> Void)?, HeadingSample?) in
      schedule(&state)
      guard state.isThere, state.isWanted else { return (nil, nil) }
      return (state.events, measured(&state))
    }
    if let events, let sample { events(.heading(sample)) }
  }

  private func schedule(_ state: inout State) {
    guard state.isThere, state.isWanted, case .ahead = state.direction, receiver.isUnderWay else {
      state.alarm?.set(nil)
      return
    }
    let isTurning = receiver.sample?.isTurning ?? false
    let next = clock.now.advanced(bySeconds: isTurning ? Self.turningSeconds : Self.wayAheadSeconds)
    // The next leg's heading is told as it begins.
    let endOfLeg = receiver.endOfLeg.flatMap { $0 > clock.now ? $0 : nil }
    state.alarm?.set(endOfLeg.map { min($0, next) } ?? next)
  }

  private func measured(_ state: inout State) -> HeadingSample? {
    let here = receiver.sample
    if case .ahead = state.direction, let ahead = here?.aheadDegrees { state.aheadDegrees = ahead }
    let time = clock.wallTime
    let field = here.flatMap { Self.field(at: $0.place, time: time) } ?? Self.usualField
    guard let degrees = magneticDegrees(state, declinationDegrees: field.declinationDegrees) else { return nil }
    guard state.hasInterference else {
      return HeadingSample(.magnetic(degrees: degrees), accuracyDegrees: state.accuracyDegrees, time: time)
    }
    let horizontal = field.horizontalNanoteslas / 1_000
    let (sine, cosine) = sineAndCosineOfDegrees(degrees)
    let disturbed = DeviceVector(
      x: Self.interferenceMicroteslas - horizontal * sine, y: horizontal * cosine, z: -field.downNanoteslas / 1_000)
    return HeadingSample(
      .field(microteslas: disturbed, acceleration: DeviceVector(x: 0, y: 0, z: Self.standardGravity)), time: time)
  }

  private func magneticDegrees(_ state: State, declinationDegrees: Double) -> Double? {
    switch state.direction {
    case .magnetic(let degrees): CircleAngle.normalized(degrees)
    case .fromTrueNorth(let degrees): CircleAngle.normalized(degrees - declinationDegrees)
    case .ahead: state.aheadDegrees.map { CircleAngle.normalized($0 - declinationDegrees) }
    case nil: nil
    }
  }

  /// Beyond the years of the magnetic model the field of the nearest year of it; nil for no place on the Earth.
  private static func field(at place: Coordinate, time: WallTime) -> MagneticField? {
    let model = WorldMagneticModel.wmm2025
    let years = model.validYears
    return model.field(at: place, decimalYear: min(max(time.decimalYear, years.lowerBound), years.upperBound))
  }
}
