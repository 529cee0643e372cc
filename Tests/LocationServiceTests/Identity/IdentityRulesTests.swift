import LocationRuntime
import Foundation
import Glibc
import LinuxIO
import LocationEngine
import Testing

@testable import LocationService

/// A folder like /proc with two processes in it: the machine's first, and the one in question.
private struct LaidOutProcess {
  let folder: TemporaryFolder
  let program: String
  static let number: Int32 = 12

  /// - Parameter mounts: the namespaces of the process; the machine's are 1.
  init(
    cgroup: String = "0::/user.slice/user-1000.slice/session-1.scope\n", label: String? = nil, mounts: Int = 1,
    users: Int = 1, user: UInt32 = 1000, filterMode: Int = 0, flatpakInfo: String? = nil
  ) throws {
    folder = try TemporaryFolder()
    program = try folder.write("", to: "usr/bin/maps")
    let process = "proc/12/"
    let fields = Array(repeating: "0", count: 18).joined(separator: " ")
    try folder.write("12 (maps) S \(fields) 4711 0 0\n", to: process + "stat")
    let users4 = "\(user)\t\(user)\t\(user)\t\(user)"
    try folder.write("Name:\tmaps\nUid:\t\(users4)\nGroups:\t\nSeccomp:\t\(filterMode)\n", to: process + "status")
    try folder.write(cgroup, to: process + "cgroup")
    if let label { try folder.write(label, to: process + "attr/current") }
    let manager = FileManager.default
    for (number, mounts, users) in [(1, 1, 1), (12, mounts, users)] {
      try manager.createDirectory(atPath: folder.path + "/proc/\(number)/ns", withIntermediateDirectories: true)
      try link("proc/\(number)/ns/mnt", to: "mnt:[\(mounts)]")
      try link("proc/\(number)/ns/user", to: "user:[\(users)]")
    }
    try link(process + "exe", to: program)
    try link(process + "root", to: mounts == 1 ? "/" : folder.path + "/inside")
    if mounts != 1 { try folder.write("", to: "inside/empty") }
    if let flatpakInfo { try folder.write(flatpakInfo, to: "inside/.flatpak-info") }
  }

  func link(_ name: String, to target: String) throws {
    try FileManager.default.createSymbolicLink(atPath: folder.path + "/" + name, withDestinationPath: target)
  }

  func identity(bundle: String? = nil) throws -> PeerIdentity {
    let facts = try ProcessReader(procRoot: folder.path + "/proc").facts(of: Self.number)
    let rules = IdentityRules(servedUser: nil) { _, _ in bundle }
    return try rules.identity(facts, user: 1000, protection: .protected)
  }
}

@Suite("Who a process is, by what the kernel says of it")
struct IdentityRulesTests {
  private let userManager = "0::/user.slice/user-1000.slice/user@1000.service/app.slice/"

  @Test("A program of a session is its path")
  func path() throws {
    let process = try LaidOutProcess()
    let identity = try process.identity()
    #expect(identity.app == AppIdentifier(process.program, userNumber: 1000))
    #expect(identity.kind == .executable)
    #expect(identity.processStartTicks == 4711)
    #expect(identity.claimedUnit == nil)
    #expect(!identity.isConfined)
  }

  @Test("A service of the system is its unit, also one with folders of its own, which count as confining")
  func unit() throws {
    let plain = try LaidOutProcess(cgroup: "0::/system.slice/tracker.service\n").identity(bundle: "org.example.walk")
    #expect(plain.app.name == "unit:tracker.service")
    #expect(plain.kind == .systemdUnit)
    #expect(!plain.isConfined)
    let hardened = try LaidOutProcess(cgroup: "0::/system.slice/tracker.service\n", mounts: 2, filterMode: 2).identity()
    #expect(hardened.app.name == "unit:tracker.service")
    #expect(hardened.confinements.prefix(1) == [.mountNamespace])
    #expect(hardened.confinements.suffix(1) == [.systemCallFilter])
  }

  @Test("A unit that the user's own manager made is shown and not believed: a forged desktop id is a record")
  func claimedUnit() throws {
    for unit in ["app-gnome-org.example.Maps-7.scope", "tracker.service", "app-flatpak-org.example.Maps-7.scope"] {
      let process = try LaidOutProcess(cgroup: userManager + unit + "\n")
      let identity = try process.identity()
      #expect(identity.app.name == process.program)
      #expect(identity.claimedUnit == unit)
      #expect(!identity.isConfined)
    }
  }

  @Test("A snap is known by its label, whatever the root of its folders and its unit say")
  func snap() throws {
    let process = try LaidOutProcess(
      cgroup: userManager + "app-flatpak-org.example.Maps-7.scope\n", label: "snap.weather.app (enforce)\n", mounts: 2,
      flatpakInfo: "[Application]\nname=org.example.Maps\n")
    let identity = try process.identity(bundle: "org.example.walk")
    #expect(identity.app.name == "snap:weather")
    #expect(identity.kind == .snap)
    #expect(identity.isConfined)
  }

