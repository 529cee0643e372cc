import LinuxIO

/// The desktop's notification service at the other end of a message bus. Used on the connection's queue.
///
/// (freedesktop.org, Desktop Notifications Specification 1.2)
final class NotificationServer {
  static let name = "org.freedesktop.Notifications"
  private static let path = "/org/freedesktop/Notifications"
  /// A service that the bus has to start first takes its time.
  private static let timeoutSeconds = 25.0
  /// `urgency`: a question stays on screen until it is answered.
  private static let critical: UInt8 = 2
  private static let normal: UInt8 = 1

  private let bus: BusConnection
  /// The unique name of the connection that answered; only its signals count.
  private let owner: String
  private let capabilities: Set<String>
  private var subscriptions: [BusSubscription] = []

  struct Content {
    var summary: String
    var body: String
    var actions: [PromptNotification.Action]
    var isUrgent: Bool
  }

  enum Event {
    case actionInvoked(UInt32, key: String)
    case closed(UInt32)
  }

  private init(bus: BusConnection, owner: String, capabilities: Set<String>) {
    self.bus = bus
    self.owner = owner
    self.capabilities = capabilities
  }

  deinit {
    for subscription in subscriptions { subscription.cancel() }
  }

  var showsButtons: Bool { capabilities.contains("actions") }
  var readsMarkup: Bool { capabilities.contains("body-markup") }

  /// Finds who shows notifications, and hears it from then on.
  static func find(
    on bus: BusConnection, heard: @escaping (Event) -> Void,
    found: @escaping (Result<NotificationServer, BusError>) -> Void
  ) {
    let call = BusCall(name, path: path, interface: name, "GetCapabilities")
    bus.call(call, timeoutSeconds: timeoutSeconds) { result in
      found(
        result.flatMap { reply in
          guard case .array(of: "s", let words)? = reply.values.first else {
            return .failure(BusError(name: BusError.invalidArguments, text: "GetCapabilities gave no texts"))
          }
          let server = NotificationServer(
            bus: bus, owner: reply.sender, capabilities: Set(words.compactMap(\.text)))
          do throws(BusError) {
            try server.listen(heard)
          } catch {
            return .failure(error)
          }
          return .success(server)
        })
    }
  }

  private func listen(_ heard: @escaping (Event) -> Void) throws(BusError) {
    for member in ["ActionInvoked", "NotificationClosed"] {
      let signal = BusSignal(sender: owner, path: Self.path, interface: Self.name, member)
      subscriptions.append(
        try bus.listen(to: signal) { event in
          guard case .uint32(let number)? = event.values.first else { return }
          if member == "NotificationClosed" { return heard(.closed(number)) }
          if event.values.count > 1, let key = event.values[1].text { heard(.actionInvoked(number, key: key)) }
        })
    }
  }

  /// The answer is the notification's number.
  func show(_ content: Content, shown: @escaping (Result<UInt32, BusError>) -> Void) {
    let actions = content.actions.flatMap { [BusValue.string($0.key), .string($0.label)] }
    let hints: [String: BusValue] = ["urgency": .byte(content.isUrgent ? Self.critical : Self.normal)]
    let call = BusCall(
      Self.name, path: Self.path, interface: Self.name, "Notify",
      [
        .string("Location Services"), .uint32(0), .string("find-location-symbolic"), .string(content.summary),
        .string(content.body), .array(of: "s", actions), .dictionary(hints),
        // 0: it does not go by itself. -1: when the server thinks so.
        .int32(content.isUrgent ? 0 : -1),
      ])
    bus.call(call, timeoutSeconds: Self.timeoutSeconds) { result in
      shown(
        result.flatMap { reply in
          guard case .uint32(let number)? = reply.values.first else {
            return .failure(BusError(name: BusError.invalidArguments, text: "Notify gave no number"))
          }
          return .success(number)
        })
    }
  }

  /// One that is gone already is no matter.
  func close(_ number: UInt32) {
    let call = BusCall(Self.name, path: Self.path, interface: Self.name, "CloseNotification", [.uint32(number)])
    bus.call(call, timeoutSeconds: Self.timeoutSeconds) { _ in }
  }
}
