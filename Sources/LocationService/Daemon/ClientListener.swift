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
  /// On the queue: no more files are to be had, so that clients wait until one leaves.
  private var isFull = false

  /// - Parameters:
  ///   - inherited: a listening socket that the system's manager has opened; then `path` is not touched.
  package init(
    path: String, inherited: Int32?, mode: UInt32, folderMode: UInt32, queue: DispatchQueue,
    log: @escaping @Sendable (String) -> Void, accepted: @escaping @Sendable (LocalStream) -> Void
  ) throws(Failure) {
    self.log = log
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
    source.setEventHandler { [weak self] in self?.acceptAll(queue, accepted) }
    source.activate()
  }

  /// The socket file is removed, since a client that finds one waits for the service behind it.
  package func close() {
    guard !source.isCancelled else { return }
    let descriptor = descriptor
    source.setCancelHandler { Syscalls.close(descriptor) }
    if isFull { source.resume() }
    source.cancel()
    if let path { unlink(path) }
  }

  /// A client has left: if others wait for a file, there is one now. On the queue.
  package func clientLeft() {
    guard isFull else { return }
    isFull = false
    source.resume()
  }

  private func acceptAll(_ queue: DispatchQueue, _ accepted: @Sendable (LocalStream) -> Void) {
    do throws(SystemError) {
      while !source.isCancelled, let client = try Syscalls.accept(descriptor) {
        // Who connected before an inherited socket told senders has not inherited it.
        if path == nil { try? Syscalls.tellSenders(client) }
        accepted(try LocalStream(client, queue: queue))
      }
    } catch {
      guard error.isOutOfFiles else {
        log("A client could not be taken in: \(error).")
        return
      }
      log("No file is left for another client (\(error)); the next ones wait until one leaves.")
      isFull = true
      source.suspend()
    }
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
    if let other = try? Syscalls.connectLocally(to: path) {
      Syscalls.close(other)
      throw Failure(
        description: "another corelocationd listens at \(path) already; stop it first, or name another socket with "
          + "--socket")
    }
    unlink(path)
    do throws(SystemError) {
      return try Syscalls.listen(at: path, mode: mode, tellsSenders: true)
    } catch {
      throw Failure(description: "\(path) cannot be listened at (\(error))")
    }
  }
}
