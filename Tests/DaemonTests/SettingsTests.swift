import Glibc
import LocationEngine
import LocationModel
import LocationRuntime
import Testing

@Suite("An app opens its settings, and its person's agent shows the entry", .timeLimit(.minutes(1)))
struct SettingsTests {
  private func app(_ bench: DaemonBench, _ name: String = "walk") async throws -> ServiceConnection {
    let app = bench.connect(name)
    // The greeting.
    _ = app.snapshot
    return app
  }

  private func agent(_ bench: DaemonBench, user: UInt32? = nil) async throws -> RawClient {
    let agent = try user.map { try bench.connectRaw("agent", user: $0) } ?? bench.connectRaw("agent")
    try agent.sayHello(.tool)
    #expect(await agent.heard.next() == .toolGreeting)
    try agent.say(.becomeAgent)
    // Its answer comes when the service has read the word before.
    #expect(try await agent.ask(.apps) != nil)
    return agent
  }

  private func opens(_ app: ServiceConnection) async -> Bool {
    await withCheckedContinuation { continuation in
      app.life.openSettings { continuation.resume(returning: $0) }
    }
  }

  private struct NoEntry: Error {}

  private func entry(_ agent: RawClient) async throws -> (prompt: Prompt, settings: AppSettings) {
    guard case .prompt(let prompt) = await agent.heard.next(), case .settings(let settings) = prompt.kind else {
      throw NoEntry()
    }
    return (prompt, settings)
  }

  /// The app opens its entry, and the agent tells that the person sees it: what the app hears, and the entry.
  private func shows(
    _ app: ServiceConnection, _ agent: RawClient
  ) async throws -> (isShown: Bool, prompt: Prompt, settings: AppSettings) {
    async let isShown = opens(app)
    let (prompt, settings) = try await entry(agent)
    try agent.say(.promptShown(prompt.identifier))
    return (await isShown, prompt, settings)
  }

  @Test("Without an agent of its user nobody shows it, and the app hears false")
  func withoutAgent() async throws {
    let bench = try DaemonBench(isSystemWide: true)
    let app = try await app(bench)
    #expect(await opens(app) == false)
    let other = try await agent(bench, user: 4_711)
    #expect(await opens(app) == false)
    let own = try await agent(bench)
    let shown = try await shows(app, own)
    #expect(shown.isShown && shown.prompt.app.name == "walk")
    #expect(try await other.ask(.apps) != nil, "another user's agent is shown nothing")
  }

  @Test("Without a service nobody shows it, and the app hears false")
  func withoutService() async throws {
    let bench = try DaemonBench()
    let app = try await app(bench)
    bench.stop()
    #expect(await opens(app) == false)
  }

