import LinuxIO
import XCTest

/// GeoClue's interfaces, as far as a client sees them, with the manners that a test wants.
final class FakeGeoClue: @unchecked Sendable {
  struct Manners: Sendable {
    /// Errors instead of answers, by what is called: `GetClient`, `Start`, or the name of a property that is set.
    var errors: [String: (name: String, text: String)] = [:]
    /// No answer at all.
    var silent: Set<String> = []
    /// As of newer versions: no Start without a DesktopId before it.
    var demandsDesktopID = false
  }

  static let denied = (name: "org.freedesktop.DBus.Error.AccessDenied", text: "no agent for UID 1000")
  private static let client = "org.freedesktop.GeoClue2.Client"
  private static let location = "org.freedesktop.GeoClue2.Location"
  private static let clientPath = "/org/freedesktop/GeoClue2/Client/7"

  private struct State {
    var manners = Manners()
    var desktopID: String?
    var locations: [String: [String: BusValue]] = [:]
  }

  private let state = Locked(State())
  /// Such as `GetClient`, `DesktopId=org.example.app`, `RequestedAccuracyLevel=8`, `Start`.
  let calls = EventLog<String>()
  let senders = EventLog<String>()
  private var service: FakeService?

  init(on bus: PrivateBus, _ manners: Manners = Manners()) throws {
    state.withLock { $0.manners = manners }
    service = try FakeService("org.freedesktop.GeoClue2", on: bus.address) { [weak self] call in
      self?.answer(call) ?? .silence
    }
  }

  func behave(_ manners: Manners) { state.withLock { $0.manners = manners } }
  deinit { service?.stop() }

  func stop() { service?.stop() }

  func startCount() -> Int { calls.all.count { $0 == "Start" } }

  /// A new location, with what GeoClue gives where it does not know.
  func give(_ latitude: Double, _ longitude: Double, accuracyMeters: Double = 12) {
    let path = state.withLock { state -> String in
      let path = Self.clientPath + "/Location/\(state.locations.count)"
      state.locations[path] = [
        "Latitude": .double(latitude), "Longitude": .double(longitude), "Accuracy": .double(accuracyMeters),
        "Altitude": .double(-Double.greatestFiniteMagnitude), "Speed": .double(-1), "Heading": .double(-1),
        "Description": .string(""), "Timestamp": .structure([.uint64(0), .uint64(0)]),
      ]
      return path
    }
    service?.emit(
      "LocationUpdated", of: Self.client, at: Self.clientPath, [.objectPath("/"), .objectPath(path)])
  }

  func say(isActive: Bool) {
    service?.emit(
      "PropertiesChanged", of: "org.freedesktop.DBus.Properties", at: Self.clientPath,
      [.string(Self.client), .dictionary(["Active": .boolean(isActive)]), .array(of: "s", [])])
  }

  private func answer(_ call: FakeCall) -> FakeAnswer {
    switch call.member {
    case "Set": return set(call)
    case "GetAll":
      let values = state.withLock { $0.locations[call.path] }
      guard let values, call.arguments == [.string(Self.location)] else {
        return .error(BusError.unknownObject, "no such object")
      }
      return .values([.dictionary(values)])
    case "Start":
      let isAllowed = state.withLock { !$0.manners.demandsDesktopID || $0.desktopID != nil }
      guard isAllowed else { return .error(BusError.accessDenied, "'DesktopId' property must be set") }
      return answer("Start", [])
    case "GetClient":
      senders.add(call.sender)
      return answer("GetClient", [.objectPath(Self.clientPath)])
    default:
      return answer(call.member, [])
    }
  }

  private func set(_ call: FakeCall) -> FakeAnswer {
    guard call.arguments.count == 3, let name = call.arguments[1].text else { return .silence }
    let value = call.arguments[2].outOfVariant
    if name == "DesktopId" { state.withLock { $0.desktopID = value.text } }
    return answer(name, [], log: "\(name)=\(value.text ?? value.unsigned.map(String.init) ?? "?")")
  }

  private func answer(_ deed: String, _ values: [BusValue], log: String? = nil) -> FakeAnswer {
    let manners = state.withLock { $0.manners }
    defer { calls.add(log ?? deed) }
    if manners.silent.contains(deed) { return .silence }
    if let error = manners.errors[deed] { return .error(error.name, error.text) }
    return .values(values)
  }
}
