import LocationModel

/// The receivers of the device on a journey.
struct JourneyReceivers {
  enum Mode {
    /// A satellite receiver that is always on, a fix a second.
    case alwaysOn(accuracyMeters: Double)
    /// The same, which sees nothing during these seconds.
    case withGaps(accuracyMeters: Double, gaps: [Range<Int>])
    /// What the engine asks for, as it asks: cell towers, Wi-Fi or satellites, each with the time that it takes
    /// (algorithms 1.3).
    case onDemand
  }

  private enum Kind: Equatable {
    case cell, wireless, satellite
  }

  private let mode: Mode
  private let journey: RandomJourney
  private var errors: [WanderingError]
  private var lastFixSecond = 0
  private var kind: Kind?
  /// When the receiver that is on gives its next fix.
  private var due = 0
  private var satellitesSeenAt: Int?
  private(set) var secondsOn: [String: Int] = [:]

  static let satelliteAccuracyMeters = 5.0

  init(_ mode: Mode, journey: RandomJourney, seed: UInt64) {
    self.mode = mode
    self.journey = journey
    errors = (0..<3).map { WanderingError(seed: seed &* 3 + $0) }
  }

  /// The engine asked for something else.
  mutating func setDemand(_ demand: ReceiverDemand?, second: Int) {
    let wanted: Kind? = demand.map {
      guard case .meters(let meters) = $0.accuracy else { return .satellite }
      return meters >= 1_000 ? .cell : meters >= 100 ? .wireless : .satellite
    }
    guard wanted != kind else { return }
    kind = wanted
    switch wanted {
    case .cell: due = second + 1
    case .wireless: due = second + 4
    // Hot after less than two hours, else cold.
    case .satellite: due = second + (satellitesSeenAt == nil ? 28 : 2)
    case nil: break
    }
  }

  /// The fix of this second, if there is one.
  mutating func fix(at second: Int) -> Fix? {
    switch mode {
    case .alwaysOn(let accuracy): return fix(at: second, accuracy: accuracy, kind: .satellite)
    case .withGaps(let accuracy, let gaps):
      if gaps.contains(where: { $0.contains(second) }) { return nil }
      return fix(at: second, accuracy: accuracy, kind: .satellite)
    case .onDemand:
      guard let kind else { return nil }
      secondsOn["\(kind)", default: 0] += 1
      guard second >= due else { return nil }
      switch kind {
      case .cell:
        due = second + 5
        return fix(at: second, accuracy: 500, kind: kind)
      case .wireless:
        due = second + 4
        return fix(at: second, accuracy: 38, kind: kind)
      case .satellite:
        due = second + 1
        satellitesSeenAt = second
        return fix(at: second, accuracy: Self.satelliteAccuracyMeters, kind: kind)
      }
    }
  }

  private mutating func fix(at second: Int, accuracy: Double, kind: Kind) -> Fix {
    let index = kind == .satellite ? 0 : kind == .wireless ? 1 : 2
    let seconds = Double(max(1, second - lastFixSecond))
    lastFixSecond = second
    let place = errors[index].seen(journey.places[second], accuracyMeters: accuracy, seconds: seconds)
    let isSatellite = kind == .satellite
    return Fix(
      coordinate: place, horizontalAccuracyMeters: accuracy, time: Fix.start.advanced(bySeconds: Double(second)),
      speedMetersPerSecond: isSatellite ? journey.speeds[second] : nil,
      speedAccuracyMetersPerSecond: isSatellite ? 0.3 : nil,
      courseDegrees: isSatellite ? journey.courses[second] : nil,
      source: isSatellite ? .satelliteReceiver : .network)
  }
}
