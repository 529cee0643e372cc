/// An open file that is closed when nobody holds it any more.
final class FileDescriptor: Sendable {
  let number: Int32
  private let isExclusiveTerminal: Bool

  init(_ number: Int32, isExclusiveTerminal: Bool = false) {
    self.number = number
    self.isExclusiveTerminal = isExclusiveTerminal
  }

  deinit {
    // A terminal stays exclusive as long as anybody has it open.
    if isExclusiveTerminal { Syscalls.setExclusive(number, false) }
    Syscalls.close(number)
  }
}
