import LinuxIO
import LocationModel

/// The names of BlueZ on the bus (its D-Bus interface as of 5.66).
enum BlueZ {
  static let service = "org.bluez"
  static let adapter = "org.bluez.Adapter1"
  static let device = "org.bluez.Device1"
  static let monitorManager = "org.bluez.AdvertisementMonitorManager1"
  static let monitor = "org.bluez.AdvertisementMonitor1"
  static let objectManager = "org.freedesktop.DBus.ObjectManager"
  static let properties = "org.freedesktop.DBus.Properties"

  static let inProgress = "org.bluez.Error.InProgress"

  /// A kind of advertised data (Bluetooth Assigned Numbers): what a manufacturer says.
  static let manufacturerDataKind: UInt8 = 0xFF

  /// The interfaces of an object with their properties: `a{sa{sv}}`.
  static func interfaces(_ value: BusValue) -> [String: [String: BusValue]] {
    guard case .array(_, let elements) = value else { return [:] }
    var interfaces: [String: [String: BusValue]] = [:]
    for case .entry(let name, let properties) in elements {
      guard let name = name.text else { continue }
      interfaces[name] = properties.dictionary ?? [:]
    }
    return interfaces
  }

  /// All objects of a manager: `a{oa{sa{sv}}}`.
  static func objects(_ value: BusValue?) -> [(path: String, interfaces: [String: [String: BusValue]])] {
    guard case .array(_, let elements) = value else { return [] }
    return elements.compactMap { element in
      guard case .entry(let path, let interfaces) = element, let path = path.text else { return nil }
      return (path, Self.interfaces(interfaces))
    }
  }
}

/// A Bluetooth adapter of this machine.
struct BlueZAdapter {
  var isPowered = false
  var hasMonitors = false
}

/// A device that BlueZ knows, as far as it may be a beacon.
struct BlueZDevice {
  private(set) var frame: BeaconFrame?
  /// Nil until it is told.
  private(set) var signalDecibels: Int?
  /// Its properties were asked for, and have not come.
  var isAsked = false
  /// Its properties have been read once.
  var isKnown = false

  /// True where this tells of a packet.
  mutating func take(_ properties: [String: BusValue]) -> Bool {
    var isPacket = false
    if case .int16(let decibels) = properties["RSSI"] {
      signalDecibels = Int(decibels)
      isPacket = true
    }
    if let data = properties["ManufacturerData"] {
      frame = Self.frame(data)
      isKnown = true
      isPacket = true
    }
    return isPacket
  }

  /// `a{qv}`: bytes by the number of the company.
  private static func frame(_ data: BusValue) -> BeaconFrame? {
    guard case .array(_, let elements) = data else { return nil }
    for case .entry(.uint16(BeaconFrame.companyIdentifier), let value) in elements {
      guard case .array("y", let bytes) = value.outOfVariant else { continue }
      let numbers = bytes.compactMap { if case .byte(let byte) = $0 { byte } else { nil } }
      if let frame = BeaconFrame(manufacturerData: numbers) { return frame }
    }
    return nil
  }
}

/// What BlueZ is to listen for: the first bytes of Apple's manufacturer data, each beginning once.
struct BlueZPatterns: Hashable {
  let prefixes: [[UInt8]]

  init(_ constraints: [BeaconConstraint]) {
    let all = Set(constraints.map { BeaconFrame.prefix(of: $0) })
    let needed = all.filter { one in !all.contains { $0.count < one.count && one.starts(with: $0) } }
    prefixes = needed.sorted { $0.lexicographicallyPrecedes($1) }
  }

  /// As `Patterns` of an advertisement monitor: where they start, the kind of data, and the bytes, company first.
  var busValue: BusValue {
    let company = [UInt8(truncatingIfNeeded: BeaconFrame.companyIdentifier), UInt8(BeaconFrame.companyIdentifier >> 8)]
    return .array(
      of: "(yyay)",
      prefixes.map { prefix in
        .structure([
          .byte(0), .byte(BlueZ.manufacturerDataKind), .array(of: "y", (company + prefix).map { .byte($0) }),
        ])
      })
  }
}
