import LinuxIO
import LocationModel

/// Talks with GeoClue: a client object, its name and its wish, and then `Start` (cases GC-02).
///
/// Everything after the first answer goes to the connection that gave it, by its unique name, so that a GeoClue that
/// is started anew never hears of a client that it did not make, and nobody else is listened to.
final class GeoClueConversation: BusConversation {
  let serviceName = "org.freedesktop.GeoClue2"
  private static let managerPath = "/org/freedesktop/GeoClue2/Manager"
  private static let managerInterface = "org.freedesktop.GeoClue2.Manager"
  private static let clientInterface = "org.freedesktop.GeoClue2.Client"
  private static let locationInterface = "org.freedesktop.GeoClue2.Location"

  /// What this attempt has got so far.
  private struct Client {
    var owner: String
    var path: String
  }

  private let desktopID: String
  private let timeoutSeconds: Double
  private let arrivalTime: () -> WallTime
  private var connection: BusConnection?
  private var report: ((ConversationEvent) -> Void)?
  private var client: Client?
  private var subscriptions: [BusSubscription] = []
  /// Answers of an attempt that has ended count for nothing.
  private var attempt = 0
  private var level = GeoClueAccuracyLevel.exact

  init(desktopID: String, timeoutSeconds: Double, arrivalTime: @escaping () -> WallTime) {
    self.desktopID = desktopID
    self.timeoutSeconds = timeoutSeconds
    self.arrivalTime = arrivalTime
  }

  func begin(
    _ level: GeoClueAccuracyLevel, on connection: BusConnection, report: @escaping (ConversationEvent) -> Void
  ) {
    end()
    self.level = level
    self.connection = connection
    self.report = report
    let call = BusCall(serviceName, path: Self.managerPath, interface: Self.managerInterface, "GetClient")
    ask(call, deed: "make a client") { conversation, reply in
      guard let path = reply.values.first?.text else {
        return conversation.fail(.init(.lost, "GeoClue made a client without a path"))
      }
      conversation.client = Client(owner: reply.sender, path: path)
      conversation.introduce()
    }
  }

  func ownerChanged(to owner: String?) {
    guard let client, owner != client.owner else { return }
    fail(.init(.lost, "GeoClue has left the bus"))
  }

  func end() {
    attempt += 1
    for subscription in subscriptions { subscription.cancel() }
    subscriptions = []
    if let client, let connection {
      let call = BusCall(
        client.owner, path: Self.managerPath, interface: Self.managerInterface, "DeleteClient",
        [.objectPath(client.path)])
      connection.call(call, timeoutSeconds: timeoutSeconds) { _ in }
    }
    client = nil
    connection = nil
    report = nil
  }

  // MARK: Before Start

  /// Newer versions serve no client that has not said who it is; older ones do not know the property.
  private func introduce() {
    set("DesktopId", to: .string(desktopID)) { conversation in
      conversation.set("RequestedAccuracyLevel", to: .uint32(conversation.level.rawValue)) { $0.start() }
    }
  }

  private func set(_ property: String, to value: BusValue, then next: @escaping (GeoClueConversation) -> Void) {
    guard let client, let connection else { return }
    let attempt = attempt
    connection.setProperty(
      property, of: Self.clientInterface, at: client.path, of: client.owner, to: value, timeoutSeconds: timeoutSeconds
    ) { [weak self] error in
      guard let self, attempt == self.attempt else { return }
      if let error, !Self.meansUnknownProperty(error) {
        return fail(ConversationFailure(error, service: "GeoClue", deed: "take \(property)"))
      }
      next(self)
    }
  }

  /// GLib's older services say InvalidArgs where the specification has UnknownProperty (cases GC-02).
  private static func meansUnknownProperty(_ error: BusError) -> Bool {
    error.name == BusError.unknownProperty || error.name == BusError.invalidArguments
  }

  private func start() {
    guard let client else { return }
    do throws(BusError) {
      try listen(to: client)
    } catch {
      return fail(ConversationFailure(error, service: "GeoClue", deed: "be listened to"))
    }
    let call = BusCall(client.owner, path: client.path, interface: Self.clientInterface, "Start")
    ask(call, deed: "start") { conversation, _ in
      conversation.report?(.started)
    }
  }

  // MARK: Locations

  private func listen(to client: Client) throws(BusError) {
    guard let connection else { return }
    let updated = BusSignal(
      sender: client.owner, path: client.path, interface: Self.clientInterface, "LocationUpdated")
    subscriptions.append(
      try connection.listen(to: updated) { [weak self] event in
        // The path "/" stands for no location.
        if event.values.count == 2, let path = event.values[1].text, path != "/" { self?.fetch(path) }
      })
    subscriptions.append(
      try connection.listenToProperties(of: Self.clientInterface, at: client.path, of: client.owner) {
        [weak self] changed in
        guard changed["Active"]?.boolean == false else { return }
        self?.fail(.init(.lost, "GeoClue has stopped giving locations to this program"))
      })
  }

  private func fetch(_ path: String) {
    guard let client, let connection else { return }
    let attempt = attempt
    connection.getProperties(
      of: Self.locationInterface, at: path, of: client.owner, timeoutSeconds: timeoutSeconds
    ) { [weak self] result in
      guard let self, attempt == self.attempt else { return }
      // A location that is gone before it was read has been followed by a newer one.
      guard case .success(let properties) = result,
        let fix = GeoClueLocation.fix(from: properties, arrival: arrivalTime())
      else { return }
      report?(.fix(fix))
    }
  }

  // MARK: Parts of all

  private func ask(
    _ call: BusCall, deed: String, then next: @escaping (GeoClueConversation, BusReply) -> Void
  ) {
    let attempt = attempt
    connection?.call(call, timeoutSeconds: timeoutSeconds) { [weak self] result in
      guard let self, attempt == self.attempt else { return }
      switch result {
      case .success(let reply): next(self, reply)
      case .failure(let error): fail(ConversationFailure(error, service: "GeoClue", deed: deed))
      }
    }
  }

  private func fail(_ failure: ConversationFailure) {
    let report = report
    end()
    report?(.failed(failure))
  }
}
