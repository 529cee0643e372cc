import LinuxIO
import XCTest

/// The notification service of a desktop, as the Desktop Notifications Specification 1.2 has it.
final class FakeDesktop: @unchecked Sendable {
  private static let interface = "org.freedesktop.Notifications"
  private static let path = "/org/freedesktop/Notifications"

  struct Notification: Hashable, Sendable {
    var number: UInt32
    var summary: String
    var body: String
    /// Keys and labels in turn.
    var actions: [String]
    var urgency: UInt64?
    var expiresAfterMilliseconds: Int32
  }

  /// All that were shown, in order.
  let notifications = EventLog<Notification>()
  /// Numbers that a client has closed.
  let closed = EventLog<UInt32>()
  private let capabilities: [String]
  private let nextNumber = Locked<UInt32>(7)
  private var service: FakeService?

  init(on bus: PrivateBus, capabilities: [String] = ["actions", "body", "body-markup", "persistence"]) throws {
    self.capabilities = capabilities
    service = try FakeService(Self.interface, on: bus.address) { [weak self] call in
      self?.answer(call) ?? .silence
    }
  }

  deinit { stop() }

  /// Leaves the bus, as a desktop that crashes does.
  func stop() { service?.stop() }

  /// The person presses a button, or the notification's text where the key is `default`.
  func press(_ key: String, of number: UInt32) {
    service?.emit("ActionInvoked", of: Self.interface, at: Self.path, [.uint32(number), .string(key)])
  }

  /// 1: its time was up. 2: the person has closed it. 3: a program has. 4: for another reason.
  func close(_ number: UInt32, reason: UInt32) {
    service?.emit("NotificationClosed", of: Self.interface, at: Self.path, [.uint32(number), .uint32(reason)])
  }

  /// Waits until so many were shown, and gives the last of them.
  func notification(_ count: Int, file: StaticString = #filePath, line: UInt = #line) throws -> Notification {
    let all = notifications.wait("notification \(count)", file: file, line: line) { $0.count >= count }
    XCTAssertEqual(all.count, count, file: file, line: line)
    return try XCTUnwrap(all.last, file: file, line: line)
  }

  private func answer(_ call: FakeCall) -> FakeAnswer {
    switch call.member {
    case "GetCapabilities": return .values([.array(of: "s", capabilities.map { .string($0) })])
    case "Notify":
      let number = nextNumber.withLock { next -> UInt32 in
        defer { next += 1 }
        return next
      }
      guard call.arguments.map(\.signature).joined() == "susssasa{sv}i",
        case .array(_, let actions) = call.arguments[5], case .int32(let milliseconds) = call.arguments[7]
      else { return .error(BusError.invalidArguments, "no notification") }
      notifications.add(
        Notification(
          number: number, summary: call.arguments[3].text ?? "", body: call.arguments[4].text ?? "",
          actions: actions.compactMap(\.text), urgency: call.arguments[6].dictionary?["urgency"]?.unsigned,
          expiresAfterMilliseconds: milliseconds))
      return .values([.uint32(number)])
    case "CloseNotification":
      guard case .uint32(let number)? = call.arguments.first else {
        return .error(BusError.invalidArguments, "no number")
      }
      closed.add(number)
      // By the specification even the client that has closed it hears so.
      Task { [weak self] in self?.close(number, reason: 3) }
      return .values([])
    default: return .error("org.freedesktop.DBus.Error.UnknownMethod", call.member)
    }
  }
}
