import CoreLocation
import CoreLocationTesting
import DrawnDays
import Foundation
import LocationEngine

/// The table of all settings, a line each for each seed.
struct EnergyTable {
  var profile: SimulatedProfile
  var seeds: [UInt64]
  var isTiny: Bool

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
      let always = EnergyRun(
        .standard(kCLLocationAccuracyBest), on: day.journey, seed: seed, profile: Self.alwaysOn, moves: day.moves)
      let alwaysMoving = EnergyRun(
        .standard(kCLLocationAccuracyBest), on: day.movesOnly, seed: seed, profile: Self.alwaysOn, moves: nil)
      line("always on", always, alwaysMoving)
      for (name, service) in Self.settings {
        let run = EnergyRun(
          service, on: day.journey, seed: seed, profile: profile, moves: day.moves, circles: day.circles)
        let moving = EnergyRun(
          service, on: day.movesOnly, seed: seed, profile: profile, moves: nil, circles: day.circles)
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
        verdict.lateness.count, verdict.dueCount, verdict.dueCount - verdict.lateness.count, verdict.falseCount,
        EnergyRun.quantile(0.5, verdict.lateness), EnergyRun.quantile(0.95, verdict.lateness),
        verdict.lateness.max() ?? .nan))
  }
}
