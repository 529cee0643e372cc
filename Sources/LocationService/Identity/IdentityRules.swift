import LinuxIO

/// What a process is called, and how far it may be believed: the rules, without any reading.
struct IdentityRules {
  /// The bundle that a program belongs to, by the program's path and its user.
  typealias BundleLookup = @Sendable (_ executablePath: String, _ userNumber: UInt32) -> String?

  /// The only user that is served; nil in a service for all.
  var servedUser: UInt32?
  var bundleIdentifier: BundleLookup

  /// - Parameter user: the one that connected, as the kernel noted it.
  func identity(
    _ facts: ProcessFacts, user: UInt32, protection: ProgramProtection
  ) throws(PeerIdentityError) -> PeerIdentity {
    guard facts.status.effectiveUser == user else {
      throw .userChanged(processNumber: facts.number, connectedAs: user, actsAs: facts.status.effectiveUser)
    }
    let (kind, name) = try kindAndName(facts, user: user)
    var identity = PeerIdentity(
      name: name, kind: kind, userNumber: user, groupNumbers: facts.status.groups, processNumber: facts.number,
      processStartTicks: facts.startTicks, executablePath: facts.executablePath, executableFile: facts.executableFile,
      confinements: confinements(facts, kind: kind, user: user), protection: protection)
    if case .userUnit(let unit?, _) = facts.controlGroup { identity.claimedUnit = unit }
    return identity
  }

  /// The label of a snap comes first: no program inside can shed it, whatever root folder it makes itself.
  private func kindAndName(
    _ facts: ProcessFacts, user: UInt32
  ) throws(PeerIdentityError) -> (PeerIdentity.Kind, String) {
    if let snap = snapName(facts) { return (.snap, "snap:\(snap)") }
    if let flatpak = try flatpakName(facts) { return (.flatpak, flatpak) }
    if case .systemService(let unit) = facts.controlGroup { return (.systemdUnit, "unit:\(unit)") }
    guard !facts.hasOwnMounts else {
      throw .unknownContainer(processNumber: facts.number, executablePath: facts.executablePath)
    }
    if let bundle = bundleIdentifier(facts.executablePath, user), Self.isBundleIdentifier(bundle) {
      return (.bundle, bundle)
    }
    return (.executable, facts.executablePath)
  }

  /// Nil for a process that is in no Flatpak.
  ///
  /// Any container can hold a file like Flatpak's. But Flatpak has systemd put its sandboxes in scopes of their names,
  /// which only the user's unconfined programs can do too; and inside a service of the system the name stays within
  /// the service's.
  private func flatpakName(_ facts: ProcessFacts) throws(PeerIdentityError) -> String? {
    let application: String
    switch (facts.flatpak, facts.controlGroup.flatpakName) {
    case (.absent, _): return nil
    case (.named(let info), _): application = info.application
    // The scope was named outside of the sandbox and before the program began.
    case (.nameless, let name?) where FlatpakInfo.isApplicationName(name): application = name
    case (.nameless, _): throw .flatpakWithoutName(facts.number)
    }
    switch facts.controlGroup {
    case .none: return "flatpak:\(application)"
    case .systemService(let unit): return "unit:\(unit)/flatpak:\(application)"
    case .userUnit where facts.controlGroup.flatpakName == application: return "flatpak:\(application)"
    case .userUnit(let unit, let manager):
      throw .flatpakInDoubt(
        processNumber: facts.number, application: application, unit: unit ?? "user@\(manager).service")
    case .other(let group):
      throw .flatpakInDoubt(processNumber: facts.number, application: application, unit: group)
    }
  }

  /// Where the kernel labels, the label alone counts. Where it does not, snaps are told by the unit that snapd put
  /// them in.
  private func snapName(_ facts: ProcessFacts) -> String? {
    if case .snap(let name, _) = facts.label { return name }
    return facts.hasOwnMounts && facts.label == .none ? facts.controlGroup.snapName : nil
  }

  private func confinements(
    _ facts: ProcessFacts, kind: PeerIdentity.Kind, user: UInt32
  ) -> [PeerIdentity.Confinement] {
    var found: [PeerIdentity.Confinement] = []
    if kind == .snap { found.append(.snap) }
    if kind == .flatpak { found.append(.flatpak) }
    if facts.hasOwnMounts { found.append(.mountNamespace) }
    if facts.hasOwnUsers { found.append(.userNamespace) }
    if facts.rootPath != "/" { found.append(.rootFolder(facts.rootPath)) }
    switch facts.label {
    case .snap(_, let label), .confined(let label): found.append(.securityLabel(label))
    case .unconfined, .none: break
    }
    if facts.status.hasSystemCallFilter { found.append(.systemCallFilter) }
    if let servedUser, servedUser != user { found.append(.otherUser(user)) }
    return found
  }

  /// Letters, digits, dashes, underscores and dots, as in Apple's rules for CFBundleIdentifier, and something between
  /// dots: never to be taken for a path, an option or a name of another kind.
  static func isBundleIdentifier(_ text: String) -> Bool {
    !text.hasPrefix("-") && text.utf8.count <= 255
      && text.split(separator: ".", omittingEmptySubsequences: false).allSatisfy { !$0.isEmpty }
      && text.utf8.allSatisfy(isOfIdentifier)
  }

  /// By bytes: a letter with an accent on it is one character, and no letter of ASCII.
  private static func isOfIdentifier(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"):
      true
    default: false
    }
  }
}
