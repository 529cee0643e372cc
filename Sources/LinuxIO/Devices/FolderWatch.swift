import Dispatch

/// Tells when files with certain names come to a folder, go, or change their rights, and when the folder itself goes;
/// then nothing more comes.
///
/// Belongs to its serial queue, on which the changes are told. Costs nothing while nothing happens.
package final class FolderWatch: @unchecked Sendable {
  private let descriptor: FileDescriptor
  private let source: any DispatchSourceRead

  /// - Parameters:
  ///   - hearsWrites: what is written to a file counts, too.
  ///   - changed: is told that something has happened to a file whose name `matches`.
  package init(
    folder: String, queue: DispatchQueue, hearsWrites: Bool = false, matches: @escaping (String) -> Bool,
    changed: @escaping () -> Void
  ) throws(SystemError) {
    let descriptor = FileDescriptor(try Syscalls.makeWatch(of: folder, hearsWrites: hearsWrites))
    self.descriptor = descriptor
    let source = DispatchSource.makeReadSource(fileDescriptor: descriptor.number, queue: queue)
    self.source = source
    source.setEventHandler {
      let changes = Self.readChanges(descriptor)
      // Nothing comes any more; what cannot be read would ring for ever.
      if changes.isOver { source.cancel() }
      if changes.isOver || changes.names.contains(where: matches) { changed() }
    }
    source.setCancelHandler { withExtendedLifetime(descriptor) {} }
    source.activate()
  }

  deinit {
    source.cancel()
  }

  /// The folder of a path, and the name in it.
  package static func split(_ path: String) -> (folder: String, name: String) {
    guard let slash = path.lastIndex(of: "/") else { return (".", path) }
    let folder = slash == path.startIndex ? "/" : String(path[..<slash])
    return (folder, String(path[path.index(after: slash)...]))
  }

  /// The names of one read, and whether the watch is over. A record is 16 bytes, the second four what happened, the
  /// last four the length of the name after them, which ends with zero bytes (inotify(7)).
  private static func readChanges(_ descriptor: FileDescriptor) -> (names: [String], isOver: Bool) {
    var names: [String] = []
    var isOver = false
    withUnsafeTemporaryAllocation(byteCount: 4096, alignment: 8) { buffer in
      let count: Int
      do throws(SystemError) {
        guard let available = try Syscalls.readAvailable(descriptor.number, into: buffer) else { return }
        count = available
      } catch {
        isOver = true
        return
      }
      var position = 0
      while position + 16 <= count {
        let mask = buffer.loadUnaligned(fromByteOffset: position + 4, as: UInt32.self)
        let length = Int(buffer.loadUnaligned(fromByteOffset: position + 12, as: UInt32.self))
        let end = position + 16 + length
        guard end <= count else { return }
        if mask & Syscalls.watchIsOver != 0 { isOver = true }
        let name = buffer[(position + 16)..<end].prefix { $0 != 0 }
        if !name.isEmpty { names.append(String(decoding: name, as: UTF8.self)) }
        position = end
      }
    }
    return (names, isOver)
  }
}
