import AppLifecycle
import LinuxIO
import LocationRuntime

/// An app's life in the hands of a test.
final class ScriptedLife: AppLifeConnection {
  let launchReason: LaunchReason
  private let state: Locked<State>

  private struct State {
    var snapshot: AppLifeSnapshot
    var events: (@Sendable (AppLifeEvent) -> Void)?
    var heard: [String] = []
    var mayRun = true
    var hasAgent = false
  }

  init(_ life: AppLife, launchReason: LaunchReason = .person) {
    self.launchReason = launchReason
    state = Locked(State(snapshot: AppLifeSnapshot(life: life, backgroundRefresh: .available)))
  }

  var snapshot: AppLifeSnapshot { state.withLock { $0.snapshot } }
  /// What the app has said, in order.
  var heard: [String] { state.withLock { $0.heard } }

  func connect(_ events: @escaping @Sendable (AppLifeEvent) -> Void) { state.withLock { $0.events = events } }
  func beginTask(_ number: UInt64, named name: String?) -> Bool {
    state.withLock { state in
      state.heard.append("begin \(number) \(name ?? "-")")
      return state.mayRun
    }
  }
  func endTask(_ number: UInt64) { state.withLock { $0.heard.append("end \(number)") } }
  func settled(_ life: AppLife) { state.withLock { $0.heard.append("settled \(life)") } }
  func openSettings(_ done: @escaping @Sendable (Bool) -> Void) { done(state.withLock { $0.hasAgent }) }

  func refuseTasks() { state.withLock { $0.mayRun = false } }
  func addAgent() { state.withLock { $0.hasAgent = true } }

  /// The life of the app is another from now on; it has heard of it when this returns.
  @MainActor func become(_ life: AppLife, secondsRemaining: Double? = nil) async {
    state.withLock {
      $0.snapshot.life = life
      $0.snapshot.backgroundSecondsRemaining = secondsRemaining
    }
    await tell(.lifeChanged(life))
  }

  @MainActor func setBackgroundRefresh(_ refresh: BackgroundRefresh) async {
    state.withLock { $0.snapshot.backgroundRefresh = refresh }
    await tell(.backgroundRefreshChanged)
  }

  @MainActor func tell(_ event: AppLifeEvent) async {
    state.withLock { $0.events }?(event)
    // The main queue keeps its order.
    await withCheckedContinuation { continuation in DispatchQueue.main.async { continuation.resume() } }
  }
}
