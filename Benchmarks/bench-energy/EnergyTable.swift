import CoreLocation
import CoreLocationTesting
import DrawnDays
import Foundation
import LocationEngine

/// The table of all settings, a line each for each seed.
struct EnergyTable {
  var profile: SimulatedProfile
  var seeds: [UInt64]
  /// The one setting that is measured; nil is all of them, and a receiver that is always on.
  var only: String?
  /// Added to a day's seed for the errors of its receivers.
  var noise: UInt64 = 0
  /// Tells what happened, too.
  var explains = false

  static var names: [String] { settings.map(\.name) }

  private static let settings: [(name: String, service: EnergyRun.Service)] = [
    ("Best", .standard(kCLLocationAccuracyBest)),
    ("NearestTenMeters", .standard(kCLLocationAccuracyNearestTenMeters)),
    ("Best, filter 100 m", .standard(kCLLocationAccuracyBest, filterMeters: 100)),
    ("HundredMeters", .standard(kCLLocationAccuracyHundredMeters)),
    ("Kilometer", .standard(kCLLocationAccuracyKilometer)),
    ("ThreeKilometers", .standard(kCLLocationAccuracyThreeKilometers)),
    ("significant change", .significant),
    ("visits", .visits),
    ("8 regions", .regions),
  ]

  /// The phone's satellites alone, which sleep for nobody.
  private static let alwaysOn: SimulatedProfile = {
    var profile = DeviceProfile.receiver
    profile.energy = EnergyModel()
    profile.energy.satelliteLingerSeconds = .infinity
    return SimulatedProfile(profile: profile)
  }()

  func print() {
    for seed in seeds {
      let day = DrawnDay(seed: seed)
      let share = day.moves.reduce(0) { $0 + $1.upperBound - $1.lowerBound } / DrawnDay.daySeconds
      Swift.print(
        String(format: "seed %d: %.1f km, %.1f %% on the move", Int(seed), day.lengthMeters / 1_000, share * 100))
      Swift.print(
        "setting              J/h day  J/h moving  moving p50/p95 m  all p50/p95 m  told starts  J of GNSS+Wi-Fi+cell+motion  s of CPU"
      )
      if only == nil { printAlwaysOn(day, seed) }
      for (name, service) in Self.settings where only.map({ $0 == name }) ?? true {
        let run = EnergyRun(
          service, on: day.journey, seed: seed + noise, profile: profile, moves: day.moves, circles: day.circles)
        if explains { explain(run) }
        let moving = EnergyRun(
          service, on: day.movesOnly, seed: seed + noise, profile: profile, moves: nil, circles: day.circles)
        line(name, run, moving)
        switch service {
        case .significant: print(changesOf: run)
        case .visits: print(visitsOf: run, day)
        case .regions: print(crossingsOf: run, day)
        case .standard: break
        }
      }
    }
  }

  private func printAlwaysOn(_ day: DrawnDay, _ seed: UInt64) {
    let always = EnergyRun(
      .standard(kCLLocationAccuracyBest), on: day.journey, seed: seed + noise, profile: Self.alwaysOn, moves: day.moves)
    let alwaysMoving = EnergyRun(
      .standard(kCLLocationAccuracyBest), on: day.movesOnly, seed: seed + noise, profile: Self.alwaysOn, moves: nil)
    line("always on", always, alwaysMoving)
  }

  /// All that happened, and where the joules and the errors are, hour by hour.
  private func explain(_ run: EnergyRun) {
    for line in run.device.log { Swift.print("  " + line) }
    for (hour, joules) in run.hourJoules.enumerated() where joules.total > joules.motion {
      Swift.print(
        String(
          format: "  hour %d: GNSS %.2f, Wi-Fi %.2f, cell %.2f, motion %.2f J", hour, joules.satellite, joules.wireless,
          joules.cell, joules.motion))
    }
    for (second, error) in run.worst { Swift.print(String(format: "  at %.0f s off by %.0f m", second, error)) }
  }

  private func line(_ name: String, _ day: EnergyRun, _ moving: EnergyRun) {
    func pair(_ values: [Double]) -> String {
      guard !values.isEmpty else { return "-" }
      return String(format: "%.1f / %.1f", EnergyRun.quantile(0.5, values), EnergyRun.quantile(0.95, values))
    }
    Swift.print(
      name.padding(toLength: 20, withPad: " ", startingAt: 0)
        + String(format: "%8.2f %11.1f  ", day.joulesPerHour, moving.joulesPerHour)
        + pair(day.moving).padding(toLength: 16, withPad: " ", startingAt: 0) + "  "
        + pair(day.all).padding(toLength: 14, withPad: " ", startingAt: 0)
        + String(
          format: "%6d  %5d  %.0f+%.0f+%.1f+%.0f %9.2f", day.deliveredCount, day.startCount, day.joules.satellite,
          day.joules.wireless, day.joules.cell, day.joules.motion, day.processorSeconds))
  }

  private func print(changesOf run: EnergyRun) {
    let gaps = zip(run.app.deliveredAt, run.app.deliveredAt.dropFirst()).map { $1.timeIntervalSince($0) }
    Swift.print(String(format: "  shortest time between two: %.0f s", gaps.min() ?? .nan))
  }

  private func print(visitsOf run: EnergyRun, _ day: DrawnDay) {
    let start = Date(timeIntervalSince1970: 1_780_272_000)
    var lateness: [Double] = []
    for stay in day.stays {
      let told = run.app.visits.first { entry in
        let seconds = entry.at.timeIntervalSince(start)
        let distance = CLLocation(latitude: stay.place.latitude, longitude: stay.place.longitude).distance(
          from: CLLocation(latitude: entry.visit.coordinate.latitude, longitude: entry.visit.coordinate.longitude))
        return entry.visit.departureDate == .distantFuture && stay.seconds.contains(seconds) && distance <= 200
      }
      if let told { lateness.append(told.at.timeIntervalSince(start) - stay.seconds.lowerBound) }
    }
    Swift.print(
      String(
        format: "  arrivals told: %d of %d, the latest after %.0f s; visits told in all: %d", lateness.count,
        day.stays.count, lateness.max() ?? .nan, run.app.visits.count))
  }

  private func print(crossingsOf run: EnergyRun, _ day: DrawnDay) {
    let truth = TrueCrossings(day)
    let verdict = truth.judge(run.app.crossings)
    Swift.print(
      String(
        format:
          "  crossings told: %d of %d that lasted 60 s, missed %d, false %d; late p50 %.0f s, p95 %.0f s, max %.0f s",
        verdict.lateness.count, verdict.lateness.count + verdict.missed.count, verdict.missed.count, verdict.falseCount,
        EnergyRun.quantile(0.5, verdict.lateness), EnergyRun.quantile(0.95, verdict.lateness),
        verdict.lateness.max() ?? .nan))
    guard explains else { return }
    for crossing in verdict.missed {
      Swift.print(
        "  missed: \(crossing.identifier) \(crossing.isEntry ? "entered" : "left") at \(crossing.second) s, "
          + "for \(crossing.lastsSeconds) s")
    }
  }
}
