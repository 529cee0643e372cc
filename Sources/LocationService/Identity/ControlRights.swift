import LocationRuntime

extension PeerIdentity {
  /// Whether the process may speak for a person: answer questions as an agent, or change what apps may do.
  ///
  /// Its own user always, another's only as root or as a member of the service's group, and never from inside a
  /// confinement: there a program speaks for itself, whoever started it.
  ///
  /// - Parameters:
  ///   - user: the person that is spoken for.
  ///   - serviceGroup: the number of the group `corelocation` in the system's service; nil in a person's own.
  package func checkMayDecide(for user: UInt32, serviceGroup: UInt32?) throws(ControlRefusal) {
    guard confinements.isEmpty else { throw .confined(app: app.name, by: confinements) }
    let isPrivileged = userNumber == 0 || serviceGroup.map(groupNumbers.contains) == true
    guard userNumber == user || isPrivileged else { throw .otherUser(own: userNumber, other: user) }
  }
}

/// Why a process may not speak for a person.
package enum ControlRefusal: Error, Hashable, Sendable, CustomStringConvertible {
  case confined(app: String, by: [PeerIdentity.Confinement])
  case otherUser(own: UInt32, other: UInt32)

  package var description: String {
    switch self {
    case .confined(let app, let confinements):
      "\(app) is confined (\(confinements.map(\.description).joined(separator: ", "))) "
        + "and may not decide for a person. Run the command outside."
    case .otherUser(let own, let other):
      "User \(own) may not decide for user \(other). "
        + "Run the command as that user, as root, or as a member of the group \(ServerTrust.serviceUserName)."
    }
  }
}
