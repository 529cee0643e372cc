import CLinux
import Dispatch
import Glibc

/// Waits for many files and tells on a queue which are ready (epoll(7)).
///
/// In place of a source of Dispatch's for each file: one whose file hangs up while it is cancelled, as every socket
/// does whose other side goes at that moment, is now and then released twice by libdispatch, which ends the program.
/// One source waits for the poll itself, which never hangs up.
package final class EventPoll: @unchecked Sendable {
  package typealias Ready = @Sendable (_ canBeRead: Bool, _ canBeWritten: Bool) -> Void

  /// Then others of the queue have their turn.
  private static let filesInARowMax = 64

  private struct State {
    var watches: [UInt64: Watch] = [:]
    var nextNumber: UInt64 = 1
  }

  private let descriptor: FileDescriptor
  private let source: any DispatchSourceRead
  private let state = Locked(State())

  /// - Parameter queue: serial; everything is told on it.
  package init(queue: DispatchQueue) throws(SystemError) {
    let number = linux_make_poll()
    guard number >= 0 else { throw SystemError(call: "epoll_create1") }
    let descriptor = FileDescriptor(number)
    self.descriptor = descriptor
    source = DispatchSource.makeReadSource(fileDescriptor: number, queue: queue)
    source.setEventHandler { [weak self] in self?.tellReady() }
    source.setCancelHandler { withExtendedLifetime(descriptor) {} }
    source.activate()
  }

  deinit { source.cancel() }

  /// Waits for input, until the watch is cancelled.
  ///
  /// - Parameters:
  ///   - file: stays open until then.
  ///   - ready: is called on the queue, as long as there is input or the file has hung up.
  package func watch(_ file: Int32, ready: @escaping Ready) throws(SystemError) -> Watch {
    let watch = state.withLock { state -> Watch in
      defer { state.nextNumber += 1 }
      let watch = Watch(self, file: file, number: state.nextNumber, ready: ready)
      state.watches[state.nextNumber] = watch
      return watch
    }
    guard linux_poll_set(descriptor.number, file, watch.number, true, true, false) else {
      forget(watch.number)
      throw SystemError(call: "epoll_ctl")
    }
    return watch
  }

  private func tellReady() {
    withUnsafeTemporaryAllocation(of: linux_ready_file.self, capacity: Self.filesInARowMax) { files in
      let count = linux_poll_take(descriptor.number, files.baseAddress, Int32(files.count))
      for file in files.prefix(Int(max(0, count))) {
        // One before it may have had it cancelled.
        let watch = state.withLock { $0.watches[file.number] }
        watch?.ready(file.can_be_read, file.can_be_written)
      }
    }
  }

  fileprivate func forget(_ number: UInt64) {
    state.withLock { _ = $0.watches.removeValue(forKey: number) }
  }

  /// One file that is waited for. From any thread, by one at a time.
  package final class Watch: @unchecked Sendable {
    private let poll: EventPoll
    private let file: Int32
    fileprivate let number: UInt64
    fileprivate let ready: Ready

    fileprivate init(_ poll: EventPoll, file: Int32, number: UInt64, ready: @escaping Ready) {
      self.poll = poll
      self.file = file
      self.number = number
      self.ready = ready
    }

    /// What is waited for from now on; where it is nothing, that the file hung up is told once.
    package func wait(forInput: Bool, forRoom: Bool) {
      _ = linux_poll_set(poll.descriptor.number, file, number, false, forInput, forRoom)
    }

    /// Nothing is told any more, at once where this is the queue; the file may be closed. Has to come, once.
    package func cancel() {
      linux_poll_remove(poll.descriptor.number, file)
      poll.forget(number)
    }
  }
}
