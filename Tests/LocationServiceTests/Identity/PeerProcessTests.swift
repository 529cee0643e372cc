import LocationRuntime
import Foundation
import Glibc
import LinuxIO
import LocationEngine
import LocationService
import XCTest

/// Real programs at the other end of real sockets, and what they may pretend. (issue: forged identities are recorded
/// or refused as docs/security.md says; waiting for programs blocks, hence XCTest.)
final class PeerProcessTests: XCTestCase {
  private let own = geteuid()

  func testAProgramIsItsPathAndWhatItSaysOfItselfCountsForNothing() throws {
    let client = try PeerClient(environment: [
      "CFBundleIdentifier=org.example.maps", "__CFBundleIdentifier=org.example.maps", "FLATPAK_ID=org.example.Maps",
      "SNAP_NAME=maps", "GIO_LAUNCHED_DESKTOP_FILE=/usr/share/applications/org.example.Maps.desktop",
      "XDG_ACTIVATION_TOKEN=org.example.Maps", "CORELOCATION_INFO_PLIST=/usr/share/maps/Info.plist",
    ])
    let identity = try client.connect().identity()
    XCTAssertEqual(identity.app, AppIdentifier(try PeerClient.program(), userNumber: own))
    XCTAssertEqual(identity.kind, .executable)
    XCTAssertEqual(identity.executablePath, try PeerClient.program())
    XCTAssertEqual(identity.userNumber, own)
    XCTAssertEqual(identity.processNumber, client.identifier)
    XCTAssertEqual(identity.confinements, [])
    XCTAssertGreaterThan(identity.processStartTicks, 0)
    XCTAssertLessThanOrEqual(identity.processStartTicks, Syscalls.ticksSinceStart)
  }

  func testARegisteredProgramIsItsBundle() throws {
    let client = try PeerClient()
    let identity = try client.connect(bundle: "org.example.walk").identity()
    XCTAssertEqual(identity.app, AppIdentifier("org.example.walk", userNumber: own))
    XCTAssertEqual(identity.kind, .bundle)
  }

  func testABundleIdentifierThatLooksLikeAnotherKindOfNameIsNone() throws {
    for forged in ["/usr/bin/maps", "flatpak:org.example.Maps", "snap:maps", "unit:maps.service", "", "a\u{1B}[2J"] {
      let client = try PeerClient()
      XCTAssertEqual(try client.connect(bundle: forged).identity().kind, .executable, forged)
    }
  }

  func testAProgramThatBecomesAnotherAfterConnectingIsRefused() throws {
    let client = try PeerClient()
    let process = try client.connect()
    let before = try process.identity()
    XCTAssertTrue(process.stillIs(before))
    let other = client.folder.path + "/other"
    try PeerClient.copyProgram(to: other)
    try client.tell("become-program \(other)")
    XCTAssertFalse(process.stillIs(before))
    let after = try process.identity()
    XCTAssertEqual(after.executablePath, other)
    XCTAssertThrowsError(try process.confirm(before)) {
      XCTAssertEqual(
        $0 as? PeerIdentityError, .programChanged(from: before.description, to: after.description))
    }
  }

  func testAProgramThatBecomesAFileOfTheSameNameIsRefusedToo() throws {
    let folder = try TemporaryFolder()
    let path = folder.path + "/program"
    try PeerClient.copyProgram(to: path)
    let client = try PeerClient(program: path)
    let process = try client.connect()
    let before = try process.identity()
    try FileManager.default.removeItem(atPath: path)
    try PeerClient.copyProgram(to: path)
    // Replaced on the disk, as by an update: the process runs what it ran.
    XCTAssertTrue(process.stillIs(before))
    XCTAssertEqual(try process.identity().executablePath, path)
    try client.tell("become-program \(path)")
    XCTAssertFalse(process.stillIs(before))
  }

  func testAProgramKeepsItsPathWhenItsFileIsRemoved() throws {
    let folder = try TemporaryFolder()
    for name in ["program", "program (deleted)"] {
      let path = "\(folder.path)/\(name)"
      try PeerClient.copyProgram(to: path)
      let client = try PeerClient(program: path)
      let process = try client.connect()
      XCTAssertEqual(try process.identity().executablePath, path)
      try FileManager.default.removeItem(atPath: path)
      XCTAssertEqual(try process.identity().executablePath, path)
    }
  }

