/// One entry of `UIRequiredDeviceCapabilities`: a part that a device must have, or must not have.
package struct DeviceRequirement: Hashable, Sendable {
  /// As the app writes it, such as `gps`.
  package var capability: String
  package var isPresent: Bool

  package init(capability: String, isPresent: Bool) {
    self.capability = capability
    self.isPresent = isPresent
  }
}

/// What this device has of the parts that location services know: the gate that the store keeps on Apple's systems
/// (seed 000).
package struct DeviceCapabilities: Hashable, Sendable {
  package static let locationServices = "location-services"
  package static let satelliteReceiver = "gps"

  package var hasSatelliteReceiver: Bool

  package init(hasSatelliteReceiver: Bool) {
    self.hasSatelliteReceiver = hasSatelliteReceiver
  }

  /// Whether the device has a part; nil for one that is none of location's, of which nothing is known here.
  private func has(_ capability: String) -> Bool? {
    switch capability {
    case Self.locationServices: true
    case Self.satelliteReceiver: hasSatelliteReceiver
    default: nil
    }
  }

  /// What an app requires and this device cannot tell, to be listed and not to be decided by.
  package func ignored(_ requirements: [DeviceRequirement]) -> [String] {
    requirements.map(\.capability).filter { has($0) == nil }
  }

  /// Throws where the device lacks what the app requires, or has what it rules out.
  package func check(_ requirements: [DeviceRequirement]) throws(UnmetRequirements) {
    let unmet = requirements.filter { has($0.capability) == !$0.isPresent }
    guard unmet.isEmpty else {
      throw UnmetRequirements(
        missing: unmet.filter(\.isPresent).map(\.capability),
        excluded: unmet.filter { !$0.isPresent }.map(\.capability))
    }
  }
}

/// Why a device is none for an app.
package struct UnmetRequirements: Error, Hashable, Sendable, CustomStringConvertible {
  package var missing: [String]
  package var excluded: [String]

  package var description: String {
    var sentences: [String] = []
    if !missing.isEmpty {
      sentences.append(
        "This device lacks what the app requires (UIRequiredDeviceCapabilities): \(missing.joined(separator: ", ")).")
    }
    if !excluded.isEmpty {
      sentences.append(
        "This device has what the app rules out (UIRequiredDeviceCapabilities): \(excluded.joined(separator: ", ")).")
    }
    if missing.contains(DeviceCapabilities.satelliteReceiver) {
      sentences.append(
        "Connect a GNSS receiver (\"corelocation doctor\" tells what is found), set CORELOCATION_SOURCE, or say "
          + "--assume gps.")
    }
    return sentences.joined(separator: " ")
  }
}
