/// An open file that is closed when nobody holds it any more.
final class FileDescriptor: Sendable {
  let number: Int32
  private let isExclusiveTerminal: Bool
  private let closes: Bool

  /// - Parameter closes: false leaves the file open, since it is somebody else's.
  init(_ number: Int32, isExclusiveTerminal: Bool = false, closes: Bool = true) {
    self.number = number
    self.isExclusiveTerminal = isExclusiveTerminal
    self.closes = closes
  }

  /// Others may open it from now on, also where a thread that is about to end holds it still: a terminal stays
  /// exclusive as long as anybody has it open.
  func share() {
    if isExclusiveTerminal { Syscalls.setExclusive(number, false) }
  }

  deinit {
    share()
    if closes { Syscalls.close(number) }
  }
}
