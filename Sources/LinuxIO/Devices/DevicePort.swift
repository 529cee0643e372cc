import Glibc

/// Which character devices are ports: a receiver may be behind them, and two readers get half of its bytes each.
package enum DevicePort {
  /// Memory, as the kernel numbers devices: /dev/null, /dev/zero, /dev/random and the like.
  private static let memoryNumber: UInt32 = 1
  /// The ends of pseudo-terminals, which have no entry in /sys.
  private static let pseudoTerminalNumbers: ClosedRange<UInt32> = 136...143
  /// Serial ports of every kind, and receivers with a driver of their own.
  private static let classes: Set<String> = ["tty", "gnss"]

  /// True for a terminal and for `/dev/gnss0` and its like; false for what is there and is none. A device that the
  /// machine tells nothing about may be one.
  package static func isPort(_ path: String) -> Bool {
    guard let (major, minor) = Syscalls.deviceNumbers(of: path) else { return false }
    if pseudoTerminalNumbers.contains(major) { return true }
    if major == memoryNumber { return false }
    guard let folder = Syscalls.target(ofLink: "/sys/dev/char/\(major):\(minor)/subsystem") else { return true }
    return classes.contains(FolderWatch.split(folder).name)
  }
}
