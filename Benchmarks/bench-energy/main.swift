import CoreLocation
import CoreLocationTesting
import Foundation
import LocationRuntime

// What every setting costs and how far off it is, on drawn days whose truth is known, beside a receiver that is always
// on (docs/energy.md):
//   bench-energy [--tiny] [--seeds 4,5] [--noise 100] [--only SETTING] [--explain] [--profile NAME] [--policy FILE]
// --noise draws other errors of the receivers on the same days. --explain tells of each change of the receivers what it
// was for, and all that the app heard, with the hours' joules.

func value(_ option: String) -> String? {
  guard let place = CommandLine.arguments.firstIndex(of: option), place + 1 < CommandLine.arguments.count else {
    return nil
  }
  return CommandLine.arguments[place + 1]
}

func fail(_ sentence: String) -> Never {
  print("bench-energy: \(sentence)")
  exit(64)
}

let isTiny = CommandLine.arguments.contains("--tiny")
let profiles: [String: SimulatedProfile] = ["phone": .phone, "tracker": .tracker, "legacy2010": .legacy2010]
var table = EnergyTable(profile: .phone, seeds: isTiny ? [1] : [1, 2, 3])
if let name = value("--profile") {
  guard let named = profiles[name] else {
    fail("--profile: expected \(profiles.keys.sorted().joined(separator: ", "))")
  }
  table.profile = named
}
if let text = value("--seeds") {
  table.seeds = text.split(separator: ",").map { number in
    guard let seed = UInt64(number) else {
      fail("--seeds: expected numbers with commas between, found \"\(text)\"")
    }
    return seed
  }
}
if let text = value("--noise") {
  guard let noise = UInt64(text) else { fail("--noise: expected a number, found \"\(text)\"") }
  table.noise = noise
}
if let name = value("--only") {
  guard EnergyTable.names.contains(name) else {
    fail("--only: expected one of \(EnergyTable.names.joined(separator: "; "))")
  }
  table.only = name
}
if let path = value("--policy") {
  do {
    EnergyRun.policy = try PolicyFile.read(path)
  } catch {
    fail("\(error)")
  }
}
table.explains = CommandLine.arguments.contains("--explain")
table.print()
