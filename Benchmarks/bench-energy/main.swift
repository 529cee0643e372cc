import CoreLocation
import CoreLocationTesting
import Foundation
import LocationRuntime

// What every setting costs and how far off it is, on drawn days whose truth is known, beside a receiver that is always
// on (docs/energy.md):
//   bench-energy [--tiny] [--profile NAME] [--policy FILE]

let isTiny = CommandLine.arguments.contains("--tiny")
let profiles: [String: SimulatedProfile] = ["phone": .phone, "tracker": .tracker, "legacy2010": .legacy2010]
var profile = SimulatedProfile.phone
if let place = CommandLine.arguments.firstIndex(of: "--profile"), place + 1 < CommandLine.arguments.count {
  guard let named = profiles[CommandLine.arguments[place + 1]] else {
    print("bench-energy: --profile: expected \(profiles.keys.sorted().joined(separator: ", "))")
    exit(64)
  }
  profile = named
}
if let place = CommandLine.arguments.firstIndex(of: "--policy"), place + 1 < CommandLine.arguments.count {
  do {
    EnergyRun.policy = try PolicyFile.read(CommandLine.arguments[place + 1])
  } catch {
    print("bench-energy: \(error)")
    exit(64)
  }
}
EnergyTable(profile: profile, seeds: isTiny ? [1] : [1, 2, 3], isTiny: isTiny).print()
