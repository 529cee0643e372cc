import LinuxIO
import LocationModel

/// Talks with the location portal, GeoClue's deputy for programs in a sandbox: a session, `Start`, and the person's
/// answer, which may take as long as a person does (cases GC-04).
final class PortalConversation: BusConversation {
  let serviceName = "org.freedesktop.portal.Desktop"
  private static let path = "/org/freedesktop/portal/desktop"
  private static let locationInterface = "org.freedesktop.portal.Location"
  private static let requestInterface = "org.freedesktop.portal.Request"
  private static let sessionInterface = "org.freedesktop.portal.Session"

  private struct Session {
    var owner: String
    var path: String
  }

  private let timeoutSeconds: Double
  private let arrivalTime: () -> WallTime
  private var connection: BusConnection?
  private var report: ((ConversationEvent) -> Void)?
  private var session: Session?
  private var subscriptions: [BusSubscription] = []
  /// Answers of an attempt that has ended count for nothing. Also makes the names of sessions and requests unique.
  private var attempt = 0

  init(timeoutSeconds: Double, arrivalTime: @escaping () -> WallTime) {
    self.timeoutSeconds = timeoutSeconds
    self.arrivalTime = arrivalTime
  }

  func begin(
    _ level: GeoClueAccuracyLevel, on connection: BusConnection, report: @escaping (ConversationEvent) -> Void
  ) {
    end()
    self.connection = connection
    self.report = report
    let options: [String: BusValue] = [
      "session_handle_token": .string(token), "accuracy": .uint32(level.portalValue),
    ]
    ask("CreateSession", [.dictionary(options)], of: serviceName, deed: "make a session") { conversation, reply in
      guard let path = reply.values.first?.text else {
        return conversation.fail(.init(.lost, "The location portal made a session without a path"))
      }
      conversation.session = Session(owner: reply.sender, path: path)
      conversation.start()
    }
  }

  func ownerChanged(to owner: String?) {
    guard let session, owner != session.owner else { return }
    // There is nobody left to whom the session could be closed.
    self.session = nil
    fail(.init(.lost, "The location portal has left the bus"))
  }

  func end() {
    attempt += 1
    for subscription in subscriptions { subscription.cancel() }
    subscriptions = []
    if let session, let connection {
      let call = BusCall(session.owner, path: session.path, interface: Self.sessionInterface, "Close")
      connection.call(call, timeoutSeconds: timeoutSeconds) { _ in }
    }
    session = nil
    connection = nil
    report = nil
  }

  private var token: String { "corelocation\(attempt)" }

  // MARK: Starting

  private func start() {
    guard let session else { return }
    do throws(BusError) {
      try listen(to: session)
    } catch {
      return fail(ConversationFailure(error, service: "The location portal", deed: "be listened to"))
    }
    let arguments: [BusValue] = [
      .objectPath(session.path), .string(""), .dictionary(["handle_token": .string(token)]),
    ]
    // The answer only says that the request is made; what becomes of it is a signal of the request.
    ask("Start", arguments, of: session.owner, deed: "start") { _, _ in }
  }

  private func listen(to session: Session) throws(BusError) {
    guard let connection else { return }
    let response = BusSignal(sender: session.owner, path: nil, interface: Self.requestInterface, "Response")
    let ending = "/" + token
    subscriptions.append(
      try connection.listen(to: response) { [weak self] event in
        if event.path.hasSuffix(ending), let code = event.values.first?.unsigned { self?.answered(code) }
      })
    let updated = BusSignal(
      sender: session.owner, path: Self.path, interface: Self.locationInterface, "LocationUpdated")
    subscriptions.append(
      try connection.listen(to: updated) { [weak self] event in
        guard event.values.count == 2, event.values[0].text == session.path else { return }
        self?.updated(event.values[1].dictionary ?? [:])
      })
    let closed = BusSignal(sender: session.owner, path: session.path, interface: Self.sessionInterface, "Closed")
    subscriptions.append(
      try connection.listen(to: closed) { [weak self] _ in
        self?.session = nil
        self?.fail(.init(.closed, "The location portal has closed the session"))
      })
  }

  /// 0 is yes, 1 the person's no, anything else an end for other reasons.
  private func answered(_ code: UInt64) {
    switch code {
    case 0: report?(.started)
    case 1: fail(.init(.refused, "The location portal gives no location to this program: the person said no"))
    default: fail(.init(.lost, "The location portal could not start: response \(code)"))
    }
  }

  private func updated(_ properties: [String: BusValue]) {
    guard let fix = GeoClueLocation.fix(from: properties, arrival: arrivalTime()) else { return }
    report?(.fix(fix))
  }

  // MARK: Parts of all

  private func ask(
    _ member: String, _ arguments: [BusValue], of destination: String, deed: String,
    then next: @escaping (PortalConversation, BusReply) -> Void
  ) {
    let attempt = attempt
    let call = BusCall(destination, path: Self.path, interface: Self.locationInterface, member, arguments)
    connection?.call(call, timeoutSeconds: timeoutSeconds) { [weak self] result in
      guard let self, attempt == self.attempt else { return }
      switch result {
      case .success(let reply): next(self, reply)
      case .failure(let error): fail(ConversationFailure(error, service: "The location portal", deed: deed))
      }
    }
  }

  private func fail(_ failure: ConversationFailure) {
    let report = report
    end()
    report?(.failed(failure))
  }
}
