import LocationEngine
import LocationModel
import Testing

/// A random life of one app that iterates live updates and monitors.
private struct StreamLife {
  private static let client = ClientIdentifier(1)
  private static let app = AppDescription.complete { $0.isInstalled = true }
  private static let identifiers = ["a", "b", "c"]

  private var generator: SeededGenerator
  private var engine: LocationEngine
  /// Hears the same, and is woken without a cause after every step.
  private var nudged: LocationEngine
  private var seconds = 0.0
  private var state = AppState.foreground
  private var streams: [ManagerIdentifier] = []
  private var nextNumber: UInt64 = 1
  private var prompts: [PromptIdentifier] = []
  private var toldWithoutFix: [ManagerIdentifier: ServiceDiagnostics] = [:]
  private var toldCondition: [String: ConditionEvent] = [:]
  private var precise: Set<Coordinate> = []
  private var demand: ReceiverDemand?
  private(set) var violations: [String] = []
  private(set) var seen: Set<String> = []

  init(seed: UInt64) {
    generator = SeededGenerator(seed: seed)
    let policy = Policy.with {
      $0.pauseSeconds = 60
      $0.conditionsPerAppMax = 3
    }
    engine = LocationEngine(policy: policy)
    nudged = engine
    let levels: [Grant.Level] = [.notDetermined, .whenInUse, .always]
    feed(
      .clientConnected(
        Self.client, Self.app, grant: Grant(level: levels.randomElement(using: &generator) ?? .always), lastFix: nil))
    feed(.appStateChanged(EngineBench.app, .foreground))
  }

  mutating func live(steps: Int) {
    for _ in 0..<steps where violations.isEmpty { step() }
    for stream in streams { feed(.managerReleased(stream)) }
    streams = []
    feed(.appStateChanged(EngineBench.app, .notRunning))
    // Nobody can be started for these conditions any more.
    feed(.grantChanged(EngineBench.app, .denied))
    if demand != nil { violations.append("the receivers stay on after all streams have ended") }
  }

  private mutating func step() {
    var pauses = [0, 0.5, 1, 1, 3, 12, 30]
    if generator.happens(oneIn: 40) { pauses = [400] }
    advance(by: pauses.randomElement(using: &generator) ?? 1)
    switch Int.random(in: 0..<30, using: &generator) {
    case 0...2: open()
    case 3: if let stream = streams.randomElement(using: &generator) { close(stream) }
    case 4...8: if let stream = streams.randomElement(using: &generator) { feed(.requested(request(), by: stream)) }
    case 9, 10:
      state =
        [AppState.foreground, .foreground, .background, .suspended].randomElement(using: &generator) ?? .background
      feed(.appStateChanged(EngineBench.app, state))
    case 11:
      let level = [Grant.Level.notDetermined, .denied, .whenInUse, .always].randomElement(using: &generator) ?? .always
      feed(.grantChanged(EngineBench.app, level))
    case 12: feed(.preciseChanged(EngineBench.app, !generator.happens(oneIn: 3)))
    case 13: feed(.locationServicesSwitched(on: !generator.happens(oneIn: 4)))
    case 14:
      let states: [ReceiverState] = [.searching, .unavailable, .refused]
      feed(.receiversChanged(states.randomElement(using: &generator) ?? .searching))
    case 15, 16: answer()
    default: receive()
    }
  }

  private mutating func advance(by pause: Double) {
    let end = Instant.zero.advanced(bySeconds: seconds + pause)
    while let deadline = engine.nextDeadline, deadline <= end {
      seconds = max(seconds, Double(deadline.nanoseconds) / 1e9)
      feed(.timePassed)
      guard let next = engine.nextDeadline, next <= deadline else { continue }
      violations.append("the deadline stays after its wake-up")
      return
    }
    seconds = Double(end.nanoseconds) / 1e9
  }

  private mutating func open() {
    let stream = EngineBench.manager(nextNumber)
    nextNumber += 1
    streams.append(stream)
    feed(.managerCreated(stream))
    let live = [LiveUpdateConfiguration.default, .fitness, .airborne].randomElement(using: &generator) ?? .default
    feed(.requested(generator.happens(oneIn: 2) ? .startLiveUpdates(live) : .openMonitor("places"), by: stream))
  }

  private mutating func close(_ stream: ManagerIdentifier) {
    streams.removeAll { $0 == stream }
    feed(.managerReleased(stream))
    toldCondition = [:]
  }

