extension ClientIdentity {
  /// - Parameter serviceGroup: the number of the group `corelocation` in the system's service; nil in a person's own.
  package init(_ peer: PeerIdentity, serviceGroup: UInt32?) {
    self.init(
      app: peer.app, userNumber: peer.userNumber, processNumber: peer.processNumber, kind: peer.kind.word,
      executablePath: peer.executablePath, isConfined: peer.isConfined, isUnprotected: peer.isUnprotected,
      isAdministrator: peer.userNumber == 0 || serviceGroup.map(peer.groupNumbers.contains) == true)
  }
}

extension PeerIdentity.Kind {
  /// As commands print it and the store keeps it.
  var word: String {
    switch self {
    case .snap: "snap"
    case .flatpak: "flatpak"
    case .systemdUnit: "unit"
    case .bundle: "bundle"
    case .executable: "executable"
    }
  }
}
