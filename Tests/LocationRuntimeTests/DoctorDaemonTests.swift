import LocationEngine
import LocationModel
import LocationRuntime
import Testing

@Suite("What doctor concludes of the service that apps share")
struct DoctorDaemonTests {
  private static let path = "/run/corelocation/socket"

  private func findings(_ condition: ServiceCondition?, problem: String? = nil) -> DoctorFindings {
    var findings = DoctorChecksTests.well
    findings.permission.app = "/usr/bin/walk"
    findings.daemon = DoctorFindings.Daemon(socketPath: Self.path, problem: problem, condition: condition)
    return findings
  }

  private func line(_ check: DoctorLine.Check, _ findings: DoctorFindings) -> DoctorLine? {
    DoctorChecks.lines(findings).first { $0.check == check }
  }

  private func condition(
    _ level: Grant.Level, isPrecise: Bool = true, receivers: ReceiverState = .fixing, wishes: UInt32 = 1,
    prompts: UInt32 = 0, agents: UInt32 = 1
  ) -> ServiceCondition {
    ServiceCondition(
      isSystemWide: true, receivers: receivers, wishCount: wishes, promptCount: prompts, agentCount: agents,
      app: .init(name: "/usr/bin/walk", grant: Grant(level: level, isPrecise: isPrecise)))
  }

  @Test("Its receivers are told of and not listened to a second time")
  func receivers() {
    let lines = DoctorChecks.lines(findings(condition(.whenInUse)))
    #expect(lines.filter { $0.check == .receiver }.map(\.text) == ["The service's receivers give locations."])
    #expect(!lines.contains { $0.check == .gpsd || $0.check == .fix })
    #expect(lines.allSatisfy { $0.mark == .ok && $0.cure == nil })
    let lost = DoctorChecks.lines(findings(condition(.whenInUse, receivers: .unavailable)))
    #expect(lost.first { $0.check == .receiver }?.mark == .cause)
    // Then what the machine has is worth a look.
    #expect(lost.contains { $0.check == .gpsd })
  }

  @Test("The permission is the service's, with the command that changes it")
  func permission() {
    let grant = "corelocation grant /usr/bin/walk whenInUse"
    #expect(line(.permission, findings(condition(.whenInUse)))?.mark == .ok)
    #expect(line(.permission, findings(condition(.denied)))?.cure == grant)
    #expect(line(.permission, findings(condition(.notDetermined)))?.mark == .look)
    #expect(line(.permission, findings(condition(.notDetermined, agents: 0)))?.mark == .cause)
    let coarse = line(.permission, findings(condition(.always, isPrecise: false)))
    #expect(coarse?.mark == .look && coarse?.cure == "corelocation grant /usr/bin/walk precise")
    var unknown = condition(.whenInUse)
    unknown.app = nil
    #expect(line(.permission, findings(unknown))?.text.contains("knows no app /usr/bin/walk") == true)
  }

  @Test(
    "Questions that wait are a cause where nobody can answer",
    arguments: [(0, 0, "look"), (2, 0, "cause"), (0, 1, "ok"), (1, 1, "look")] as [(UInt32, UInt32, String)])
  func agents(prompts: UInt32, agents: UInt32, mark: String) {
    let found = line(.agent, findings(condition(.whenInUse, prompts: prompts, agents: agents)))
    #expect(found?.mark.rawValue == mark)
    #expect((found?.cure == nil) == (mark == "ok"))
  }

  @Test("A service that does not answer keeps locations from apps, whatever the receivers do")
  func away() {
    let away = findings(nil, problem: "connection refused")
    #expect(line(.daemon, away)?.mark == .cause)
    #expect(line(.daemon, away)?.text.contains("connection refused") == true)
    #expect(!away.haveLocations)
  }

  @Test("Locations come where the app is allowed, the switch is on, and receivers give them")
  func verdict() {
    #expect(findings(condition(.whenInUse)).haveLocations)
    #expect(!findings(condition(.denied)).haveLocations)
    #expect(!findings(condition(.whenInUse, receivers: .searching)).haveLocations)
    #expect(findings(condition(.notDetermined)).haveLocations)
    #expect(!findings(condition(.notDetermined, agents: 0)).haveLocations)
    // Nobody wants locations: what was listened to here tells.
    #expect(findings(condition(.whenInUse, receivers: .searching, wishes: 0)).haveLocations)
    var off = condition(.whenInUse)
    off.areServicesOn = false
    #expect(!findings(off).haveLocations)
  }
}
