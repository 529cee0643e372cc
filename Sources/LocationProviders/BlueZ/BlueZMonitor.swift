import LinuxIO
import LocationModel

/// This program's advertisement monitor, as BlueZ looks at it: an object manager with one monitor below it.
///
/// No thresholds are given, so that BlueZ tells of every matching packet and not only of the first.
struct BlueZMonitor {
  static let root = "/org/corelocation/beacons"
  private static let path = root + "/monitor"

  enum News: Hashable {
    case found(String)
    /// BlueZ listens with it.
    case activated
    /// BlueZ has given the monitor up.
    case released
  }

  let patterns: BlueZPatterns

  /// What to answer, and what is news. Only BlueZ is answered.
  func take(_ request: BusRequest) -> (answer: BusAnswer, news: News?) {
    switch (request.path, request.interface, request.member) {
    case (Self.root, BlueZ.objectManager, "GetManagedObjects"): return (.values([objects]), nil)
    case (Self.path, BlueZ.properties, "GetAll"): return (.values([.dictionary(properties)]), nil)
    case (Self.path, BlueZ.properties, "Get"):
      guard request.arguments.count == 2, let name = request.arguments[1].text, let value = properties[name] else {
        return (.error(BusError(name: BusError.unknownProperty, text: "no such property")), nil)
      }
      return (.values([.variant(value)]), nil)
    case (Self.path, BlueZ.monitor, "Activate"): return (.values([]), .activated)
    case (Self.path, BlueZ.monitor, "DeviceLost"): return (.values([]), nil)
    case (Self.path, BlueZ.monitor, "DeviceFound"):
      return (.values([]), request.arguments.first?.text.map { .found($0) })
    case (Self.path, BlueZ.monitor, "Release"): return (.values([]), .released)
    default: return (.error(BusError(name: BusError.unknownObject, text: "nothing is called so here")), nil)
    }
  }

  private var properties: [String: BusValue] {
    ["Type": .string("or_patterns"), "Patterns": patterns.busValue]
  }

  private var objects: BusValue {
    let interfaces = BusValue.array(
      of: "{sa{sv}}", [.entry(key: .string(BlueZ.monitor), value: .dictionary(properties))])
    return .array(of: "{oa{sa{sv}}}", [.entry(key: .objectPath(Self.path), value: interfaces)])
  }
}
