import LocationEngine
import LocationRuntime
import Testing

@Suite("A question that a person closes without an answer", .timeLimit(.minutes(1)))
struct PutOffTests {
  private func app(_ name: String, of bench: DaemonBench) async -> ServiceTests.App {
    let app = ServiceTests.App(bench.connect(name))
    _ = await app.heard.next()
    return app
  }

  private func agent(_ name: String, of bench: DaemonBench) async throws -> RawClient {
    let agent = try bench.connectRaw(name)
    try agent.sayHello(.tool)
    #expect(await agent.heard.next() == .toolGreeting)
    try agent.say(.becomeAgent)
    return agent
  }

  private func nextPrompt(_ agent: RawClient) async throws -> Prompt {
    guard case .prompt(let prompt) = await agent.heard.next() else { throw NoPrompt() }
    return prompt
  }

  private struct NoPrompt: Error {}

  @Test("goes to the next agent, whose answer counts")
  func passedOn() async throws {
    let bench = try DaemonBench()
    let app = await app("walk", of: bench)
    let first = try await agent("a", of: bench)
    app.send(.requestWhenInUseAuthorization)
    let prompt = try await nextPrompt(first)
    try first.say(.putOffPrompt(prompt.identifier))
    let second = try await agent("b", of: bench)
    #expect(try await nextPrompt(second) == prompt)
    try second.say(.answerPrompt(prompt.identifier, PromptAnswer(.allowWhileUsing)))
    guard case .authorizationChanged(let authorization, _, _) = await app.heard.next() else { throw NoPrompt() }
    #expect(authorization.status == .authorizedWhenInUse)
  }

  @Test("lets the question of another app come first")
  func othersFirst() async throws {
    let bench = try DaemonBench()
    let apps = [await app("first", of: bench), await app("second", of: bench)]
    let agent = try await agent("a", of: bench)
    apps[0].send(.requestWhenInUseAuthorization)
    let first = try await nextPrompt(agent)
    apps[1].send(.requestWhenInUseAuthorization)
    try agent.say(.putOffPrompt(first.identifier))
    let second = try await nextPrompt(agent)
    #expect([first.app.name, second.app.name] == ["first", "second"])
  }

  @Test("comes again at the only agent after its time, and is asked once then")
  func again() async throws {
    let bench = try DaemonBench(putOffSeconds: 0.05)
    let app = await app("walk", of: bench)
    let agent = try await agent("a", of: bench)
    app.send(.requestWhenInUseAuthorization)
    for _ in 0..<3 {
      let prompt = try await nextPrompt(agent)
      try agent.say(.putOffPrompt(prompt.identifier), .putOffPrompt(prompt.identifier))
    }
    let prompt = try await nextPrompt(agent)
    try agent.say(.answerPrompt(prompt.identifier, PromptAnswer(.doNotAllow)))
    guard case .authorizationChanged(let authorization, _, _) = await app.heard.next() else { throw NoPrompt() }
    #expect(authorization.status == .denied)
  }

  @Test("counts for nothing from an agent that was not asked")
  func notAsked() async throws {
    let bench = try DaemonBench()
    let app = await app("walk", of: bench)
    let first = try await agent("a", of: bench)
    app.send(.requestWhenInUseAuthorization)
    let prompt = try await nextPrompt(first)
    let second = try await agent("b", of: bench)
    try second.say(.putOffPrompt(prompt.identifier))
    // The answer to it comes after the word above was read.
    #expect(try await second.ask(.apps) != nil)
    try first.say(.answerPrompt(prompt.identifier, PromptAnswer(.allowOnce)))
    guard case .authorizationChanged(let authorization, _, _) = await app.heard.next() else { throw NoPrompt() }
    #expect(authorization.status == .authorizedWhenInUse)
  }
}