  func testBytesOfAChildThatKeptTheConnectionAreRefused() throws {
    let client = try PeerClient()
    let process = try client.connect()
    try client.tell("say mine")
    let mine = try client.receive()
    XCTAssertEqual(mine.text, "mine")
    XCTAssertNoThrow(try process.checkSender(of: mine.received))
    try client.tell("say-in-child theirs")
    let theirs = try client.receive()
    XCTAssertEqual(theirs.text, "theirs")
    XCTAssertThrowsError(try process.checkSender(of: theirs.received)) {
      guard case .otherSender(client.identifier, let sender)? = $0 as? PeerIdentityError else {
        return XCTFail("\($0)")
      }
      XCTAssertGreaterThan(sender, client.identifier)
    }
  }

  func testBytesOfTwoProcessesNeverComeTogether() throws {
    let client = try PeerClient()
    let process = try client.connect()
    try client.tell("say mine")
    try client.tell("say-in-child theirs")
    XCTAssertEqual(try client.receive().text, "mine")
    XCTAssertThrowsError(try process.checkSender(of: client.receive().received))
  }

  func testBytesThatCameBeforeTheConnectionWasAcceptedHaveTheirSenderToo() throws {
    let client = try PeerClient()
    let process = try client.connect(ordersBeforeAccepting: ["say mine", "say-in-child theirs"])
    XCTAssertNoThrow(try process.checkSender(of: client.receive().received))
    XCTAssertThrowsError(try process.checkSender(of: client.receive().received))
  }

  func testAProcessThatEndedBeforeTheConnectionWasAcceptedIsRefused() throws {
    let client = try PeerClient()
    for kernelGivesProcess in [true, false] {
      XCTAssertThrowsError(
        try client.connect(
          kernelGivesProcess: kernelGivesProcess, ordersBeforeAccepting: ["leave-child"]
        ).identity()
      ) {
        guard case .processEnded? = $0 as? PeerIdentityError else { return XCTFail("\($0)") }
      }
    }
  }

  func testAConnectionEndsWithTheProcessThatMadeIt() throws {
    let client = try PeerClient()
    let process = try client.connect()
    let identity = try process.identity()
    XCTAssertFalse(process.hasEnded)
    // The child answers in place of its parent, which is gone.
    try client.tell("leave-child")
    client.waitForEnd(of: process)
    XCTAssertTrue(process.hasEnded)
    XCTAssertThrowsError(try process.identity()) {
      XCTAssertEqual($0 as? PeerIdentityError, .processEnded(client.identifier))
    }
    XCTAssertFalse(process.stillIs(identity))
  }

  func testAProgramWithoutItsFirstThreadIsRefusedForThatReason() throws {
    let client = try PeerClient()
    let process = try client.connect()
    try client.tell("end-first-thread")
    // The kernel takes the first thread's things away in its own time.
    var refusal: PeerIdentityError?
    let deadline = Date(timeIntervalSinceNow: 60)
    while refusal == nil && Date() < deadline {
      do { _ = try process.identity() } catch { refusal = error }
    }
    XCTAssertEqual(refusal, .firstThreadEnded(client.identifier))
    XCTAssertFalse(process.hasEnded)
  }

  func testWithoutTheKernelsWordTheNumberIsHeldAllTheSame() throws {
    let client = try PeerClient()
    let process = try client.connect(kernelGivesProcess: false)
    let identity = try process.identity()
    XCTAssertEqual(identity.processNumber, client.identifier)
    XCTAssertTrue(process.stillIs(identity))
    try client.tell("leave-child")
    client.waitForEnd(of: process)
    XCTAssertThrowsError(try process.identity()) {
      XCTAssertEqual($0 as? PeerIdentityError, .processEnded(client.identifier))
    }
  }

  /// The files say what they would if another process had the number: one that started after the connection was
  /// accepted.
  func testANumberThatPassedToALaterProcessIsRefused() throws {
    let client = try PeerClient()
    let folder = try TemporaryFolder()
    let real = "/proc/\(client.identifier)"
    let stat = try String(contentsOfFile: real + "/stat", encoding: .utf8)
    var fields = stat.split(separator: " ").map(String.init)
    fields[21] = String(Syscalls.ticksSinceStart + 1_000_000)
    try folder.write(fields.joined(separator: " "), to: "\(client.identifier)/stat")
    for name in ["status", "cgroup"] {
      try folder.write(
        try String(contentsOfFile: "\(real)/\(name)", encoding: .utf8), to: "\(client.identifier)/\(name)")
    }
    for name in ["exe", "root", "ns", "attr"] {
      try FileManager.default.createSymbolicLink(
        atPath: "\(folder.path)/\(client.identifier)/\(name)", withDestinationPath: "\(real)/\(name)")
    }
    let process = try client.connect(reader: ProcessReader(procRoot: folder.path), kernelGivesProcess: false)
    XCTAssertThrowsError(try process.identity()) {
      XCTAssertEqual($0 as? PeerIdentityError, .processNumberReused(client.identifier))
    }
  }

