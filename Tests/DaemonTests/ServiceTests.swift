import Foundation
import LinuxIO
import LocationEngine
import LocationModel
import LocationRuntime
import LocationService
import Testing

@Suite("The service that apps share", .timeLimit(.minutes(1)))
struct ServiceTests {
  /// An app's manager, as the library makes it, and what it hears.
  struct App {
    let connection: ServiceConnection
    let manager: ManagerIdentifier
    let heard = Inbox<ManagerEvent>()

    init(_ connection: ServiceConnection) {
      self.connection = connection
      let heard = heard
      manager = connection.addManager { heard.add($0) }
    }

    func send(_ request: Request) { connection.send(request, from: manager) }
  }

  @Test("An app is told its status, and its fixes once it is granted; the name is the kernel's and not its own")
  func grantedApp() async throws {
    let bench = try DaemonBench()
    try bench.decide(Grant(level: .whenInUse), for: "org.example.walk")
    let app = App(bench.connect("org.example.walk"))
    let full = Authorization(status: .authorizedWhenInUse, accuracy: .full)
    #expect(await app.heard.next() == .authorizationChanged(full, isInitial: true, statusChanged: true))
    app.send(.startUpdatingLocation)
    #expect(await bench.receiver.demands.next() == ReceiverDemand(accuracy: .best))
    let fix = Fix.east(0)
    bench.receiver.give(fix)
    #expect(await app.heard.next() == .locationsUpdated([fix], isAnswer: false))
    #expect(app.connection.snapshot.lastFix == fix)
    app.send(.stopUpdatingLocation)
    #expect(await bench.receiver.demands.next() == .some(nil))
  }

  @Test("Two apps of different accuracy share one receiver, which follows the finer wish and stops with the last")
  func sharedReceiver() async throws {
    let bench = try DaemonBench()
    for name in ["coarse", "fine"] { try bench.decide(Grant(level: .whenInUse), for: name) }
    let coarse = App(bench.connect("coarse"))
    _ = await coarse.heard.next()
    let fine = App(bench.connect("fine"))
    _ = await fine.heard.next()
    var kilometer = ManagerConfiguration()
    kilometer.desiredAccuracy = .meters(1_000)
    coarse.send(.configure(kilometer))
    coarse.send(.startUpdatingLocation)
    #expect(await bench.receiver.demands.next() == ReceiverDemand(accuracy: .meters(1_000)))
    fine.send(.startUpdatingLocation)
    #expect(await bench.receiver.demands.next() == ReceiverDemand(accuracy: .best))
    let fix = Fix.east(0)
    bench.receiver.give(fix)
    #expect(await coarse.heard.next() == .locationsUpdated([fix], isAnswer: false))
    #expect(await fine.heard.next() == .locationsUpdated([fix], isAnswer: false))
    fine.connection.close()
    #expect(await bench.receiver.demands.next() == ReceiverDemand(accuracy: .meters(1_000)))
    coarse.connection.close()
    #expect(await bench.receiver.demands.next() == .some(nil))
  }

