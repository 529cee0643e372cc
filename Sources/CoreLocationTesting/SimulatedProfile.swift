import LocationEngine
import LocationRuntime

/// Which receivers a simulated device has, and what they cost: docs/energy.md has the figures.
public struct SimulatedProfile: Sendable, Hashable {
  package let profile: DeviceProfile

  /// One receiver of satellites that is on while anybody wants locations, and Bluetooth: what a Linux machine has as a
  /// rule.
  public static let receiver = SimulatedProfile(profile: .receiver)
  /// A phone of today: satellites, Wi-Fi, cell towers, Bluetooth and a motion sensor.
  public static let phone = builtIn("phone")
  /// A tracker: satellites and a motion sensor; no Bluetooth, so that it hears no beacons.
  public static let tracker = builtIn("tracker")
  /// A phone of 2010, for a comparison with what was measured then.
  public static let legacy2010 = builtIn("legacy2010")

  private static func builtIn(_ name: String) -> SimulatedProfile {
    guard let profile = DeviceProfiles.named(name) else { preconditionFailure("profiles.json has no \(name)") }
    return SimulatedProfile(profile: profile)
  }

  package init(profile: DeviceProfile) {
    self.profile = profile
  }

  /// A profile of a file in the form of docs/energy.md. Throws a sentence that names the file and what was expected.
  public init(contentsOf path: String) throws {
    do throws(DeviceProfiles.Problem) {
      profile = try DeviceProfiles.read(path: path)
    } catch {
      throw SimulationFailure(sentence: error.description)
    }
  }
}
