import Foundation
import Glibc
import LinuxIO
import LocationRuntime
import Testing

@Suite("Whether the machine is in airplane mode")
struct AirplaneModeTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func places(switch name: String? = nil) -> AirplaneMode.Places {
    var places = AirplaneMode.Places(switchPath: name.map { folder.path + "/" + $0 })
    places.radioDevice = folder.path + "/rfkill"
    places.radioFolder = folder.path + "/radios"
    return places
  }

  /// As the kernel's rfkill.h has it: number, type 1 (WLAN), 0 add, 1 delete, 2 change, soft block, hard block.
  private func event(_ number: UInt8, _ operation: UInt8, soft: UInt8 = 0, hard: UInt8 = 0) -> [UInt8] {
    [number, 0, 0, 0, 1, operation, soft, hard]
  }

  private func addRadio(_ name: String, soft: String, hard: String) throws {
    let path = folder.path + "/radios/" + name
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    try soft.write(toFile: path + "/soft", atomically: false, encoding: .utf8)
    try hard.write(toFile: path + "/hard", atomically: false, encoding: .utf8)
  }

  @Test("A machine without radios and without a switch is not (behaviour 3.12)")
  func noRadios() {
    #expect(AirplaneMode(places()).state == AirplaneMode.State())
  }

  @Test("It is where every radio is blocked, softly or by a hardware switch, and not where one is free")
  func radiosOfTheFolder() throws {
    try addRadio("rfkill0", soft: "1\n", hard: "0\n")
    try addRadio("rfkill1", soft: "0\n", hard: "1\n")
    #expect(AirplaneMode(places()).state == .init(radioCount: 2, isEveryRadioBlocked: true))
    try addRadio("rfkill2", soft: "0\n", hard: "0\n")
    #expect(AirplaneMode(places()).state == .init(radioCount: 3, isEveryRadioBlocked: false))
  }

  @Test("Where the device may not be opened, what changes in the folder is heard", .timeLimit(.minutes(1)))
  func changesOfTheFolder() async throws {
    try addRadio("rfkill0", soft: "0\n", hard: "0\n")
    let (stream, continuation) = AsyncStream<Bool>.makeStream()
    let mode = AirplaneMode(places()) { continuation.yield($0) }
    #expect(mode.state == .init(radioCount: 1, isEveryRadioBlocked: false))
    var heard = stream.makeAsyncIterator()
    try addRadio("rfkill0", soft: "1\n", hard: "0\n")
    #expect(await heard.next() == true)
    try addRadio("rfkill0", soft: "0\n", hard: "0\n")
    #expect(await heard.next() == false)
    try addRadio("rfkill0", soft: "1\n", hard: "0\n")
    #expect(await heard.next() == true)
    try FileManager.default.removeItem(atPath: folder.path + "/radios/rfkill0")
    #expect(await heard.next() == false)
    withExtendedLifetime(mode) {}
  }

  @Test("The radios' own events are heard as they come", .timeLimit(.minutes(1)))
  func radiosOfTheDevice() async throws {
    let path = folder.path + "/rfkill"
    try #require(mkfifo(path, 0o600) == 0)
    let pipe = open(path, O_RDWR | O_CLOEXEC)
    defer { close(pipe) }
    func send(_ bytes: [UInt8]) { #expect(write(pipe, bytes, bytes.count) == bytes.count) }
    send(event(0, 0, soft: 1) + event(1, 0))
    let (stream, continuation) = AsyncStream<Bool>.makeStream()
    let mode = AirplaneMode(places()) { continuation.yield($0) }
    #expect(mode.state == .init(radioCount: 2, isEveryRadioBlocked: false))
    var heard = stream.makeAsyncIterator()
    send(event(1, 2, hard: 1))
    #expect(await heard.next() == true)
    send(event(0, 2))
    #expect(await heard.next() == false)
    // The free one is unplugged; the other is still blocked.
    send(event(0, 1))
    #expect(await heard.next() == true)
    send(event(1, 1))
    #expect(await heard.next() == false)
    #expect(mode.state.radioCount == 0)
  }

  @Test("The person's switch is heard by who listens already, and by who comes later", .timeLimit(.minutes(1)))
  func personsSwitch() async throws {
    let places = places(switch: "state/corelocation/airplane")
    let path = try #require(places.switchPath)
    let (stream, continuation) = AsyncStream<Bool>.makeStream()
    let mode = AirplaneMode(places) { continuation.yield($0) }
    var heard = stream.makeAsyncIterator()
    try AirplaneMode.set(true, at: path)
    #expect(await heard.next() == true)
    #expect(mode.state == .init(isSwitchedOn: true))
    let late = Locked<[Bool]>([])
    withExtendedLifetime(AirplaneMode(places) { isOn in late.withLock { $0.append(isOn) } }) {}
    #expect(late.withLock { $0 } == [true])
    try AirplaneMode.set(false, at: path)
    #expect(await heard.next() == false)
    try AirplaneMode.set(false, at: path)
  }
}
