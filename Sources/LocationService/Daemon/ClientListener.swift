import Dispatch
import Glibc
import LinuxIO
import LocationRuntime

/// Takes clients in at the service's socket.
package final class ClientListener: @unchecked Sendable {
  package struct Failure: Error, CustomStringConvertible {
    package var description: String
  }

  private let descriptor: Int32
  private let path: String?
  private let source: any DispatchSourceRead
  private let log: @Sendable (String) -> Void
  private let queue: DispatchQueue
  /// Waits for all clients.
  private let poll: EventPoll
  /// On the queue: why clients wait in the socket just now; empty where they are taken in.
  private var pauses: Set<Pause> = []

  /// Why nobody is taken in for a while. Who connects waits in the socket meanwhile, where he costs this process
  /// nothing.
  package enum Pause: Hashable, Sendable {
    /// No more files are to be had: until a client leaves.
    case noFiles
    /// As many callers as may be at once wait to be looked at.
    case callers
  }

  /// Taken in without a look at what else there is to do: those that are served go first however many connect.
  private static let acceptedInARowMax = 16

  /// - Parameters:
  ///   - inherited: a listening socket that the system's manager has opened; then `path` is not touched.
  package init(
    path: String, inherited: Int32?, mode: UInt32, folderMode: UInt32, queue: DispatchQueue,
    log: @escaping @Sendable (String) -> Void, accepted: @escaping @Sendable (LocalStream) -> Void
  ) throws(Failure) {
    self.log = log
    self.queue = queue
    do throws(SystemError) {
      poll = try EventPoll(queue: queue)
    } catch {
      throw Failure(description: "clients cannot be waited for (\(error))")
    }
    if let inherited {
      descriptor = inherited
      self.path = nil
      _ = fcntl(inherited, F_SETFL, fcntl(inherited, F_GETFL) | O_NONBLOCK)
      do throws(SystemError) {
        try Syscalls.tellSenders(inherited)
      } catch {
        throw Failure(description: "the socket that the service manager passed is none of a local service (\(error))")
      }
    } else {
      descriptor = try Self.open(path, mode: mode, folderMode: folderMode)
      self.path = path
    }
    source = DispatchSource.makeReadSource(fileDescriptor: descriptor, queue: queue)
    source.setEventHandler { [weak self] in self?.acceptSome(accepted) }
    source.activate()
  }

  /// The socket file is removed, since a client that finds one waits for the service behind it.
  package func close() {
    guard !source.isCancelled else { return }
    let descriptor = descriptor
    source.setCancelHandler { Syscalls.close(descriptor) }
    if !pauses.isEmpty { source.resume() }
    source.cancel()
    if let path { unlink(path) }
  }

  /// Takes nobody in until `resume`. On the queue.
  package func pause(_ reason: Pause) {
    guard !source.isCancelled else { return }
    if pauses.isEmpty { source.suspend() }
    pauses.insert(reason)
  }

  /// This reason not to take anybody in has gone. On the queue.
  package func resume(_ reason: Pause) {
    guard pauses.remove(reason) != nil, pauses.isEmpty, !source.isCancelled else { return }
    source.resume()
  }

  /// Takes nobody in until a client leaves; after a second it looks again, since others may have the files. On the
  /// queue.
  package func waitForFiles(because reason: String = "the last was needed to look at a client") {
    guard !pauses.contains(.noFiles), !source.isCancelled else { return }
    log("No file is left for another client (\(reason)); the next ones wait until one leaves.")
    pause(.noFiles)
    queue.asyncAfter(deadline: .now() + 1) { [weak self] in self?.resume(.noFiles) }
  }

  private func acceptSome(_ accepted: @Sendable (LocalStream) -> Void) {
    do throws(SystemError) {
      for _ in 0..<Self.acceptedInARowMax {
        guard pauses.isEmpty, !source.isCancelled, let client = try Syscalls.accept(descriptor) else { return }
        // Who connected before an inherited socket told senders has not inherited it.
        if path == nil { try? Syscalls.tellSenders(client) }
        accepted(try LocalStream(client, poll: poll))
      }
    } catch {
      guard error.isOutOfFiles else {
        log("A client could not be taken in: \(error).")
        return
      }
      waitForFiles(because: "\(error)")
    }
  }

  /// Throws where another service listens: nothing that is its may be touched, its apps least of all.
  package static func checkThatNobodyListens(at path: String) throws(Failure) {
    guard let other = try? Syscalls.connectLocally(to: path) else { return }
    Syscalls.close(other)
    throw Failure(
      description: "another corelocationd listens at \(path) already; stop it first, or name another socket with "
        + "--socket")
  }

  private static func open(_ path: String, mode: UInt32, folderMode: UInt32) throws(Failure) -> Int32 {
    let (folder, _) = FolderWatch.split(path)
    if mkdir(folder, folderMode) != 0 && errno != EEXIST {
      throw Failure(
        description: "the folder \(folder) of the socket cannot be made (\(SystemError(call: "mkdir"))); make it, or "
          + "name another socket with --socket")
    }
    do throws(SystemError) {
      return try Syscalls.listen(at: path, mode: mode, tellsSenders: true)
    } catch {
      guard error.number == EADDRINUSE else { throw Failure(description: "\(path) cannot be listened at (\(error))") }
    }
    // Left behind by a service that was killed, or in use.
    try checkThatNobodyListens(at: path)
    unlink(path)
    do throws(SystemError) {
      return try Syscalls.listen(at: path, mode: mode, tellsSenders: true)
    } catch {
      throw Failure(description: "\(path) cannot be listened at (\(error))")
    }
  }
}