  @Test(
    "The person changes grant and Precise in it, each is on the disk and told at once, and it stays until it is left")
  func changes() async throws {
    let bench = try DaemonBench()
    try bench.decide(Grant(level: .denied), for: "walk")
    let app = ServiceTests.App(try await app(bench))
    _ = await app.heard.next()
    let agent = try await agent(bench)
    let first = try await shows(app.connection, agent)
    #expect(first.isShown)
    var shown = (prompt: first.prompt, settings: first.settings)
    #expect(shown.settings == AppSettings(level: .denied, isPrecise: true))
    #expect(
      shown.prompt.choices
        == [.level(.whenInUse), .level(.always), .level(.notDetermined), .done].map { .settings($0) })
    try agent.say(.answerPrompt(shown.prompt.identifier, PromptAnswer(.settings(.level(.whenInUse)))))
    let full = Authorization(status: .authorizedWhenInUse, accuracy: .full)
    #expect(await app.heard.next() == .authorizationChanged(full, isInitial: false, statusChanged: true))
    shown = try await entry(agent)
    #expect(shown.settings == AppSettings(level: .whenInUse, isPrecise: true))
    try agent.say(.answerPrompt(shown.prompt.identifier, PromptAnswer(.settings(.precise(false)))))
    let reduced = Authorization(status: .authorizedWhenInUse, accuracy: .reduced)
    #expect(await app.heard.next() == .authorizationChanged(reduced, isInitial: false, statusChanged: false))
    #expect(try bench.store.app(AppIdentifier("walk", userNumber: getuid()))?.grant.isPrecise == false)
    shown = try await entry(agent)
    #expect(shown.prompt.choices.contains(.settings(.precise(true))))
    try agent.say(.answerPrompt(shown.prompt.identifier, PromptAnswer(.settings(.done))))
    #expect(try await agent.ask(.apps) != nil, "nothing more is shown")
  }

  @Test("One entry of an app at a time, behind the questions that wait; closed it is gone, and can be opened again")
  func order() async throws {
    let bench = try DaemonBench()
    let walk = ServiceTests.App(try await app(bench))
    let ride = ServiceTests.App(try await app(bench, "ride"))
    for app in [walk, ride] { _ = await app.heard.next() }
    let agent = try await agent(bench)
    let first = try await shows(walk.connection, agent)
    #expect(first.isShown)
    #expect(await opens(walk.connection) == true, "it is there")
    ride.send(.requestWhenInUseAuthorization)
    try agent.say(.putOffPrompt(first.prompt.identifier))
    guard case .prompt(let question) = await agent.heard.next() else { throw NoEntry() }
    #expect(question.kind == .first && question.app.name == "ride")
    try agent.say(.answerPrompt(question.identifier, PromptAnswer(.doNotAllow)))
    _ = await ride.heard.next()
    let second = try await shows(walk.connection, agent)
    #expect(second.isShown && second.prompt.identifier != first.prompt.identifier)
  }

  @Test("What one agent cannot show the next one does, and the app hears so when the person sees it")
  func nextAgent() async throws {
    let bench = try DaemonBench()
    let app = try await app(bench)
    let (blind, seeing) = (try await agent(bench), try await agent(bench))
    let answers = Inbox<Bool>()
    for _ in 0..<2 { app.life.openSettings { answers.add($0) } }
    let first = try await entry(blind).prompt
    try blind.say(.putOffPrompt(first.identifier))
    let second = try await entry(seeing).prompt
    #expect(second.identifier == first.identifier)
    // What the first one says now counts for nothing.
    try blind.say(.promptShown(first.identifier))
    #expect(try await blind.ask(.apps) != nil)
    try seeing.say(.promptShown(first.identifier))
    #expect(await answers.next() == true)
    #expect(await answers.next() == true, "both wishes are met by it")
    try seeing.say(.putOffPrompt(first.identifier))
    #expect(try await shows(app, blind).isShown, "closed it is gone, and can be opened again")
  }

  @Test("Where no agent can show it the app hears false, and nothing is left waiting")
  func noneCanShow() async throws {
    let bench = try DaemonBench()
    let app = try await app(bench)
    let agents = [try await agent(bench), try await agent(bench)]
    async let isShown = opens(app)
    for agent in agents { try agent.say(.putOffPrompt(try await entry(agent).prompt.identifier)) }
    #expect(await isShown == false)
    #expect(try await agents[0].ask(.condition(app: nil)).flatMap(Self.promptCount) == 0)
  }

  @Test("Where the agents leave before it came to the screen the app hears false")
  func agentLeaves() async throws {
    let bench = try DaemonBench()
    let walk = ServiceTests.App(try await app(bench))
    let ride = ServiceTests.App(try await app(bench, "ride"))
    for app in [walk, ride] { _ = await app.heard.next() }
    let agent = try await agent(bench)
    ride.send(.requestWhenInUseAuthorization)
    guard case .prompt = await agent.heard.next() else { throw NoEntry() }
    async let isShown = opens(walk.connection)
    // It waits behind the question; the agent goes once the service has heard of both.
    while try await agent.ask(.condition(app: nil)).flatMap(Self.promptCount) != 2 {}
    agent.close()
    #expect(await isShown == false)
  }

  private static func promptCount(_ answer: CommandAnswer) -> UInt32? {
    if case .condition(let condition) = answer { condition.promptCount } else { nil }
  }
}
