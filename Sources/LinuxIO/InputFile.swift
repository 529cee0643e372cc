/// A file, named pipe, device or standard input, open for reading; closed with the object's end.
package final class InputFile {
  private let descriptor: Int32
  private let ownsDescriptor: Bool

  /// `-` is standard input.
  package init(path: String) throws(SystemError) {
    ownsDescriptor = path != "-"
    descriptor = ownsDescriptor ? try Syscalls.openForReading(path) : 0
  }

  /// Reads from a descriptor that stays the caller's.
  package init(descriptor: Int32) {
    self.descriptor = descriptor
    ownsDescriptor = false
  }

  deinit {
    if ownsDescriptor { Syscalls.close(descriptor) }
  }

  /// Whether a path names a plain file, whose reading never waits for a writer.
  package static func isRegular(path: String) -> Bool {
    Syscalls.isRegularFile(path)
  }

  package func isDirectory() throws(SystemError) -> Bool {
    try Syscalls.isDirectory(descriptor)
  }

  /// Whether reading would not wait: bytes have come, or the end has. Waits so long for them; a plain file never does.
  package func hasInput(withinMilliseconds milliseconds: Int32) -> Bool {
    Syscalls.hasInput(descriptor, withinMilliseconds: milliseconds)
  }

  /// Waits until bytes come, and gives how many; 0 is the end.
  package func read(into buffer: UnsafeMutableRawBufferPointer) throws(SystemError) -> Int {
    try Syscalls.read(descriptor, into: buffer)
  }
}
