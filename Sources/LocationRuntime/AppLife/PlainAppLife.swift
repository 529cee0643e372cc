/// The life of a plain process, which nobody suspends: it is in use until it ends, its background tasks keep it from
/// nothing, its time is unlimited, and nobody can show settings.
///
/// A process that was started for an event, and has no way to the service that did, stands in the background.
package final class PlainAppLife: AppLifeConnection {
  package let launchReason: LaunchReason
  package let snapshot: AppLifeSnapshot

  package init(launchReason: LaunchReason) {
    self.launchReason = launchReason
    snapshot = AppLifeSnapshot(
      life: launchReason == .location ? .background : .active, backgroundRefresh: .available)
  }

  /// Of this process; made once.
  package static let ofProcess = PlainAppLife(launchReason: ProcessEnvironment.current().launchReason)

  package func connect(_ events: @escaping @Sendable (AppLifeEvent) -> Void) {}
  package func beginTask(_ number: UInt64, named name: String?) -> Bool { true }
  package func endTask(_ number: UInt64) {}
  package func settled(_ life: AppLife) {}
  package func openSettings(_ done: @escaping @Sendable (Bool) -> Void) { done(false) }
}
