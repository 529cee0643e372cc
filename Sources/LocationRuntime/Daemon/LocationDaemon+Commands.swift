import LocationEngine
import LocationModel

/// What people tell the service (design 6).
extension LocationDaemon {
  func carryOut(_ command: ServiceCommand, for asker: ClientIdentity) -> CommandAnswer {
    .failed("not yet")
  }
}
