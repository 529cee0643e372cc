import LocationEngine
import LocationModel
import LocationProviders
import LocationRuntime

/// What becomes of `corelocation heading` without permission: a magnetic heading needs none, but neither does it come
/// from anything but a compass (behaviour 7.1).
enum HeadingPermission {
  /// A compass on the message bus has been found by then.
  static let compassSeconds = 1.0

  /// Ends the session where nothing can come any more; says what is missing where something can.
  static func consider(_ snapshot: ClientSnapshot, _ listener: Listener) {
    let status = snapshot.authorization.status
    guard !status.isAuthorized else { return }
    guard snapshot.capabilities.hasHeading || listener.deliveredCount > 0 else { return listener.end(.refused(status)) }
    Messages.sayOnce("without permission headings are magnetic; true north needs a location")
  }
}
