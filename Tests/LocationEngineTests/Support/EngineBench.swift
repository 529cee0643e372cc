import LocationEngine
import LocationModel

/// One engine with one connected app, fed input by input at named seconds. What it answers is put in words, so that
/// a test compares whole lists of effects.
struct EngineBench {
  static let app = AppIdentifier("org.example.walk")
  static let client = ClientIdentifier(1)

  var engine: LocationEngine
  private(set) var seconds = 0.0
  /// The apps whose snapshot the last input changed; kept out of the other effects, which say what follows of it.
  private(set) var snapshotChanges: [String] = []
  private(set) var receiversAreOff = true

  /// - Parameters:
  ///   - state: where the app stands; nil leaves it where it is after connecting.
  ///   - managers: how many managers it makes, numbered from 1. What they are greeted with is not kept.
  init(
    policy: Policy = Policy(), grant: Grant = Grant(), lastFix: Fix? = nil,
    state: AppState? = .foreground, managers: UInt64 = 1, app: AppDescription = .complete,
    profile: DeviceProfile = .receiver
  ) {
    engine = LocationEngine(policy: policy, profile: profile)
    hear(.clientConnected(Self.client, app, grant: grant, lastFix: lastFix), at: 0)
    if let state { become(state, at: 0) }
    for number in 0..<managers { hear(.managerCreated(Self.manager(number + 1)), at: 0) }
  }

  static func manager(_ number: UInt64, of client: ClientIdentifier = client) -> ManagerIdentifier {
    ManagerIdentifier(client: client, number: number)
  }

  /// What the engine does about an input.
  @discardableResult
  mutating func hear(_ input: Input, at seconds: Double) -> [String] {
    self.seconds = seconds
    let effects = engine.handle(input, at: Instant.zero.advanced(bySeconds: seconds))
    snapshotChanges = effects.compactMap { if case .snapshotChanged(let app) = $0 { app.name } else { nil } }
    for case .setReceivers(let demand) in effects { receiversAreOff = demand == nil }
    return effects.compactMap { if case .snapshotChanged = $0 { nil } else { describe($0) } }
  }

  @discardableResult
  mutating func request(_ request: Request, at seconds: Double, by number: UInt64 = 1) -> [String] {
    hear(.requested(request, by: Self.manager(number)), at: seconds)
  }

  @discardableResult
  mutating func become(_ state: AppState, at seconds: Double) -> [String] {
    hear(.appStateChanged(Self.app, state), at: seconds)
  }

  @discardableResult
  mutating func answer(
    _ choice: PromptChoice, isPrecise: Bool = true, prompt: UInt64 = 1, at seconds: Double
  ) -> [String] {
    hear(.promptAnswered(PromptIdentifier(prompt), PromptAnswer(choice, isPrecise: isPrecise)), at: seconds)
  }

  @discardableResult
  mutating func settings(_ level: Grant.Level, at seconds: Double) -> [String] {
    hear(.grantChanged(Self.app, level), at: seconds)
  }

  /// A fix of this second, `east` metres east of the origin on the equator.
  @discardableResult
  mutating func fix(at seconds: Double, east: Double = 0, accuracy: Double? = 4) -> [String] {
    hear(.fixReceived(.east(east, accuracy: accuracy, at: seconds)), at: seconds)
  }

  @discardableResult
  mutating func configure(
    by number: UInt64 = 1, _ change: (inout ManagerConfiguration) -> Void
  ) -> [String] {
    var configuration = ManagerConfiguration()
    change(&configuration)
    return request(.configure(configuration), at: seconds, by: number)
  }

  @discardableResult
  mutating func pass(to seconds: Double) -> [String] {
    hear(.timePassed, at: seconds)
  }

  var deadlineSeconds: Double? {
    engine.nextDeadline.map { Double($0.nanoseconds) / 1e9 }
  }
}

extension AppDescription {
  /// An app with every key that location services read.
  static var complete: AppDescription {
    var app = AppDescription(identifier: EngineBench.app)
    app.whenInUseUsage = "while using"
    app.alwaysAndWhenInUseUsage = "always"
    app.alwaysUsage = "always, old key"
    app.temporaryUsages = [
      TemporaryUsage(purposeKey: "turn", text: "turn by turn"), TemporaryUsage(purposeKey: "meet", text: "meeting"),
    ]
    app.hasLocationBackgroundMode = true
    return app
  }

  static func complete(_ change: (inout AppDescription) -> Void) -> AppDescription {
    var app = complete
    change(&app)
    return app
  }
}

extension DeviceProfile {
  /// Everything that a phone has, with the figures of algorithms 1.3.
  static let phone = DeviceProfile(
    name: "phone", technologies: [.satellite, .wireless, .cell], hasMotionSensor: true)
  static let tracker = DeviceProfile(name: "tracker", technologies: .satellite, hasMotionSensor: true)
}

extension Grant {
  static let whenInUse = Grant(level: .whenInUse)
  static let always = Grant(level: .always)
  static let reduced = Grant(level: .whenInUse, isPrecise: false)
}

extension Policy {
  static func with(era: Era = .iOS18, _ change: (inout Policy) -> Void) -> Policy {
    var policy = Policy(era: era)
    change(&policy)
    return policy
  }
}

extension Fix {
  /// 2026-06-01T08:00:00Z, the civil time of second 0.
  static let start = WallTime(secondsSince1970: 1_780_300_800)

  /// A degree of longitude on the equator of WGS84 is 6 378 137 m x pi / 180 = 111 319.490 793 m.
  static func east(_ meters: Double, accuracy: Double? = 4, at seconds: Double) -> Fix {
    Fix(
      coordinate: Coordinate(latitude: 0, longitude: meters / 111_319.490_793),
      horizontalAccuracyMeters: accuracy, time: start.advanced(bySeconds: seconds))
  }
}