  func testAProgramThatWasNeverAFileIsRefused() throws {
    let client = try PeerClient()
    let process = try client.connect()
    try client.tell("become-memory \(try PeerClient.program())")
    XCTAssertThrowsError(try process.identity()) {
      XCTAssertEqual(
        $0 as? PeerIdentityError,
        .programWithoutFile(processNumber: client.identifier, link: "/memfd:usr/bin/maps (deleted)"))
    }
  }

  func testAPathWithControlCharactersIsRefused() throws {
    let folder = try TemporaryFolder()
    let path = folder.path + "/maps\u{1B}[2J"
    try PeerClient.copyProgram(to: path)
    let client = try PeerClient(program: path)
    XCTAssertThrowsError(try client.connect().identity()) {
      XCTAssertEqual($0 as? PeerIdentityError, .unshowablePath(client.identifier))
    }
  }

  func testAProcessWithASystemCallFilterIsConfined() throws {
    let client = try PeerClient()
    let process = try client.connect()
    let before = try process.identity()
    try client.tell("set-filter")
    XCTAssertEqual(try process.identity().confinements, [.systemCallFilter])
    XCTAssertFalse(process.stillIs(before))
  }

  // MARK: Containers

  private func enterContainer(_ client: PeerClient, _ folder: TemporaryFolder) throws {
    let answer = try client.answer(to: "enter-container \(folder.path)")
    try XCTSkipIf(answer != "ok", "this machine allows no user namespaces (\(answer))")
  }

  func testAPathInsideAContainerSaysNothing() throws {
    let client = try PeerClient()
    let folder = try TemporaryFolder()
    let process = try client.connect()
    try enterContainer(client, folder)
    XCTAssertThrowsError(try process.identity()) {
      XCTAssertEqual(
        $0 as? PeerIdentityError,
        .unknownContainer(processNumber: client.identifier, executablePath: (try? PeerClient.program()) ?? ""))
    }
  }

  func testAFlatpakIsTheApplicationOfTheFileInItsRootAndConfined() throws {
    let client = try PeerClient()
    let folder = try TemporaryFolder()
    try folder.write("[Application]\nname=org.example.Maps\n", to: ".flatpak-info")
    let process = try client.connect(bundle: "org.example.walk")
    try enterContainer(client, folder)
    let identity = try process.identity()
    XCTAssertEqual(identity.app, AppIdentifier("flatpak:org.example.Maps", userNumber: own))
    XCTAssertEqual(identity.kind, .flatpak)
    XCTAssertEqual(
      identity.confinements, [.flatpak, .mountNamespace, .userNamespace, .rootFolder(folder.path)])
    XCTAssertTrue(identity.isConfined)
  }

  func testALinkInTheRootOfAContainerIsNotFollowed() throws {
    let client = try PeerClient()
    let folder = try TemporaryFolder()
    let elsewhere = try TemporaryFolder()
    let file = try elsewhere.write("[Application]\nname=org.example.Maps\n", to: "info")
    try FileManager.default.createSymbolicLink(atPath: folder.path + "/.flatpak-info", withDestinationPath: file)
    let process = try client.connect()
    try enterContainer(client, folder)
    XCTAssertThrowsError(try process.identity()) {
      XCTAssertEqual($0 as? PeerIdentityError, .flatpakWithoutName(client.identifier))
    }
  }

  // MARK: Users

  /// Skips loudly where the tests are not root's; in CI, where they are, that is a failure.
  private func requireRoot() throws {
    guard own != 0 else { return }
    if ProcessInfo.processInfo.environment["CI"] == "true" {
      XCTFail("user \(own) cannot become another user, as root can, and CI may skip nothing")
    }
    print("SKIPPED: user \(own) cannot become another user, as root can; run the tests as root.")
    throw XCTSkip("only root can become another user")
  }

