import FoundationEssentials
import LinuxIO
import LocationEngine
import LocationModel

/// The devices that a simulation can be: those of `profiles.json`, and those of anybody's file in the same form.
///
/// A profile names its receivers, and what differs from the model of a phone (`EnergyModel`):
/// `{"boat": {"receivers": ["satellite", "motion"], "satelliteTrackWatts": 0.4}}`.
package enum DeviceProfiles {
  package struct Problem: Error, CustomStringConvertible {
    package var description: String
  }

  /// Those that come with the product, and the plain receiver, which has no figures of its own.
  package static let builtIn: [DeviceProfile] = {
    let bytes = PackageResources.profiles_json
    // Ours, so that a mistake in it is ours, too.
    guard let profiles = try? read(bytes, from: "profiles.json") else { preconditionFailure("profiles.json is broken") }
    return [.receiver] + profiles
  }()

  package static var names: [String] { builtIn.map(\.name) }

  package static func named(_ name: String) -> DeviceProfile? { builtIn.first { $0.name == name } }

  /// The one profile of a file.
  package static func read(path: String) throws(Problem) -> DeviceProfile {
    let file: SmallFile
    do {
      file = try SmallFile(path: path)
    } catch {
      throw Problem(description: "\(path): the profile cannot be read (\(error.text)).")
    }
    let profiles = try read(file.bytes, from: path)
    guard let first = profiles.first, profiles.count == 1 else {
      throw Problem(description: "\(path): expected one profile, found \(profiles.count).")
    }
    return first
  }

  private static func read(_ bytes: [UInt8], from path: String) throws(Problem) -> [DeviceProfile] {
    let stored: [String: [String: Value]]
    do {
      stored = try JSONDecoder().decode([String: [String: Value]].self, from: Data(bytes))
    } catch {
      throw Problem(
        description: "\(path): expected a JSON object of profiles, such as "
          + "{\"boat\": {\"receivers\": [\"satellite\"]}}; this is none.")
    }
    var profiles: [DeviceProfile] = []
    for (name, fields) in stored.sorted(by: { $0.key < $1.key }) {
      profiles.append(try profile(name, fields, path))
    }
    return profiles
  }

  private static func profile(
    _ name: String, _ fields: [String: Value], _ path: String
  ) throws(Problem) -> DeviceProfile {
    var profile = DeviceProfile(name: name, technologies: [], hasMotionSensor: false)
    var fields = fields
    fields["about"] = nil
    guard case .names(let receivers) = fields.removeValue(forKey: "receivers") else {
      throw Problem(description: "\(path): \"\(name)\": expected \"receivers\", a list of what the device has.")
    }
    for receiver in receivers {
      switch receiver {
      case "satellite": profile.technologies.insert(.satellite)
      case "wireless": profile.technologies.insert(.wireless)
      case "cell": profile.technologies.insert(.cell)
      case "beacon": profile.hasBeaconReceiver = true
      case "motion": profile.hasMotionSensor = true
      default:
        throw Problem(
          description: "\(path): \"\(name)\": expected satellite, wireless, cell, beacon or motion, "
            + "found \"\(receiver)\".")
      }
    }
    guard !profile.technologies.isEmpty else {
      throw Problem(description: "\(path): \"\(name)\": expected a receiver that finds places.")
    }
    for (field, value) in fields.sorted(by: { $0.key < $1.key }) {
      guard let figure = energyFields[field] else {
        throw Problem(description: "\(path): \"\(name)\": there is no field \"\(field)\"; see docs/energy.md.")
      }
      guard case .number(let number) = value, number >= 0, number <= 1e9 else {
        throw Problem(description: "\(path): \"\(name)\": \"\(field)\": expected a number, 0 or more.")
      }
      profile.energy[keyPath: figure] = number
    }
    if let fault = fault(of: profile.energy, Set(receivers).count < receivers.count) {
      throw Problem(description: "\(path): \"\(name)\": \(fault).")
    }
    return profile
  }

  /// What contradicts itself in figures that are each a number.
  private static func fault(of energy: EnergyModel, _ namesOneTwice: Bool) -> String? {
    if namesOneTwice { return "expected each receiver once in \"receivers\"" }
    if energy.satelliteIndoorMissProbability > 1 {
      return "\"satelliteIndoorMissProbability\": expected a probability, 0 to 1"
    }
    for (field, seconds) in [
      ("wirelessScanSeconds", energy.wirelessScanSeconds), ("cellReadSeconds", energy.cellReadSeconds),
    ] where seconds == 0 {
      return "\"\(field)\": expected more than 0 s: nothing is found in no time"
    }
    for (field, likely, mostly) in [
      ("wireless", energy.wirelessAccuracyMeters, energy.wirelessAccuracy95Meters),
      ("cell", energy.cellAccuracyMeters, energy.cellAccuracy95Meters),
    ] {
      if likely == 0 { return "\"\(field)AccuracyMeters\": expected more than 0 m" }
      if mostly < likely {
        return "\"\(field)Accuracy95Meters\": expected no less than \"\(field)AccuracyMeters\", which holds less often"
      }
    }
    return nil
  }

  private enum Value: Decodable {
    case number(Double)
    case names([String])
    case text(String)

    init(from decoder: any Decoder) throws {
      let container = try decoder.singleValueContainer()
      if let number = try? container.decode(Double.self) {
        self = .number(number)
      } else if let names = try? container.decode([String].self) {
        self = .names(names)
      } else {
        self = .text((try? container.decode(String.self)) ?? "")
      }
    }
  }

  /// Every figure of the model, by its name.
  package static let energyFields: [String: WritableKeyPath<EnergyModel, Double> & Sendable] = [
    "satelliteAcquireWatts": \.satelliteAcquireWatts,
    "satelliteTrackWatts": \.satelliteTrackWatts,
    "satelliteWeakTrackWatts": \.satelliteWeakTrackWatts,
    "satelliteColdStartSeconds": \.satelliteColdStartSeconds,
    "satelliteWarmStartSeconds": \.satelliteWarmStartSeconds,
    "satelliteHotStartSeconds": \.satelliteHotStartSeconds,
    "satelliteHotSecondsMax": \.satelliteHotSecondsMax,
    "satelliteWarmSecondsMax": \.satelliteWarmSecondsMax,
    "satelliteIndoorMissProbability": \.satelliteIndoorMissProbability,
    "satelliteLingerSeconds": \.satelliteLingerSeconds,
    "wakeJoulesPerFix": \.wakeJoulesPerFix,
    "collectedJoulesPerFix": \.collectedJoulesPerFix,
    "wirelessScanJoules": \.wirelessScanJoules,
    "wirelessScanSeconds": \.wirelessScanSeconds,
    "wirelessLookupJoules": \.wirelessLookupJoules,
    "wirelessAccuracyMeters": \.wirelessAccuracyMeters,
    "wirelessAccuracy95Meters": \.wirelessAccuracy95Meters,
    "cellReadJoules": \.cellReadJoules,
    "cellReadSeconds": \.cellReadSeconds,
    "cellAccuracyMeters": \.cellAccuracyMeters,
    "cellAccuracy95Meters": \.cellAccuracy95Meters,
    "beaconScanWatts": \.beaconScanWatts,
    "motionWatts": \.motionWatts,
    "motionStillSeconds": \.motionStillSeconds,
  ]
}
