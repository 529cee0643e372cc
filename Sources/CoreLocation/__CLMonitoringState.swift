/// What a monitor knows of a condition; apps call it `CLMonitor.Event.State` (behaviour 9.32).
public enum __CLMonitoringState: UInt, Sendable, BitwiseCopyable {
  case unknown = 0
  case satisfied = 1
  case unsatisfied = 2
  /// The condition is kept but not watched.
  case unmonitored = 3
}
