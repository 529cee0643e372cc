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
    switch facts.flatpak {
    case .named(let info):
      // Any container can hold a file of that name, but only the user's own programs can put it in such a scope.
      if case .userUnit(let unit?, _) = facts.controlGroup, facts.controlGroup.flatpakName != info.application {
        throw .flatpakInDoubt(processNumber: facts.number, application: info.application, unit: unit)
      }
      return (.flatpak, "flatpak:\(info.application)")
    case .nameless:
      // The scope was named by Flatpak, outside of the sandbox and before the program began.
      guard let name = facts.controlGroup.flatpakName, FlatpakInfo.isApplicationName(name) else {
        throw .flatpakWithoutName(facts.number)
      }
      return (.flatpak, "flatpak:\(name)")
    case .absent: break
    }
    if case .systemService(let unit) = facts.controlGroup { return (.systemdUnit, "unit:\(unit)") }
    guard !facts.hasOwnMounts else {
      throw .unknownContainer(processNumber: facts.number, executablePath: facts.executablePath)
    }
    if let bundle = bundleIdentifier(facts.executablePath, user), Self.isBundleIdentifier(bundle) {
      return (.bundle, bundle)
    }
    return (.executable, facts.executablePath)
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

  /// Letters, digits, dashes, underscores and dots, as in Apple's rules for CFBundleIdentifier: never to be taken for
  /// a path or a name of another kind.
  static func isBundleIdentifier(_ text: String) -> Bool {
    !text.isEmpty && text.utf8.count <= 255
      && text.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "-" || $0 == "." || $0 == "_") }
  }
}