  @Test("Where nothing is labelled, a snap is known by the unit that snapd put it in, and by having folders of its own")
  func snapByUnit() throws {
    let cgroup = userManager + "snap.weather.app-0a1b.scope\n"
    #expect(try LaidOutProcess(cgroup: cgroup, mounts: 2).identity().app.name == "snap:weather")
    #expect(try LaidOutProcess(cgroup: cgroup).identity().kind == .executable)
    #expect(throws: PeerIdentityError.self) {
      try LaidOutProcess(cgroup: cgroup, label: "unconfined\n", mounts: 2).identity()
    }
  }

  @Test("A Flatpak is known by the file in its root")
  func flatpak() throws {
    let info = "[Application]\nname=org.example.Maps\n"
    for cgroup in [userManager + "app-flatpak-org.example.Maps-7.scope\n", "0::/\n"] {
      let identity = try LaidOutProcess(cgroup: cgroup, mounts: 2, users: 2, flatpakInfo: info).identity()
      #expect(identity.app.name == "flatpak:org.example.Maps")
      #expect(Array(identity.confinements.prefix(3)) == [.flatpak, .mountNamespace, .userNamespace])
    }
  }

  @Test(
    "A container with a Flatpak's file in its root is refused where its unit is not Flatpak's",
    arguments: [
      ("/user.slice/user-1000.slice/user@1000.service/user.slice/libpod-0a1b.scope", "libpod-0a1b.scope"),
      (
        "/user.slice/user-1000.slice/user@1000.service/app.slice/app-flatpak-org.example.Other-7.scope",
        "app-flatpak-org.example.Other-7.scope"
      ),
      ("/user.slice/user-1000.slice/session-3.scope", "/user.slice/user-1000.slice/session-3.scope"),
      ("/system.slice/docker-0a1b.scope", "/system.slice/docker-0a1b.scope"),
    ])
  func forgedFlatpak(path: String, unit: String) throws {
    let process = try LaidOutProcess(
      cgroup: "0::\(path)\n", mounts: 2, flatpakInfo: "[Application]\nname=org.example.Maps\n")
    #expect(
      throws: PeerIdentityError.flatpakInDoubt(processNumber: 12, application: "org.example.Maps", unit: unit)
    ) { try process.identity() }
  }

  @Test(
    "A Flatpak inside a service of the system has a name of its own: neither the service's nor the person's Flatpak's")
  func flatpakInService() throws {
    let process = try LaidOutProcess(
      cgroup: "0::/system.slice/kiosk.service\n", mounts: 2, flatpakInfo: "[Application]\nname=org.example.Maps\n")
    let identity = try process.identity()
    #expect(identity.app.name == "unit:kiosk.service/flatpak:org.example.Maps")
    #expect(identity.kind == .flatpak)
  }

  @Test("Where the file in the root names nothing, Flatpak's own scope does, and else nobody")
  func namelessFlatpak() throws {
    let cgroup = userManager + "app-flatpak-org.example.Maps-7.scope\n"
    let identity = try LaidOutProcess(cgroup: cgroup, mounts: 2, flatpakInfo: "[Runtime]\n").identity()
    #expect(identity.app.name == "flatpak:org.example.Maps")
    let process = try LaidOutProcess(mounts: 2, flatpakInfo: "")
    #expect(throws: PeerIdentityError.flatpakWithoutName(12)) { try process.identity() }
  }

  @Test("A container of another kind has no name that would last, and a registered path inside it is not the machine's")
  func container() throws {
    let process = try LaidOutProcess(mounts: 2)
    #expect(throws: PeerIdentityError.unknownContainer(processNumber: 12, executablePath: process.program)) {
      try process.identity(bundle: "org.example.walk")
    }
  }

  @Test("A program that a security module confines keeps its path and is confined")
  func label() throws {
    let identity = try LaidOutProcess(label: "/usr/bin/maps (enforce)\n").identity()
    #expect(identity.kind == .executable)
    #expect(identity.confinements == [.securityLabel("/usr/bin/maps (enforce)")])
  }

  @Test("Another user than the one that connected is refused")
  func user() throws {
    let process = try LaidOutProcess(user: 0)
    #expect(throws: PeerIdentityError.userChanged(processNumber: 12, connectedAs: 1000, actsAs: 0)) {
      try process.identity()
    }
  }

  @Test("What is missing or not understood is an error that names the file, and never a trap")
  func damage() throws {
    for (name, text) in [("stat", "12 (maps"), ("status", "Name:\tmaps\n")] {
      let process = try LaidOutProcess()
      try process.folder.write(text, to: "proc/12/\(name)")
      let error = #expect(throws: PeerIdentityError.self) { try process.identity() }
      #expect(error?.description.contains("proc/12/\(name)") == true)
    }
    let process = try LaidOutProcess()
    try FileManager.default.removeItem(atPath: process.folder.path + "/proc/12/ns/mnt")
    #expect(throws: PeerIdentityError.processEnded(12)) { try process.identity() }
  }
}

@Suite("Who may speak for a person")
struct ControlRightsTests {
  private let serviceGroup: UInt32 = 990

