import LinuxIO
import XCTest

/// The location portal, as far as a sandboxed program sees it.
final class FakePortal: @unchecked Sendable {
  private static let path = "/org/freedesktop/portal/desktop"

  private struct Session {
    var path: String
    var request: String?
  }

  private let session = Locked<Session?>(nil)
  /// Such as `CreateSession accuracy=5`, `Start`, `Close`.
  let calls = EventLog<String>()
  private var service: FakeService?

  init(on bus: PrivateBus) throws {
    service = try FakeService("org.freedesktop.portal.Desktop", on: bus.address) { [weak self] call in
      self?.answer(call) ?? .silence
    }
  }

  deinit { service?.stop() }

  func stop() { service?.stop() }

  func sessionCount() -> Int { calls.all.count { $0.hasPrefix("CreateSession") } }

  /// What the person, or the portal, says to the request: 0 is yes.
  func respond(_ code: UInt32) {
    guard let request = session.withLock({ $0?.request }) else { return XCTFail("nothing was requested") }
    service?.emit(
      "Response", of: "org.freedesktop.portal.Request", at: request, [.uint32(code), .dictionary([:])])
  }

  func give(_ latitude: Double, _ longitude: Double) {
    guard let path = session.withLock({ $0?.path }) else { return XCTFail("there is no session") }
    let values: [String: BusValue] = [
      "Latitude": .double(latitude), "Longitude": .double(longitude), "Accuracy": .double(25),
      "Altitude": .double(-Double.greatestFiniteMagnitude), "Speed": .double(-1), "Heading": .double(-1),
    ]
    service?.emit(
      "LocationUpdated", of: "org.freedesktop.portal.Location", at: Self.path,
      [.objectPath(path), .dictionary(values)])
  }

  func closeSession() {
    guard let path = session.withLock({ $0?.path }) else { return XCTFail("there is no session") }
    service?.emit("Closed", of: "org.freedesktop.portal.Session", at: path, [.dictionary([:])])
  }

  private func answer(_ call: FakeCall) -> FakeAnswer {
    let client = call.sender.dropFirst().replacing(".", with: "_")
    switch call.member {
    case "CreateSession":
      guard let options = call.arguments.first?.dictionary, let token = options["session_handle_token"]?.text else {
        return .error(BusError.invalidArguments, "no session_handle_token")
      }
      let path = "\(Self.path)/session/\(client)/\(token)"
      session.withLock { $0 = Session(path: path) }
      calls.add("CreateSession accuracy=\(options["accuracy"]?.unsigned.map(String.init) ?? "none")")
      return .values([.objectPath(path)])
    case "Start":
      guard call.arguments.count == 3, let token = call.arguments[2].dictionary?["handle_token"]?.text else {
        return .error(BusError.invalidArguments, "no handle_token")
      }
      let request = "\(Self.path)/request/\(client)/\(token)"
      session.withLock { $0?.request = request }
      calls.add("Start")
      return .values([.objectPath(request)])
    default:
      calls.add(call.member)
      return .values([])
    }
  }
}
