import BenchmarkSupport
import CoreLocation
import CoreLocationTesting
import LocationEngine
import LocationModel
import LocationRuntime

/// What one setting costs on one way, and how far off what it tells is.
struct EnergyRun {
  enum Service {
    case standard(CLLocationAccuracy, filterMeters: CLLocationDistance = kCLDistanceFilterNone)
    case significant
    case visits
    case regions
  }

  /// What an operator has changed (--policy).
  nonisolated(unsafe) static var policy = Policy()

  var joules = ReceiverJoules()
  var startCount = 0
  var hours = 0.0
  var deliveredCount = 0
  /// Metres from where the device was to the last location told, each second.
  var all: [Double] = []
  var moving: [Double] = []
  /// The greatest errors on the move of each five minutes that had one of a kilometre or more, and when.
  var worst: [(second: Double, error: Double)] = []
  var hourJoules: [ReceiverJoules] = []
  var processorSeconds = 0.0
  var app: EnergyApp
  let device: SimulatedDevice

  var joulesPerHour: Double { joules.total / hours }

  /// - Parameter moves: which seconds count as moving; nil is all.
  init(
    _ service: Service, on journey: Journey, seed: UInt64, profile: SimulatedProfile, moves: [ClosedRange<Double>]?,
    circles: [CLCircularRegion] = [], measuresErrors: Bool = true
  ) {
    let device = SimulatedDevice(
      app: SimulatedDevice.describedApp(), policy: Self.policy, grant: Grant(level: .always),
      startingAt: WallTime(secondsSince1970: 1_780_272_000 - Self.eveningSeconds),
      noiseSeed: seed, profile: profile.profile, launchesNow: false)
    self.device = device
    let app = device.launch { _ in EnergyApp() }
    self.app = app
    // Its first search ever was not today: it found itself by satellites the evening before.
    device.put(at: journey.start)
    device.run { app.locate() }
    device.advance(by: Duration.seconds(Self.eveningSeconds))
    let (evening, eveningStarts) = (device.receiver.joules, device.receiver.startCount)
    app.forget()
    device.setOut(on: journey)
    let before = Measurement.processSeconds()
    device.run { app.begin(service, circles) }
    let seconds = journey.duration.components.seconds
    if measuresErrors {
      var spent = evening
      for second in 1...seconds {
        device.advance(by: Duration.seconds(1))
        if second % 3_600 == 0 {
          hourJoules.append(device.receiver.joules.since(spent))
          spent = device.receiver.joules
        }
        guard let told = app.told, let place = device.place else { continue }
        let error = Geodesic.distanceMeters(
          from: Coordinate(latitude: told.latitude, longitude: told.longitude),
          to: Coordinate(latitude: place.latitude, longitude: place.longitude))
        all.append(error)
        guard moves?.contains(where: { $0.contains(Double(second)) }) ?? true else { continue }
        moving.append(error)
        note(error, at: Double(second))
      }
    } else {
      device.advance(by: Duration.seconds(seconds))
    }
    processorSeconds = Measurement.processSeconds() - before
    joules = device.receiver.joules.since(evening)
    startCount = device.receiver.startCount - eveningStarts
    hours = Double(seconds) / 3_600
    deliveredCount = app.deliveredCount
  }

  private static let eveningSeconds = 3_600.0

  private mutating func note(_ error: Double, at second: Double) {
    guard error >= 1_000 else { return }
    if let last = worst.last, (last.second / 300).rounded(.down) == (second / 300).rounded(.down) {
      if error > last.error { worst[worst.count - 1] = (second, error) }
    } else {
      worst.append((second, error))
    }
  }

  static func quantile(_ share: Double, _ values: [Double]) -> Double {
    guard !values.isEmpty else { return .nan }
    let sorted = values.sorted()
    return sorted[max(0, Int((Double(sorted.count) * share).rounded(.up)) - 1)]
  }
}

/// An app that does one thing, and remembers what it was told.
final class EnergyApp: NSObject, CLLocationManagerDelegate {
  private let manager = CLLocationManager()
  private(set) var told: CLLocationCoordinate2D?
  private(set) var deliveredCount = 0
  private(set) var deliveredAt: [Date] = []
  private(set) var crossings: [(identifier: String, isEntry: Bool, at: Date)] = []
  private(set) var visits: [(visit: CLVisit, at: Date)] = []

  func begin(_ service: EnergyRun.Service, _ circles: [CLCircularRegion]) {
    manager.delegate = self
    manager.pausesLocationUpdatesAutomatically = false
    switch service {
    case .standard(let accuracy, let filterMeters):
      manager.desiredAccuracy = accuracy
      manager.distanceFilter = filterMeters
      manager.startUpdatingLocation()
    case .significant: manager.startMonitoringSignificantLocationChanges()
    case .visits: manager.startMonitoringVisits()
    case .regions: for circle in circles { manager.startMonitoring(for: circle) }
    }
  }

  func locate() {
    manager.delegate = self
    manager.requestLocation()
  }

  func forget() {
    told = nil
    deliveredCount = 0
    deliveredAt = []
  }

  func locationManager(_ manager: CLLocationManager, didUpdateLocations locations: [CLLocation]) {
    deliveredCount += locations.count
    told = locations.last?.coordinate
    deliveredAt.append(Date())
  }

  func locationManager(_ manager: CLLocationManager, didEnterRegion region: CLRegion) {
    crossings.append((region.identifier, true, Date()))
  }

  func locationManager(_ manager: CLLocationManager, didExitRegion region: CLRegion) {
    crossings.append((region.identifier, false, Date()))
  }

  func locationManager(_ manager: CLLocationManager, didVisit visit: CLVisit) {
    visits.append((visit, Date()))
  }

  func locationManager(_ manager: CLLocationManager, didFailWithError error: any Error) {}
}
