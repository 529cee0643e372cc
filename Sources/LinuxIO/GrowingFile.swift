/// A file that grows piece by piece and always has its end: what is appended takes the place of the end and brings it
/// along, in one write. A process that is killed leaves a whole file. For its owner's eyes only.
///
/// Belongs to one thread at a time.
package final class GrowingFile {
  private let file: Int32
  private let path: String
  private let end: [UInt8]
  private var length: Int64

  /// Makes the file; one that is there already, or a link, is an error.
  package init(path: String, beginning: [UInt8], end: [UInt8]) throws(SystemError) {
    file = try Syscalls.makeNewFile(path)
    self.path = path
    self.end = end
    length = 0
    try append(beginning)
  }

  deinit {
    Syscalls.close(file)
  }

  /// After a failure the file may lack its end.
  package func append(_ piece: [UInt8]) throws(SystemError) {
    try Syscalls.write(piece + end, to: file, at: length)
    length += Int64(piece.count)
  }

  /// Takes the file away, as if it had never been made.
  package func remove() {
    Syscalls.removeFile(path)
  }
}
