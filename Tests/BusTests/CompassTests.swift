import Foundation
import LinuxIO
import LocationEngine
import LocationModel
import LocationProviders
import LocationRuntime
import XCTest

/// The compass of iio-sensor-proxy, on a bus of the test's own. XCTest, since these tests wait for other processes and
/// block their thread meanwhile.
final class CompassTests: XCTestCase {
  /// As the proxy's own policy: nobody may call the compass's interface.
  private static let onlyGeoClue = """
    <policy context="default">
      <deny send_destination="net.hadess.SensorProxy" send_interface="net.hadess.SensorProxy.Compass"/>
    </policy>
    """

  /// What a compass on the bus says, in words; its clock moves when the test says so.
  private struct Heard {
    let clock = VirtualClock(wallStart: WallTime(secondsSince1970: 1_780_300_800))
    let log = EventLog<String>()
    let compass: SensorProxyCompass

    /// Without repeats: the value at the claim may be the one that the proxy has just told.
    var changes: [String] {
      log.all.reduce(into: []) { changes, word in if word != changes.last { changes.append(word) } }
    }

    init(_ bus: PrivateBus) {
      compass = SensorProxyCompass(clock: clock, settings: SensorProxyCompass.Settings(address: bus.address))
      compass.connect { [log] event in
        switch event {
        case .heading(let sample):
          if case .magnetic(let degrees) = sample.measurement { log.add("\(degrees)") }
        case .headingAvailable(let isAvailable): log.add(isAvailable ? "there" : "not there")
        case .notice(let sentence): log.add(sentence)
        case .fix, .state: log.add("no word of a compass")
        }
      }
    }
  }

  func test_the_compass_is_claimed_while_headings_are_wanted_and_released_afterwards() throws {
    let bus = try PrivateBus()
    let proxy = try MockedSensorProxy(on: bus)
    try proxy.start()
    let heard = Heard(bus)
    heard.log.wait(for: "there")
    XCTAssertEqual(proxy.ownerCount, 0)
    proxy.point(74.5)
    heard.compass.setWanted(true)
    // The value that it had before it was claimed is the first.
    heard.log.wait(for: "74.5")
    XCTAssertEqual(proxy.ownerCount, 1)
    proxy.point(80)
    heard.log.wait(for: "80.0")
    // Nothing is known for a moment: no heading, and none of -1; nor of what is no direction.
    for strange in [-1, 1e308, 360.5, .nan, .infinity, -1e-300] { proxy.point(strange) }
    proxy.set("HasCompass", .string("no"))
    proxy.point(0)
    heard.log.wait(for: "0.0")
    heard.compass.setWanted(false)
    let limit = Date(timeIntervalSinceNow: 10)
    while proxy.ownerCount > 0, Date() < limit {}
    XCTAssertEqual(proxy.ownerCount, 0)
    proxy.point(99)
    XCTAssertEqual(heard.changes, ["there", "74.5", "80.0", "0.0"])
  }

  func test_a_proxy_that_is_started_anew_is_claimed_again() throws {
    let bus = try PrivateBus()
    let proxy = try MockedSensorProxy(on: bus)
    let heard = Heard(bus)
    heard.log.wait(for: "not there")
    heard.compass.setWanted(true)
    try proxy.start()
    heard.log.wait(for: "there")
    proxy.point(10)
    heard.log.wait(for: "10.0")
    proxy.stop()
    heard.log.wait(for: "not there", count: 2)
    try proxy.start()
    heard.log.wait(for: "there", count: 2)
    proxy.point(20)
    heard.log.wait(for: "20.0")
    XCTAssertEqual(heard.changes, ["not there", "there", "10.0", "not there", "there", "20.0"])
  }

  func test_a_proxy_without_a_compass_has_none_until_one_is_plugged_in() throws {
    let bus = try PrivateBus()
    let proxy = try MockedSensorProxy(on: bus)
    try proxy.start(hasCompass: false)
    let heard = Heard(bus)
    heard.log.wait(for: "not there")
    heard.compass.setWanted(true)
    XCTAssertEqual(proxy.ownerCount, 0)
    // The mock tells its owners only, so that the proxy that found a compass is a new one here.
    proxy.stop()
    try proxy.start()
    heard.log.wait(for: "there")
    proxy.point(123.5)
    heard.log.wait(for: "123.5")
  }

  func test_a_refusal_says_what_to_do_and_is_asked_again_after_a_minute() throws {
    let bus = try PrivateBus(policy: Self.onlyGeoClue)
    let proxy = try MockedSensorProxy(on: bus)
    try proxy.start()
    let heard = Heard(bus)
    heard.log.wait(for: "there")
    heard.compass.setWanted(true)
    heard.log.wait(for: "not there")
    let notice = heard.log.wait("the notice") { $0.count == 3 }[2]
    XCTAssertTrue(notice.contains("AccessDenied"), notice)
    XCTAssertTrue(notice.contains("corelocation-compass.conf") && notice.contains("systemctl reload dbus"), notice)
    XCTAssertTrue(heard.compass.refusal?.contains("AccessDenied") == true)
    XCTAssertEqual(heard.clock.nextDeadline?.seconds(since: .zero), 60)
    XCTAssertEqual(proxy.ownerCount, 0)
  }

