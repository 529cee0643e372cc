import LocationEngine
import LocationRuntime

/// The device that is carried along a simulated journey.
extension CommandLineArguments {
  static let profileOptions = [
    Option(
      "profile", "NAME|FILE",
      "the device: \(DeviceProfiles.names.joined(separator: ", ")), or a JSON file (receiver)"),
    Option("seed", "N", "which errors its Wi-Fi and cell places have (1)"),
  ]

  func profile() throws(CommandFailure) -> DeviceProfile {
    guard let text = value("profile") else { return .receiver }
    if let profile = DeviceProfiles.named(text) { return profile }
    // A word that is no path is more likely a name that is none.
    guard text.contains("/") || text.contains(".") else {
      throw unexpected("profile", "one of \(DeviceProfiles.names.joined(separator: ", ")), or the path of a JSON file")
    }
    do throws(DeviceProfiles.Problem) {
      return try DeviceProfiles.read(path: text)
    } catch {
      throw .failed(error.description)
    }
  }

  /// As `noiseSeed` of a device in a test: any of 64 bits.
  func seed(_ name: String = "seed") throws(CommandFailure) -> UInt64 {
    guard let text = value(name) else { return 1 }
    guard let seed = UInt64(text) else { throw unexpected(name, "a whole number from 0 to \(UInt64.max)") }
    return seed
  }
}
