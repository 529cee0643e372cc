import LinuxIO

/// The process at the other end of an accepted Unix socket, held so that no other can take its number's place.
///
/// Reading it makes some fifteen small calls to the kernel, and a client whose root folder answers slowly makes them
/// slow: keep it off the thread that serves the others. A connection is worth no more than its process: close it when
/// `descriptor` can be read.
package final class PeerProcess: Sendable {
  package let credentials: PeerCredentials
  private let handle: ProcessHandle
  private let reader: ProcessReader
  private let rules: IdentityRules
  private let acceptedTicks: UInt64

  /// To be made at once after the socket was accepted.
  ///
  /// - Parameters:
  ///   - servedUser: the only user that the service serves; nil where it serves all.
  ///   - kernelGivesProcess: where false, the socket is not asked for its process, as on a kernel older than 6.5. Then
  ///     a process that took the number of the one that connected before it was accepted is told by its user, and by
  ///     `checkSender`: it does not have the connection.
  ///   - bundleIdentifier: the registered bundle of a program's path and user, nil for none.
  package init(
    connectedTo socket: Int32, servedUser: UInt32?, reader: ProcessReader, kernelGivesProcess: Bool = true,
    bundleIdentifier: @escaping @Sendable (_ executablePath: String, _ userNumber: UInt32) -> String?
  ) throws(PeerIdentityError) {
    acceptedTicks = Syscalls.ticksSinceStart
    do {
      credentials = try Syscalls.peerCredentials(socket)
    } catch {
      throw .notAUnixSocket(error)
    }
    guard credentials.processNumber > 0 else { throw .processOutOfSight(userNumber: credentials.userNumber) }
    do {
      handle = try ProcessHandle(
        peerOf: socket, number: credentials.processNumber, kernelGivesProcess: kernelGivesProcess)
    } catch {
      // Whatever the kernel calls it, there is no process behind the number any more.
      throw .processEnded(credentials.processNumber)
    }
    self.reader = reader
    rules = IdentityRules(servedUser: servedUser, bundleIdentifier: bundleIdentifier)
  }

  /// Can be read once the process has ended.
  package var descriptor: Int32 { handle.descriptor }

  package var hasEnded: Bool { handle.hasEnded }

  /// Who the process is now. All of it is of one process and one program: what changed meanwhile is read again.
  package func identity() throws(PeerIdentityError) -> PeerIdentity {
    for _ in 0..<Self.readingsMax {
      if let identity = try identityUnlessChanged() { return identity }
    }
    throw .programKeepsChanging(credentials.processNumber)
  }

  /// To be called where permission is given or used anew: that the process has become another program is an error, and
  /// the connection is to be closed.
  package func confirm(_ identity: PeerIdentity) throws(PeerIdentityError) {
    let now = try self.identity()
    guard now.isSameProgram(as: identity) else {
      throw .programChanged(from: identity.description, to: now.description)
    }
  }

  package func stillIs(_ identity: PeerIdentity) -> Bool {
    (try? confirm(identity)) != nil
  }

  /// Bytes of another process on this connection (a child that kept the socket, a program that it was passed to) are
  /// not this app's: an error, and the connection is to be closed. `received` comes from `Syscalls.receive`.
  package func checkSender(of received: ReceivedBytes) throws(PeerIdentityError) {
    guard received.count > 0 else { return }
    let sender = received.senderProcessNumber ?? 0
    guard sender == credentials.processNumber else {
      throw .otherSender(processNumber: credentials.processNumber, sender: sender)
    }
  }

  /// One reading and one more for a program that was just being replaced.
  private static let readingsMax = 3

  /// Nil where the process took another program in between.
  private func identityUnlessChanged() throws(PeerIdentityError) -> PeerIdentity? {
    let number = credentials.processNumber
    let facts: ProcessFacts
    do {
      facts = try reader.facts(of: number)
    } catch {
      if handle.hasEnded { throw .processEnded(number) }
      throw error == .processEnded(number) ? .firstThreadEnded(number) : error
    }
    let prefix = reader.rootPrefix(of: number, hasOwnMounts: facts.hasOwnMounts)
    let protection = ProgramProtection.examine(
      path: facts.executablePath, file: facts.executableFile, user: credentials.userNumber,
      groups: facts.status.groups, prefix: prefix)
    let again = try? reader.facts(of: number)
    // The number was this process's all the while, since it is even now.
    guard !handle.hasEnded else { throw .processEnded(number) }
    if handle.origin == .number {
      guard facts.startTicks <= acceptedTicks, again?.startTicks == facts.startTicks else {
        throw .processNumberReused(number)
      }
    }
    guard again == facts else { return nil }
    return try rules.identity(facts, user: credentials.userNumber, protection: protection)
  }
}