  func test_the_policy_of_this_project_lets_its_user_claim_the_compass() throws {
    let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent()
    let file = root.appendingPathComponent("packaging/dbus/system.d/corelocation-compass.conf")
    let text = try String(contentsOf: file, encoding: .utf8)
    XCTAssertTrue(text.contains("<policy user=\"corelocation\">"))
    let start = try XCTUnwrap(text.range(of: "<policy")?.lowerBound)
    let end = try XCTUnwrap(text.range(of: "</policy>")?.upperBound)
    // The user who runs this test stands for the service's.
    let own = text[start..<end].replacingOccurrences(of: "user=\"corelocation\"", with: "user=\"\(getuid())\"")
    let bus = try PrivateBus(policy: Self.onlyGeoClue + own)
    let proxy = try MockedSensorProxy(on: bus)
    try proxy.start()
    let heard = Heard(bus)
    heard.compass.setWanted(true)
    heard.log.wait(for: "there")
    proxy.point(5)
    heard.log.wait(for: "5.0")
  }

  func test_a_claim_whose_answer_does_not_come_is_given_back() throws {
    let bus = try PrivateBus()
    let calls = EventLog<String>()
    let proxy = try FakeService("net.hadess.SensorProxy", on: bus.address) { call in
      calls.add(call.member)
      if call.member == "ClaimCompass" { return .silence }
      return .values([.dictionary(["HasCompass": .boolean(true), "CompassHeading": .double(-1)])])
    }
    var settings = SensorProxyCompass.Settings(address: bus.address)
    settings.answerSeconds = 0.2
    let compass = SensorProxyCompass(
      clock: VirtualClock(wallStart: WallTime(secondsSince1970: 1_780_300_800)), settings: settings)
    let heard = EventLog<Bool>()
    compass.connect { event in if case .headingAvailable(let isAvailable) = event { heard.add(isAvailable) } }
    compass.setWanted(true)
    heard.wait(for: false)
    // It may have been claimed all the same, and would measure for nobody.
    calls.wait(for: "ReleaseCompass")
    withExtendedLifetime(proxy) {}
  }

  func test_doctor_waits_for_the_answer_of_the_bus_before_it_says_which_compass_there_is() throws {
    func finding(_ bus: PrivateBus) -> DoctorFindings.Compass? {
      var environment = ProcessEnvironment(executablePath: "/usr/bin/doctor")
      environment.sensorFolder = "/nonexistent"
      return CompassExamination(clock: LiveClock.shared, environment: environment, busAddress: bus.address)
        .finding(waitSeconds: 10)
    }
    let bus = try PrivateBus()
    XCTAssertNil(finding(bus))
    let proxy = try MockedSensorProxy(on: bus)
    try proxy.start()
    XCTAssertEqual(finding(bus), .sensorProxy)
    let closed = try PrivateBus(policy: Self.onlyGeoClue)
    let refusing = try MockedSensorProxy(on: closed)
    try refusing.start()
    guard case .refused(let reason) = finding(closed) else { return XCTFail("no refusal") }
    XCTAssertTrue(reason.contains("AccessDenied"), reason)
    // Released again, so that the sensor rests.
    let limit = Date(timeIntervalSinceNow: 10)
    while proxy.ownerCount > 0, Date() < limit {}
    XCTAssertEqual(proxy.ownerCount, 0)
  }

  func test_an_app_hears_the_proxys_headings_and_knows_when_the_compass_is_gone() throws {
    let bus = try PrivateBus()
    let proxy = try MockedSensorProxy(on: bus)
    try proxy.start()
    let clock = LiveClock()
    let compass = SensorProxyCompass(clock: clock, settings: SensorProxyCompass.Settings(address: bus.address))
    let host = EngineHost(
      engine: LocationEngine(), clock: clock, provider: AbsentProvider(advice: ""), headingSensor: compass,
      ports: HostPorts(prompter: Nobody(), store: ForgetfulStore(), log: { _ in }))
    let app = AppDescription(identifier: AppIdentifier("org.example.app"))
    let connection = HostConnection(host: host, app: app)
    host.handle(.appStateChanged(app.identifier, .foreground))
    let heard = EventLog<String>()
    let manager = connection.addManager { event in
      if case .headingUpdated(let heading) = event { heard.add("\(heading.magneticDegrees)") }
    }
    connection.send(.startUpdatingHeading, from: manager)
    proxy.point(42)
    heard.wait(for: "42.0")
    XCTAssertTrue(connection.snapshot.capabilities.hasHeading)
    proxy.stop()
    let limit = Date(timeIntervalSinceNow: 10)
    while connection.snapshot.capabilities.hasHeading, Date() < limit {}
    XCTAssertFalse(connection.snapshot.capabilities.hasHeading)
  }
}

private final class Nobody: PermissionPrompter {
  func show(_ prompt: Prompt, answer: @escaping @Sendable (PromptAnswer) -> Void) {}
  func withdraw(_ prompt: PromptIdentifier) {}
  func showLocationServicesAlert(for app: AppIdentifier) {}
}
