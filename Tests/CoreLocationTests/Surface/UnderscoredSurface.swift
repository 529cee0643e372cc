import CoreLocation

/// Names that the symbol graph leaves out. They are proven by the compiler: this file uses each as the table declares
/// it, and does not build if one is missing or of another type.
enum UnderscoredSurface {
  static let provenPaths: Set<String> = [
    "__CLMonitoringState", "__CLMonitoringState.unknown", "__CLMonitoringState.satisfied",
    "__CLMonitoringState.unsatisfied", "__CLMonitoringState.unmonitored",
    "__CLMonitoringState.init(rawValue:)", "__CLMonitoringState.rawValue", "CLError._nsError",
    "CLError.init(_nsError:)", "CLError.Code._ErrorType", "CLLocationPushServiceError._nsError",
    "CLLocationPushServiceError.init(_nsError:)", "CLLocationPushServiceError.Code._ErrorType",
    "CLMonitor.unownedExecutor",
  ]

  static func useMonitoringState() -> [UInt] {
    let decoded: __CLMonitoringState? = __CLMonitoringState(rawValue: 0)
    let states: [__CLMonitoringState] = [.unknown, .satisfied, .unsatisfied, .unmonitored]
    sendAcrossThreads(decoded)
    return states.map(\.rawValue)
  }

  static func useErrors(_ error: NSError) -> (NSError, NSError) {
    let located: CLError.Code._ErrorType = CLError(_nsError: error)
    let pushed: CLLocationPushServiceError.Code._ErrorType = CLLocationPushServiceError(_nsError: error)
    return (located._nsError, pushed._nsError)
  }

  static func useExecutor(of monitor: CLMonitor) -> UnownedSerialExecutor {
    monitor.unownedExecutor
  }

  private static func sendAcrossThreads<Value: Sendable>(_ value: Value) {}
}
