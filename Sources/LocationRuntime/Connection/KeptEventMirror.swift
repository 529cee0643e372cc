/// Which events that are told again until they are acknowledged one manager of this process has heard: a service that
/// comes back, or that has not read the acknowledgement, tells them a second time.
struct KeptEventMirror: Sendable {
  /// A service keeps far fewer events of an app; older ones do not come again.
  private static let doneMax = 1_024

  /// On its way to the app, or in a callback.
  private var open: Set<UInt64> = []
  private var done: Set<UInt64> = []

  /// Whether the app has not heard of it yet; from now on it has.
  mutating func isNews(_ number: UInt64) -> Bool {
    guard !done.contains(number) else { return false }
    return open.insert(number).inserted
  }

  /// A callback has returned.
  mutating func acknowledged(_ number: UInt64) {
    open.remove(number)
    done.insert(number)
    if done.count > Self.doneMax, let oldest = done.min() { done.remove(oldest) }
  }

  func isDone(_ number: UInt64) -> Bool { done.contains(number) }
}
