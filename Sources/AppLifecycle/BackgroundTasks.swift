import LinuxIO
import LocationRuntime

/// The background tasks of one app that have begun and not ended. May be used on any thread.
final class BackgroundTasks: Sendable {
  typealias Handler = @MainActor @Sendable () -> Void

  private struct State {
    var next: UInt64 = 1
    var handlers: [UInt64: Handler?] = [:]
    var hasToldOfRefusal = false
  }

  private let life: any AppLifeConnection
  private let state = Locked(State())

  init(_ life: any AppLifeConnection) {
    self.life = life
  }

  func begin(named name: String?, _ handler: Handler?) -> UIBackgroundTaskIdentifier {
    let number = state.withLock { state -> UInt64 in
      defer { state.next += 1 }
      state.handlers[state.next] = .some(handler)
      return state.next
    }
    guard life.beginTask(number, named: name) else {
      let isFirst = state.withLock { state in
        state.handlers[number] = nil
        defer { state.hasToldOfRefusal = true }
        return !state.hasToldOfRefusal
      }
      if isFirst {
        InProcessService.log(
          "More background tasks are open than a process may have; the newest do not begin. "
            + "Call endBackgroundTask for every beginBackgroundTask.")
      }
      return .invalid
    }
    return UIBackgroundTaskIdentifier(rawValue: Int(clamping: number))
  }

  func end(_ identifier: UIBackgroundTaskIdentifier) {
    guard let number = UInt64(exactly: identifier.rawValue),
      state.withLock({ $0.handlers.removeValue(forKey: number) }) != nil
    else {
      if identifier != .invalid {
        InProcessService.log(
          "There is no background task \(identifier.rawValue) to end: it never began, or was ended before.")
      }
      return
    }
    life.endTask(number)
  }

  /// Calls the task's handler, once. It stays begun until the app ends it.
  @MainActor func expire(_ number: UInt64) {
    let handler = state.withLock { state -> Handler? in
      guard let handler = state.handlers[number] else { return nil }
      state.handlers[number] = .some(nil)
      return handler
    }
    handler?()
  }
}
