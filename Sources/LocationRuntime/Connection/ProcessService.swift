import Glibc
import LocationProviders

/// The service of a plain process: what CORELOCATION_SOURCE names, in the process itself; else the machine's service at
/// its socket; else what the machine has, in the process itself (design 5, "Finding the service").
package enum ProcessService {
  /// Decided once: an app that waits for the machine's service never falls back to another.
  private static let service: ServiceConnection? = {
    let environment = ProcessEnvironment.current()
    guard environment.source == nil, let path = ServiceSocket.path(environment) else { return nil }
    return ServiceConnection(
      path: path, app: InfoPlist.describe(environment, log: InProcessService.log), clock: LiveClock.shared,
      launchReason: environment.launchReason, acknowledgementPath: environment.acknowledgementPath,
      log: InProcessService.log)
  }()

  package static let connection: any LocationConnection = service ?? InProcessService.shared.connection

  /// What decides about the life of this process: its service, where that has launched it.
  package static var life: any AppLifeConnection { service?.life ?? PlainAppLife.ofProcess }
}
