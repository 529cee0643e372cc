import LocationEngine
import LocationModel

/// What the service keeps beyond its own life.
package protocol DaemonStore: AppStateStore {
  var areServicesEnabled: Bool { get }
  /// Why nothing can be kept just now, as a sentence; nil where a write was tried and came through.
  func obstacle() -> String?
  /// Who was seen, and what the app says of itself.
  func remember(_ identity: ClientIdentity, _ description: AppDescription)
  func beginAccess(of app: AppIdentifier, isPrecise: Bool, at time: WallTime) -> Int64?
  func endAccess(_ number: Int64, at time: WallTime)
  func close()
}
