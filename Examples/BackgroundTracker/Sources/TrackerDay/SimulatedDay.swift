import AppLifecycle
import BackgroundTracking
import CoreLocation
import CoreLocationTesting

/// One day of one tracker: from midnight to midnight, in the background from the fifth second on.
@MainActor
public struct SimulatedDay {
  public enum Tracker: String, CaseIterable, Sendable {
    case tasksWith180Seconds = "tracker on background tasks, era 8 (180 s)"
    case tasksWith30Seconds = "tracker on background tasks, era 18 (30 s)"
    case session = "tracker on CLBackgroundActivitySession"
    case continuous = "continuous updates"
    case significantChanges = "significant changes"
    /// Not in the table: it does not see the end of its first minute.
    case leaking = "tracker that never ends its tasks"
  }

  public struct Result: Sendable {
    public var fixCount: Int
    public var longestGapSeconds: TimeInterval
    public var radioSeconds: Double
    public var joules: Double
    public var stateAtMidnight: SimulatedAppState
  }

  public static let secondsToBackground = 5
  private static let home = CLLocationCoordinate2D(latitude: 47.5030, longitude: 19.0330)
  private static let office = CLLocationCoordinate2D(latitude: 47.5610, longitude: 19.0580)
  private static let restaurant = CLLocationCoordinate2D(latitude: 47.5650, longitude: 19.0610)

  /// Sleeps until 7, drives 6.7 km to work, walks to lunch and back, drives home at 17 o'clock.
  public static var journey: Journey {
    let hour = 3_600.0
    var journey = Journey(from: home)
    func stay(untilHour end: Double) {
      let now = Double(journey.duration.components.seconds)
      journey = journey.stay(for: .seconds(end * hour - now))
    }
    stay(untilHour: 7)
    journey = journey.drive(to: office)
    stay(untilHour: 12)
    journey = journey.walk(to: restaurant)
    stay(untilHour: 13)
    journey = journey.walk(to: office)
    stay(untilHour: 17)
    journey = journey.drive(to: home)
    stay(untilHour: 24)
    return journey
  }

  public let device: SimulatedDevice
  public let model = LocationShareModel()
  private let tracker: Tracker
  private let start: Date

  public init(_ tracker: Tracker) {
    self.tracker = tracker
    let midnight = Date(timeIntervalSince1970: 1_780_272_000)
    start = midnight
    device = SimulatedDevice(
      AppInfo(hasLocationBackgroundMode: true), permission: .always,
      era: tracker == .tasksWith180Seconds ? .iOS8 : .iOS18, startingAt: midnight)
    device.setOut(on: Self.journey)
  }

  /// The person opens the app and leaves it.
  public func begin() async throws {
    let (model, clock, tracker) = (model, device.clock, tracker)
    func launch(_ keeper: @escaping @MainActor () -> any BackgroundKeeping) async throws {
      device.launchApplication { _ in RestingTracker(model: model, keeper: keeper(), clock: clock) }
      try await device.listening(1)
    }
    switch tracker {
    case .tasksWith180Seconds, .tasksWith30Seconds: try await launch { BackgroundTaskManager() }
    case .session: try await launch { BackgroundSession() }
    case .leaking: try await launch { LeakingTasks() }
    case .continuous: device.launchApplication { _ in PlainTracker(model: model, service: .updates) }
    case .significantChanges:
      device.launchApplication { _ in PlainTracker(model: model, service: .significantChanges) }
    }
    try await device.advance(by: .seconds(Self.secondsToBackground))
    device.moveToBackground()
  }

  /// To midnight, or to so long after the day's beginning.
  public func run(until end: Duration = .seconds(86_400)) async throws -> Result {
    if device.elapsed == .zero { try await begin() }
    while device.elapsed < end {
      try await device.advance(by: min(.seconds(3_600), end - device.elapsed))
      // A day is long: others of the main actor have their turn.
      await Task.yield()
    }
    return result
  }

  public var result: Result {
    Result(
      fixCount: model.locations.count,
      longestGapSeconds: model.longestGapSeconds(from: start, to: device.now),
      radioSeconds: Double(device.receiverTime.components.seconds), joules: device.energyJoules,
      stateAtMidnight: device.appState)
  }
}
