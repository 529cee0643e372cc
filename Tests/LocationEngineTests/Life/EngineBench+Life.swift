import LocationEngine
import LocationModel

extension AppDescription {
  /// A bundle that a supervisor runs.
  static var installed: AppDescription { .complete { $0.isInstalled = true } }
}

extension EngineBench {
  /// An installed app that the person opened at second 0, with one connected process. What that says is not kept.
  static func supervised(
    policy: Policy = Policy(), grant: Grant = .always, managers: UInt64 = 1, app: AppDescription = .installed,
    cause: LaunchCause = .person
  ) -> EngineBench {
    var bench = EngineBench(policy: policy, grant: grant, state: nil, managers: 0, app: app)
    bench.hear(.clientDisconnected(client), at: 0)
    bench.launch(cause, app: app, grant: grant, managers: managers, at: 0)
    return bench
  }

  /// The process is started, connects, and makes its managers.
  @discardableResult
  mutating func launch(
    _ cause: LaunchCause, app: AppDescription = .installed, grant: Grant = .always, managers: UInt64 = 1,
    at seconds: Double
  ) -> [String] {
    var effects = hear(.life(.launched(app, grant: grant, cause)), at: seconds)
    effects += hear(.clientConnected(Self.client, app, grant: grant, lastFix: nil), at: seconds)
    for number in 0..<managers { effects += hear(.managerCreated(Self.manager(number + 1)), at: seconds) }
    return effects
  }

  @discardableResult
  mutating func command(_ command: AppCommand, at seconds: Double) -> [String] {
    hear(.life(.commanded(Self.app, command)), at: seconds)
  }

  /// The process is gone, its connection first.
  @discardableResult
  mutating func endProcess(at seconds: Double) -> [String] {
    hear(.clientDisconnected(Self.client), at: seconds) + hear(.life(.processEnded(Self.app)), at: seconds)
  }

  @discardableResult
  mutating func beginTask(_ number: UInt64 = 1, name: String = "upload", at seconds: Double) -> [String] {
    hear(.life(.backgroundTaskBegun(number, name: name, by: Self.client)), at: seconds)
  }

  @discardableResult
  mutating func endTask(_ number: UInt64 = 1, at seconds: Double) -> [String] {
    hear(.life(.backgroundTaskEnded(number, by: Self.client)), at: seconds)
  }

  var appState: AppState? { engine.state(of: Self.app) }

  /// Wakes the engine at each of its deadlines up to `seconds`; what it does, with the second.
  @discardableResult
  mutating func run(to seconds: Double) -> [String] {
    var effects: [String] = []
    while let deadline = deadlineSeconds, deadline <= seconds {
      effects += pass(to: deadline).map { "\(deadline): \($0)" }
      if deadlineSeconds == deadline { return effects + ["\(deadline): the deadline stays"] }
    }
    return effects
  }

  /// Crosses into the circle that is monitored around the origin: two fixes that agree, 20 s apart.
  @discardableResult
  mutating func enterHome(from seconds: Double) -> [String] {
    fix(at: seconds, east: 0) + fix(at: seconds + 21, east: 0)
  }
}
