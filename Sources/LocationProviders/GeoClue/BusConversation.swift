import LinuxIO
import LocationModel

/// The talk with one location service on a bus, from asking for locations to their end. Used on the queue of its bus
/// connection only; makes at most one attempt at a time.
protocol BusConversation: AnyObject {
  /// The name that the service has on the bus.
  var serviceName: String { get }

  /// Asks for locations. What comes of it is reported.
  func begin(_ level: GeoClueAccuracyLevel, on connection: BusConnection, report: @escaping (ConversationEvent) -> Void)

  /// The service's name changed hands. A service that was asked before it was there is no concern of this.
  func ownerChanged(to owner: String?)

  /// Nothing is reported any more. The service forgets this client when the connection closes, or hears that it ends.
  func end()
}

enum ConversationEvent {
  /// Locations will come when there are some.
  case started
  case fix(Fix)
  /// The attempt has ended; a later one may go better.
  case failed(ConversationFailure)
}

/// Why no locations come from a service. The text is for a person.
struct ConversationFailure: Error {
  enum Kind {
    /// The service does not give locations to this program.
    case refused
    /// There is no such service, and nothing that could be started.
    case absent
    /// It did not answer.
    case silent
    /// It broke off, or answered what nobody understands.
    case lost
    /// It ended the session on its own.
    case closed
  }

  var kind: Kind
  var text: String

  init(_ kind: Kind, _ text: String) {
    self.kind = kind
    self.text = text
  }

  /// - Parameter deed: what was asked, as it continues "GeoClue".
  init(_ error: BusError, service: String, deed: String) {
    let refusals = [BusError.accessDenied, "org.freedesktop.portal.Error.NotAllowed"]
    if refusals.contains(error.name) {
      self.init(.refused, "\(service) refuses to \(deed): \(error.description)")
    } else if error.meansAbsence {
      self.init(.absent, "\(service) is not there: \(error.description)")
    } else {
      let kind: Kind = error.name == BusError.noReply ? .silent : .lost
      self.init(kind, "\(service) did not \(deed): \(error.description)")
    }
  }
}
