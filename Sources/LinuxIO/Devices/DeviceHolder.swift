/// Another program that has a device open.
package struct DeviceHolder: Hashable, Sendable, CustomStringConvertible {
  package var processIdentifier: Int32
  package var name: String

  package init(processIdentifier: Int32, name: String) {
    self.processIdentifier = processIdentifier
    self.name = name
  }

  package var description: String { "\(name) (process \(processIdentifier))" }

  /// Looks through the open files of all processes but this one; sees those of other users only as root. Two readers
  /// of a serial port get half of its bytes each, so that a port that somebody has is not opened.
  package static func find(path: String) -> DeviceHolder? {
    guard Syscalls.kind(of: path) == .characterDevice, let device = Syscalls.resolvedPath(path) else { return nil }
    let own = Syscalls.processIdentifier
    for name in Syscalls.names(in: "/proc") {
      guard let process = Int32(name), process != own else { continue }
      let folder = "/proc/\(name)/fd"
      let holds = Syscalls.names(in: folder).contains { Syscalls.target(ofLink: "\(folder)/\($0)") == device }
      if holds { return DeviceHolder(processIdentifier: process, name: programName(process)) }
    }
    return nil
  }

  static func programName(_ process: Int32) -> String {
    guard let file = try? InputFile(path: "/proc/\(process)/comm") else { return "a program" }
    var bytes = [UInt8](repeating: 0, count: 64)
    let count = bytes.withUnsafeMutableBytes { (try? file.read(into: $0)) ?? 0 }
    let name = String(decoding: bytes[..<count], as: UTF8.self).split(separator: "\n").first.map(String.init)
    return name ?? "a program"
  }
}