  private func refusal(_ identity: PeerIdentity, for user: UInt32, serviceGroup: UInt32?) -> ControlRefusal? {
    do throws(ControlRefusal) {
      try identity.checkMayDecide(for: user, serviceGroup: serviceGroup)
      return nil
    } catch {
      return error
    }
  }

  @Test("A process speaks for its own user; for others only as a member of the service's group, or as root")
  func users() throws {
    var identity = try LaidOutProcess().identity()
    #expect(refusal(identity, for: 1000, serviceGroup: nil) == nil)
    #expect(refusal(identity, for: 1001, serviceGroup: serviceGroup) == .otherUser(own: 1000, other: 1001))
    identity.groupNumbers.append(serviceGroup)
    #expect(refusal(identity, for: 1001, serviceGroup: serviceGroup) == nil)
    #expect(refusal(identity, for: 1001, serviceGroup: nil) == .otherUser(own: 1000, other: 1001))
    identity.groupNumbers = []
    identity.userNumber = 0
    #expect(refusal(identity, for: 1001, serviceGroup: serviceGroup) == nil)
  }

  @Test("A confined process speaks for nobody, not even as root or as a member of the service's group")
  func confined() throws {
    var identity = try LaidOutProcess(label: "/usr/bin/maps (enforce)\n").identity()
    identity.groupNumbers.append(serviceGroup)
    for user in [UInt32(1000), 0] {
      identity.userNumber = user
      let refusal = refusal(identity, for: 1000, serviceGroup: serviceGroup)
      #expect(refusal == .confined(app: identity.app.name, by: identity.confinements))
    }
  }
}

@Suite("Which users a client sees")
struct ServerTrustUsersTests {
  @Test("Root is in sight on the machine itself, and out of sight where its number is not mapped (user_namespaces(7))")
  func hidden() {
    #expect(ServerTrust.Users.hidden(userMap: "         0          0 4294967295\n") == nil)
    #expect(ServerTrust.Users.hidden(userMap: "         0          0          1\n") == nil)
    #expect(ServerTrust.Users.hidden(userMap: "      1000       1000          1\n") == 65_534)
    #expect(ServerTrust.Users.hidden(userMap: "         0       1000          1\n") == 65_534)
    #expect(ServerTrust.Users.hidden(userMap: "") == 65_534)
  }
}

/// A tree of files that belong to root, as tests run by root make them, or to whoever runs the tests.
@Suite("Whether a program can be changed by the user who runs it")
struct ProgramProtectionTests {
  private let owner = geteuid()
  /// Somebody who owns none of the files.
  private let stranger: UInt32 = 54_321

  private func examine(_ path: String, user: UInt32, groups: [UInt32] = []) throws -> ProgramProtection {
    ProgramProtection.examine(
      path: path, file: try FileStatus(path: path, followsLink: false), user: user, groups: groups)
  }

  private func tree() throws -> (TemporaryFolder, program: String) {
    let folder = try TemporaryFolder()
    let program = try folder.write("", to: "opt/bin/maps")
    for name in ["", "/opt", "/opt/bin", "/opt/bin/maps"] { chmod(folder.path + name, 0o755) }
    return (folder, program)
  }

  @Test(
    "A program that others own, in folders that others own, is protected; sticky folders above may be anyone's"
  )
  func protected() throws {
    let (folder, program) = try tree()
    #expect(try examine(program, user: stranger) == .protected)
    chmod(folder.path, 0o1777)
    #expect(try examine(program, user: stranger) == .protected)
  }

  @Test(
    "A program that may be written, or a folder above it, is named", arguments: ["/opt/bin/maps", "/opt/bin", "/opt"])
  func writable(name: String) throws {
    let (folder, program) = try tree()
    chmod(folder.path + name, 0o777)
    #expect(try examine(program, user: stranger) == .writable(path: folder.path + name))
  }

  @Test("The right of a group counts for its members")
  func group() throws {
    let (folder, program) = try tree()
    chmod(folder.path + "/opt", 0o775)
    let group = try FileStatus(path: folder.path + "/opt", followsLink: false).group
    #expect(try examine(program, user: stranger) == .protected)
    #expect(try examine(program, user: stranger, groups: [group]) == .writable(path: folder.path + "/opt"))
  }

  @Test("Owners can give themselves every right, so that their own programs are unprotected; root's are not")
  func owners() throws {
    let (folder, program) = try tree()
    chmod(program, 0o555)
    let expected: ProgramProtection = owner == 0 ? .protected : .writable(path: program)
    #expect(try examine(program, user: owner) == expected)
    guard owner == 0 else { return }
    chown(folder.path + "/opt/bin", stranger, 0)
    #expect(try examine(program, user: stranger) == .writable(path: folder.path + "/opt/bin"))
    #expect(try examine(program, user: 0) == .writable(path: folder.path + "/opt/bin"))
  }

  @Test("What cannot be looked at is not called protected")
  func unknown() throws {
    let (folder, program) = try tree()
    let file = try FileStatus(path: program, followsLink: false)
    let gone = folder.path + "/gone/maps"
    #expect(
      ProgramProtection.examine(path: gone, file: file, user: stranger, groups: [])
        == .unknown(path: folder.path + "/gone"))
  }
}