  @Test(
    "A monitor over the socket is opened, told of its state, and kept over a restart (behaviour 9.30, 9.34)")
  func monitor() async throws {
    let folder = DaemonBench.Folder()
    let place = Fix.east(0)
    let record = ConditionEvent(identifier: "home", state: .unsatisfied, time: place.time)
    let condition = StoredCondition(
      identifier: "home", shape: .circle(center: place.coordinate, radiusMeters: 150), record: record)
    do {
      let bench = try DaemonBench(in: folder)
      try bench.decide(Grant(level: .always), for: "org.example.walk")
      let app = App(bench.connect("org.example.walk"))
      _ = await app.heard.next()
      app.send(.openMonitor("places"))
      guard case .monitorOpened(let new?) = await app.heard.next() else { return #expect(Bool(false), "not opened") }
      #expect(new.conditions.isEmpty)
      app.send(.addCondition(condition))
      app.send(.iterateConditions)
      #expect(await bench.receiver.demands.next() != .some(nil))
      bench.receiver.give(Fix.east(0))
      guard case .conditionChanged(let event) = await app.heard.next() else { return #expect(Bool(false), "no event") }
      #expect(event.identifier == "home" && event.state == .satisfied)
      app.send(.settleCondition(event))
      // The answer to a later question comes after the event was settled.
      app.send(.requestState(Region(identifier: "other", shape: condition.shape)))
      guard case .stateDetermined = await app.heard.next() else { return #expect(Bool(false), "no answer") }
      app.connection.close()
      bench.stop()
    }
    let again = try DaemonBench(in: folder)
    let app = App(again.connect("org.example.walk"))
    _ = await app.heard.next()
    app.send(.openMonitor("places"))
    guard case .monitorOpened(let kept?) = await app.heard.next() else { return #expect(Bool(false), "not opened") }
    #expect(kept.conditions.map(\.identifier) == ["home"])
    #expect(kept.conditions.first?.record.state == .satisfied && kept.conditions.first?.pending == nil)
    app.connection.close()
  }

  @Test("A prompt waits for an agent, and its answer is stored before the app hears of it")
  func prompt() async throws {
    let bench = try DaemonBench()
    let app = App(bench.connect("org.example.walk"))
    _ = await app.heard.next()
    app.send(.requestWhenInUseAuthorization)
    let agent = try bench.connectRaw("agent")
    try agent.sayHello(.tool)
    #expect(await agent.heard.next() == .toolGreeting)
    try agent.say(.becomeAgent)
    guard case .prompt(let prompt) = await agent.heard.next() else { return #expect(Bool(false), "no prompt") }
    #expect(prompt.usageText == "To show where you are.")
    #expect(prompt.app.name == "org.example.walk")
    try agent.say(.answerPrompt(prompt.identifier, PromptAnswer(.allowWhileUsing, isPrecise: false)))
    let reduced = Authorization(status: .authorizedWhenInUse, accuracy: .reduced)
    #expect(await app.heard.next() == .authorizationChanged(reduced, isInitial: false, statusChanged: true))
    #expect(app.connection.snapshot.authorization == reduced)
    #expect(try bench.store.app(prompt.app)?.grant.level == .whenInUse)
  }

  @Test("An answer that cannot be kept is not taken: the agent hears why, the app nothing, and the prompt stays")
  func lostStore() async throws {
    let bench = try DaemonBench()
    let app = App(bench.connect("org.example.walk"))
    _ = await app.heard.next()
    app.send(.requestWhenInUseAuthorization)
    let agent = try bench.connectRaw("agent")
    try agent.sayHello(.tool)
    try agent.say(.becomeAgent)
    _ = await agent.heard.next()
    guard case .prompt(let prompt) = await agent.heard.next() else { return #expect(Bool(false), "no prompt") }
    let answer = ClientMessage.answerPrompt(prompt.identifier, PromptAnswer(.allowWhileUsing))
    // What is written to a file that has lost its name would be gone with the service.
    let file = bench.store.path
    try FileManager.default.moveItem(atPath: file, toPath: file + ".away")
    try agent.say(answer)
    guard case .promptAnswerRefused(prompt.identifier, let reason) = await agent.heard.next() else {
      return #expect(Bool(false), "the answer was taken")
    }
    #expect(reason.contains(file))
    #expect(app.connection.snapshot.authorization.status == .notDetermined)
    try FileManager.default.moveItem(atPath: file + ".away", toPath: file)
    try agent.say(answer)
    guard case .authorizationChanged(let authorization, _, _) = await app.heard.next() else {
      return #expect(Bool(false), "not told")
    }
    #expect(authorization.status == .authorizedWhenInUse)
  }

  @Test("Prompts of several apps queue for one agent; one that dies gives its prompt to the next")
  func agents() async throws {
    let bench = try DaemonBench()
    let apps = ["first", "second"].map { App(bench.connect($0)) }
    for app in apps { _ = await app.heard.next() }
    let agents = try ["a", "b"].map { try bench.connectRaw($0) }
    for agent in agents {
      try agent.sayHello(.tool)
      try agent.say(.becomeAgent)
      _ = await agent.heard.next()
    }
    apps[0].send(.requestWhenInUseAuthorization)
    guard case .prompt(let first) = await agents[0].heard.next() else { return #expect(Bool(false), "no prompt") }
    apps[1].send(.requestWhenInUseAuthorization)
    agents[0].close()
    guard case .prompt(let again) = await agents[1].heard.next() else { return #expect(Bool(false), "no prompt") }
    #expect(again == first)
    try agents[1].say(.answerPrompt(first.identifier, PromptAnswer(.doNotAllow)))
    guard case .prompt(let second) = await agents[1].heard.next() else { return #expect(Bool(false), "no prompt") }
    #expect([first.app.name, second.app.name].sorted() == ["first", "second"])
  }

  @Test("A service that restarts costs an app nothing: its updates go on, and no fix or status is told twice")
  func restart() async throws {
    var first: DaemonBench? = try DaemonBench()
    let folder = try #require(first?.folder)
    try first?.decide(Grant(level: .whenInUse), for: "walk")
    let app = App(try #require(first?.connect("walk")))
    _ = await app.heard.next()
    app.send(.startUpdatingLocation)
    _ = await first?.receiver.demands.next()
    let fix = Fix.east(0)
    first?.receiver.give(fix)
    _ = await app.heard.next()
    first = nil
    #expect(await app.heard.next() == .failed(.locationUnknown, isAnswer: false))
    let second = try DaemonBench(in: folder)
    second.expect("walk")
    #expect(await second.receiver.demands.next() == ReceiverDemand(accuracy: .best))
    let next = Fix.east(5)
    second.receiver.give(next)
    #expect(await app.heard.next() == .locationsUpdated([next], isAnswer: false))
  }
}
