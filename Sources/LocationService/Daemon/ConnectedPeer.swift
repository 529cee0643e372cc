import LinuxIO
import LocationEngine
import LocationRuntime

/// Who is at the other end of a client's connection, and what watches over it that this stays so.
package struct ConnectedPeer: Sendable {
  package var identity: PeerIdentity
  /// Can be read once the process has ended; nil where nobody watches.
  package var processDescriptor: Int32?
  /// What the process has become, where it is another program by now, as a sentence; nil where it is the same.
  package var confirm: (@Sendable () -> String?)?
  /// What is wrong with the sender of bytes, as a sentence.
  package var checkSender: (@Sendable (ReceivedBytes) -> String?)?
  private let process: PeerProcess?

  package init(identity: PeerIdentity) {
    self.identity = identity
    process = nil
  }

  /// The process that has connected, by the kernel's word.
  ///
  /// - Parameters:
  ///   - servedUser: the only user that the service serves; nil where it serves all.
  ///   - bundleIdentifier: the installed bundle of a program's path and user, nil for none.
  package init(
    connectedTo stream: LocalStream, servedUser: UInt32?,
    bundleIdentifier: @escaping @Sendable (_ executablePath: String, _ userNumber: UInt32) -> String?
  ) throws(RefusedClient) {
    do throws(PeerIdentityError) {
      let process = try PeerProcess(
        connectedTo: stream.number, servedUser: servedUser, reader: ProcessReader(),
        bundleIdentifier: bundleIdentifier)
      let identity = try process.identity()
      self.process = process
      self.identity = identity
      processDescriptor = process.descriptor
      confirm = {
        do throws(PeerIdentityError) {
          try process.confirm(identity)
          return nil
        } catch {
          return error.description
        }
      }
      checkSender = { received in
        do throws(PeerIdentityError) {
          try process.checkSender(of: received)
          return nil
        } catch {
          return error.description
        }
      }
    } catch {
      throw RefusedClient(error.description)
    }
  }
}

/// Why a process is not served, as a sentence for its developer.
package struct RefusedClient: Error, Sendable {
  package var sentence: String

  package init(_ sentence: String) {
    self.sentence = sentence
  }
}
