/// A program that has a device, or a port of the network, open.
package struct DeviceHolder: Hashable, Sendable, CustomStringConvertible {
  package var processIdentifier: Int32
  package var name: String

  package init(processIdentifier: Int32, name: String) {
    self.processIdentifier = processIdentifier
    self.name = name
  }

  package var description: String { "\(name) (process \(processIdentifier))" }

  /// Looks through the open files of all processes but this one; sees those of other users only as root. Two readers
  /// of a serial port get half of its bytes each, so that a port that somebody has is not opened. What is no port, such
  /// as /dev/null, is open in many programs and held by none.
  package static func find(path: String) -> DeviceHolder? {
    guard DevicePort.isPort(path), let device = Syscalls.resolvedPath(path) else { return nil }
    return find(besides: Syscalls.processIdentifier) { $0 == device }
  }

  /// Who receives the datagrams that come to a port of this machine, on IPv4 or IPv6; this process, too.
  package static func find(datagramPort port: UInt16) -> DeviceHolder? {
    let tables = ["/proc/net/udp", "/proc/net/udp6"].compactMap { try? SmallFile(path: $0).bytes }
    let sockets = Set(tables.flatMap { socketNumbers(in: String(decoding: $0, as: UTF8.self), port: port) })
    guard !sockets.isEmpty else { return nil }
    return find { target in
      guard target.hasPrefix("socket:["), target.hasSuffix("]") else { return false }
      return sockets.contains(String(target.dropFirst("socket:[".count).dropLast()))
    }
  }

  private static func find(besides own: Int32? = nil, _ isIt: (String) -> Bool) -> DeviceHolder? {
    for name in Syscalls.names(in: "/proc") {
      guard let process = Int32(name), process != own else { continue }
      let folder = "/proc/\(name)/fd"
      let holds = Syscalls.names(in: folder).contains { file in
        Syscalls.target(ofLink: "\(folder)/\(file)").map(isIt) ?? false
      }
      if holds { return DeviceHolder(processIdentifier: process, name: programName(process)) }
    }
    return nil
  }

  /// The sockets of a table that are bound to a port. A line has the local address in the second field, with the port
  /// in hexadecimal digits behind the last colon, and the socket's number in the tenth (proc_net(5)).
  static func socketNumbers(in table: String, port: UInt16) -> [String] {
    table.split(separator: "\n").compactMap { line in
      let fields = line.split(separator: " ")
      guard fields.count > 9, let digits = fields[1].split(separator: ":").last, fields[1].contains(":"),
        UInt16(digits, radix: 16) == port
      else { return nil }
      return String(fields[9])
    }
  }

  static func programName(_ process: Int32) -> String {
    guard let file = try? InputFile(path: "/proc/\(process)/comm") else { return "a program" }
    var bytes = [UInt8](repeating: 0, count: 64)
    let count = bytes.withUnsafeMutableBytes { (try? file.read(into: $0)) ?? 0 }
    let name = String(decoding: bytes[..<count], as: UTF8.self).split(separator: "\n").first.map(String.init)
    return name ?? "a program"
  }
}
