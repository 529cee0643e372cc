import AppLifecycle
import CoreLocation
import CoreLocationTesting
import LocationEngine
import Testing

/// The article's own chain of tasks, under the rules of its time (era 8), beside the significant changes that it
/// compares it with. Both run in the background of a phone whose receivers err.
@MainActor
@Suite("seed 004: what its tracker finds, and what it costs, beside significant changes", .serialized)
struct Seed004ComparisonTests {
  private struct Day {
    /// As the app is told, and how far off it was, in metres.
    var accuracies: [Double] = []
    var errors: [Double] = []
    /// How far away the newest location is in each second on the way.
    var lags: [Double] = []
    var gapSecondsMax = 0.0
    var joules = 0.0
    var state = SimulatedAppState.notRunning

    var meanError: Double { errors.reduce(0, +) / Double(errors.count) }
    var meanLag: Double { lags.reduce(0, +) / Double(lags.count) }
  }

  private func device(_ profile: SimulatedProfile) -> SimulatedDevice {
    var info = AppInfo(hasLocationBackgroundMode: true)
    info.alwaysUsage = "Follows you."
    return SimulatedDevice(
      info, permission: .always, era: .iOS8, at: ProductTests.home, noiseSeed: 4, profile: profile)
  }

  /// Two hours: to a place 11 km away, an hour and a half there, and back.
  private func day(_ device: SimulatedDevice, _ told: () -> [CLLocation]) -> Day {
    var day = Day()
    var count = 0
    device.advance(by: .seconds(20))
    device.moveToBackground()
    let journey = Journey(from: ProductTests.home).drive(to: ProductTests.farAway)
    device.setOut(on: journey.stay(for: .seconds(5_600)).drive(to: ProductTests.home))
    var last = device.now
    var places: [Date: CLLocation] = [:]
    for _ in 0..<7_200 {
      device.advance(by: .seconds(1))
      guard let here = device.place.map({ CLLocation(latitude: $0.latitude, longitude: $0.longitude) }) else {
        continue
      }
      let isOnTheWay = places[device.now - 1].map { here.distance(from: $0) > 1 } == true
      places[device.now] = here
      let locations = told()
      if isOnTheWay, let newest = locations.last { day.lags.append(here.distance(from: newest)) }
      guard locations.count > count else { continue }
      for location in locations.dropFirst(count) {
        day.accuracies.append(location.horizontalAccuracy)
        // Of where the device was at the location's own time: the first of a listening may be remembered.
        let second = location.timestamp.timeIntervalSinceReferenceDate.rounded()
        if let place = places[Date(timeIntervalSinceReferenceDate: second)] {
          day.errors.append(location.distance(from: place))
        }
      }
      day.gapSecondsMax = max(day.gapSecondsMax, device.now.timeIntervalSince(last))
      last = device.now
      count = locations.count
    }
    day.joules = device.energyJoules
    day.state = device.appState
    return day
  }

  private func tracker(_ profile: SimulatedProfile) -> Day {
    let device = device(profile)
    let delegate = device.launchApplication { [unowned device] _ in SeedTrackerDelegate(on: device) }
    _ = device.run { delegate.tracker.startLocationTracking() }
    return day(device) { SeedShareModel.sharedModel.myLocationArray }
  }

  private func changes(_ profile: SimulatedProfile) -> Day {
    let device = device(profile)
    let probe = device.launch { Probe($0) { $0.manager.startMonitoringSignificantLocationChanges() } }
    return day(device) { probe.locations }
  }

  /// Where cell towers tell of the changes, as when the seed was written. The planner of a phone of today asks whatever
  /// receiver is cheapest, which on the road are its satellites (docs/energy.md).
  @Test(
    "The tracker's locations are very accurate for hours, significant changes from cell towers much less (seed 004)")
  func accuracy() {
    let towers = DeviceProfile(name: "towers", technologies: .cell, hasMotionSensor: false)
    let (tracker, changes) = (tracker(.phone), changes(SimulatedProfile(profile: towers)))
    // Satellites under open sky, and a cell tower's place (docs/energy.md).
    #expect(tracker.accuracies.allSatisfy { $0 == 5 } && changes.accuracies.allSatisfy { $0 == 400 })
    #expect(tracker.meanError < 10 && changes.meanError > 5 * tracker.meanError)
    #expect(tracker.errors.count > 10 * changes.errors.count && changes.errors.count >= 4)
    #expect(tracker.state == .background)
  }

  @Test("On the way the tracker's newest location is much nearer to the device than the last change is (seed 004)")
  func onTheWay() {
    let (tracker, changes) = (tracker(.phone), changes(.phone))
    // At 14 m/s it falls behind by 700 m in each rest of 50 s, a change by 4.2 km in the five minutes to the next one.
    #expect(tracker.meanLag < 400 && changes.meanLag > 3 * tracker.meanLag)
  }

  @Test("Nor can their interval be relied on: an hour and a half at one place has none (seed 004)")
  func interval() {
    #expect(changes(.phone).gapSecondsMax > 5_000)
    // A receiver that is asked each minute finds each minute, wherever the device is.
    #expect(tracker(.receiver).gapSecondsMax <= 62)
  }

  @Test("Significant changes consume less power than the article's chain of tasks, on a phone then and now (seed 004)")
  func power() {
    // The motion sensor of 2010, which either needs, is most of what changes cost there.
    for (profile, ratio) in [(SimulatedProfile.phone, 5.0), (.receiver, 5), (.legacy2010, 1)] {
      let (tracker, changes) = (tracker(profile), changes(profile))
      #expect(changes.joules > 0 && changes.joules * ratio < tracker.joules)
    }
  }
}