  private mutating func request() -> Request {
    let identifier = Self.identifiers.randomElement(using: &generator) ?? "a"
    switch Int.random(in: 0..<6, using: &generator) {
    case 0, 1:
      toldCondition[identifier] = nil
      let center = Fix.east(Double.random(in: 0...3, using: &generator).rounded() * 1_000, at: 0).coordinate
      let record = ConditionEvent(
        identifier: identifier, state: generator.happens(oneIn: 2) ? .unknown : .satisfied, time: Fix.start)
      return .addCondition(
        StoredCondition(
          identifier: identifier, shape: .circle(center: center, radiusMeters: 200), record: record))
    case 2:
      toldCondition[identifier] = nil
      return .removeCondition(identifier)
    case 3: return .iterateConditions
    default:
      guard let event = toldCondition[identifier] else { return .iterateConditions }
      return .settleCondition(event)
    }
  }

  private mutating func answer() {
    guard let prompt = prompts.popLast() else { return }
    let choice = [PromptChoice.allowOnce, .allowWhileUsing, .doNotAllow].randomElement(using: &generator) ?? .allowOnce
    feed(.promptAnswered(prompt, PromptAnswer(choice, isPrecise: !generator.happens(oneIn: 4))))
  }

  private mutating func receive() {
    let east = generator.happens(oneIn: 4) ? Double.random(in: 0...3, using: &generator).rounded() * 1_000 : 1_000
    let fix = Fix.east(east, accuracy: generator.happens(oneIn: 6) ? nil : 5, at: seconds)
    precise.insert(fix.coordinate)
    feed(.fixReceived(fix))
  }

  // MARK: Checks

  private mutating func feed(_ input: Input) {
    let time = Instant.zero.advanced(bySeconds: seconds)
    let before = engine.snapshot(for: Self.client)?.authorization
    let effects = engine.handle(input, at: time)
    if nudged.handle(input, at: time) != effects { violations.append("\(input): the nudged engine differs") }
    if !nudged.handle(.timePassed, at: time).isEmpty { violations.append("\(input): a wake-up without a cause") }
    let after = engine.snapshot(for: Self.client)?.authorization
    for effect in effects { check(effect, before: before, after: after) }
  }

  private mutating func check(_ effect: Effect, before: Authorization?, after: Authorization?) {
    switch effect {
    case .setReceivers(let wanted): demand = wanted
    case .showPrompt(let prompt): prompts.append(prompt.identifier)
    case .deliver(let event, let manager):
      if !streams.contains(manager) { violations.append("\(event) for a stream that has ended") }
      check(event, to: manager, before: before, after: after)
    default: break
    }
  }

  private mutating func check(
    _ event: ManagerEvent, to manager: ManagerIdentifier, before: Authorization?, after: Authorization?
  ) {
    switch event {
    case .liveUpdated(let update):
      seen.insert(
        update.fix == nil ? "explained" : update.diagnostics.contains(.stationary) ? "stationary" : "location")
      if state == .suspended { violations.append("an element while suspended") }
      if let fix = update.fix {
        toldWithoutFix[manager] = nil
        let isAuthorized = before?.status.isAuthorized == true || after?.status.isAuthorized == true
        if !isAuthorized { violations.append("a location without permission") }
        if after?.accuracy == .reduced, precise.contains(fix.coordinate) { violations.append("a precise location") }
      } else {
        if update.diagnostics.isEmpty { violations.append("an element that says nothing") }
        if toldWithoutFix[manager] == update.diagnostics { violations.append("the same reason twice in a row") }
        toldWithoutFix[manager] = update.diagnostics
      }
    case .conditionChanged(let event):
      seen.insert("\(event.state)")
      if let last = toldCondition[event.identifier], event.tellsTheSame(as: last) {
        violations.append("\(event) twice in a row")
      }
      toldCondition[event.identifier] = event
    default: break
    }
  }
}

@Suite("Random lives of streams")
struct RandomStreamTests {
  @Test("No life breaks a rule of the async API, and every kind of element occurs (behaviour 9)")
  func invariants() {
    var seen: Set<String> = []
    let seeds = ProofSize.seeds(ProofSize.isFull ? 10_000 : 150)
    for seed in seeds {
      var life = StreamLife(seed: seed)
      life.live(steps: 300)
      seen.formUnion(life.seen)
      guard let violation = life.violations.first else { continue }
      Issue.record("CORELOCATION_SEED=\(seed): \(violation)")
      return
    }
    for word in ["explained", "location", "stationary", "satisfied", "unsatisfied", "unmonitored"] where seeds.count > 1
    {
      #expect(seen.contains(word), "no \(word) in any life")
    }
  }
}
