import LocationEngine
import LocationModel
import LocationRuntime

/// One receiver of a modelled device, by the name that programs read.
enum JourneyReceiver: String, CaseIterable, Sendable {
  case satellite = "gnss"
  case wireless = "wifi"
  case cell
  case bluetooth
  case motion

  /// Those that a device has, in the order in which they are told. Bluetooth is one of them where beacons stand along
  /// the journey.
  static func all(of profile: DeviceProfile, hearsBeacons: Bool) -> [JourneyReceiver] {
    allCases.filter { receiver in
      switch receiver {
      case .satellite, .wireless, .cell: receiver.technology.map { profile.technologies.contains($0) } ?? false
      case .bluetooth: hearsBeacons
      case .motion: profile.hasMotionSensor
      }
    }
  }

  static func all(in technologies: ReceiverTechnologies) -> [JourneyReceiver] {
    allCases.filter { $0.technology.map { technologies.contains($0) } ?? false }
  }

  static func switches(
    from before: ReceiverTechnologies, to after: ReceiverTechnologies
  ) -> [(receiver: JourneyReceiver, isOn: Bool)] {
    all(in: after.symmetricDifference(before)).map { receiver in
      (receiver, receiver.technology.map { after.contains($0) } ?? false)
    }
  }

  /// For people.
  var name: String {
    switch self {
    case .satellite: "GNSS"
    case .wireless: "Wi-Fi"
    case .cell: "cell"
    case .bluetooth: "Bluetooth"
    case .motion: "motion sensor"
    }
  }

  func joules(of joules: ReceiverJoules) -> Double {
    switch self {
    case .satellite: joules.satellite
    case .wireless: joules.wireless
    case .cell: joules.cell
    case .bluetooth: joules.beacon
    case .motion: joules.motion
    }
  }

  /// Nil for what finds no place.
  private var technology: ReceiverTechnologies? {
    switch self {
    case .satellite: .satellite
    case .wireless: .wireless
    case .cell: .cell
    case .bluetooth, .motion: nil
    }
  }
}