  func testAnotherUsersProgramIsAnotherAppAndConfinedForAPersonsOwnService() throws {
    try requireRoot()
    let client = try PeerClient()
    chmod(client.folder.path, 0o755)
    try client.tell("become-user 65534")
    let process = try client.connect(servedUser: 0)
    let identity = try process.identity()
    XCTAssertEqual(identity.app, AppIdentifier(try PeerClient.program(), userNumber: 65_534))
    XCTAssertEqual(identity.confinements, [.otherUser(65_534)])
  }

  func testAProcessThatBecomesAnotherUserIsRefused() throws {
    try requireRoot()
    let client = try PeerClient()
    let process = try client.connect()
    try client.tell("become-user 65534")
    XCTAssertThrowsError(try process.identity()) {
      XCTAssertEqual(
        $0 as? PeerIdentityError,
        .userChanged(processNumber: client.identifier, connectedAs: 0, actsAs: 65_534))
    }
  }

  // MARK: Whom a client speaks to

  func testAClientSpeaksToASocketOfItsOwnUserOnly() throws {
    let folder = try TemporaryFolder()
    let ends = try pair()
    defer { for end in ends { close(end) } }
    chmod(folder.path, 0o755)
    let path = folder.path + "/socket"
    XCTAssertNoThrow(try ServerTrust.check(ends[0], path: path))
    try requireRoot()
    let client = try PeerClient()
    chmod(client.folder.path, 0o755)
    try client.tell("become-user 65534")
    _ = try client.connect()
    // What the kernel tells of both ends is of one make: here the client stands for a service of another user.
    let users = { (hidden: UInt32?, service: UInt32) in
      ServerTrust.Users(own: 0, hidden: hidden, service: { service })
    }
    XCTAssertThrowsError(try ServerTrust.check(client.socket, path: path, users: users(nil, 123))) {
      XCTAssertEqual(
        $0 as? ServerTrustError, .untrustedUser(path: path, userNumber: 65_534, ownUser: 0))
    }
    XCTAssertNoThrow(try ServerTrust.check(client.socket, path: path, users: users(nil, 65_534)))
    // In a sandbox where root is out of sight, only at the system's own path: the folder above is what is asked next.
    XCTAssertThrowsError(try ServerTrust.check(client.socket, path: path, users: users(65_534, 123)))
    do throws(ServerTrustError) {
      try ServerTrust.check(client.socket, path: ServerTrust.systemSocketPath, users: users(65_534, 123))
    } catch {
      guard case .folderOutOfSight = error else { return XCTFail("\(error)") }
    }
  }

  func testAFileIsNobodysSocket() throws {
    let file = open("/dev/null", O_RDONLY)
    defer { close(file) }
    XCTAssertThrowsError(try ServerTrust.check(file, path: "/dev/null")) {
      guard case .notAUnixSocket? = $0 as? ServerTrustError else { return XCTFail("\($0)") }
    }
    XCTAssertThrowsError(
      try PeerProcess(
        connectedTo: file, servedUser: nil, reader: ProcessReader(), bundleIdentifier: { _, _ in nil })
    ) {
      guard case .notAUnixSocket? = $0 as? PeerIdentityError else { return XCTFail("\($0)") }
    }
  }

  func testASocketsFolderThatOthersCanWriteIsNotTrusted() throws {
    let folder = try TemporaryFolder()
    let inner = folder.path + "/corelocation"
    try FileManager.default.createDirectory(atPath: inner, withIntermediateDirectories: true)
    let check = { [own] in
      try ServerTrust.checkFolders(
        above: inner + "/socket", users: .init(own: own, hidden: nil, service: { nil }))
    }
    chmod(folder.path, 0o755)
    chmod(inner, 0o700)
    XCTAssertNoThrow(try check())
    chmod(inner, 0o1777)
    XCTAssertThrowsError(try check()) {
      XCTAssertEqual($0 as? ServerTrustError, .writableFolder(folder: inner, owner: own))
    }
    chmod(inner, 0o755)
    chmod(folder.path, 0o757)
    XCTAssertThrowsError(try check()) {
      XCTAssertEqual($0 as? ServerTrustError, .writableFolder(folder: folder.path, owner: own))
    }
    // As /tmp: nobody can replace what is another's.
    chmod(folder.path, 0o1777)
    XCTAssertNoThrow(try check())
    XCTAssertThrowsError(try ServerTrust.checkFolders(above: "socket")) {
      XCTAssertEqual($0 as? ServerTrustError, .relativePath("socket"))
    }
  }

  private func pair() throws -> [Int32] {
    var ends: [Int32] = [-1, -1]
    guard socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &ends) == 0 else { throw SystemError(call: "socketpair") }
    return ends
  }
}
