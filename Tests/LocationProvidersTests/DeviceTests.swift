import Glibc
import LocationProviders
import Testing

@testable import LinuxIO

@Suite("Devices, ports and who has them")
struct DeviceTests {
  @Test("memory devices and files are no ports, the ends of pseudo-terminals are")
  func ports() throws {
    for path in ["/dev/null", "/dev/zero", "/dev/urandom", "/etc/passwd", "/none"] {
      #expect(!DevicePort.isPort(path), "\(path)")
      #expect(DeviceHolder.find(path: path) == nil, "\(path)")
    }
    var (master, slave): (Int32, Int32) = (-1, -1)
    var name = [CChar](repeating: 0, count: 128)
    try #require(openpty(&master, &slave, &name, nil, nil) == 0)
    defer { [master, slave].forEach { close($0) } }
    #expect(DevicePort.isPort(name.withUnsafeBufferPointer { $0.baseAddress.map { String(cString: $0) } ?? "" }))
  }

  @Test("a link leads to what it names, from its own folder on, there or not")
  func links() throws {
    let folder = try TemporaryFile("", name: "target")
    let directory = FolderWatch.split(folder.path).folder
    try #require(symlink("second", directory + "/first") == 0)
    try #require(symlink("/dev/none", directory + "/second") == 0)
    #expect(
      Syscalls.namesLeading(to: directory + "/first") == [
        directory + "/first", directory + "/second", "/dev/none",
      ])
    try #require(symlink("loop", directory + "/loop") == 0)
    #expect(Syscalls.namesLeading(to: directory + "/loop").count < 100)
    // A port that is not plugged in, by a link of the person's own.
    #expect(!LiveSource.isRecording(directory + "/first"))
    #expect(LiveSource.isDevice(directory + "/first"))
  }

  @Test("what is not there is a device in /dev, or by a name that devices get, and else a recording")
  func names() {
    for path in ["/dev/none", "/none/ttyV0", "/none/gps1", "/none/rfcomm0", "/none/gnss0"] {
      #expect(LiveSource.isDevice(path) && !LiveSource.isRecording(path), "\(path)")
    }
    for path in ["/none/walk.nmea", "/none/walk", "/none/gps.log", "/none/tty.txt"] {
      #expect(!LiveSource.isDevice(path) && LiveSource.isRecording(path), "\(path)")
    }
  }

  @Test("sockets of a port are read out of the kernel's tables, IPv4 and IPv6")
  func socketTables() {
    let table = """
        sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode ref pointer drops
       1234: 0100007F:277A 00000000:0000 07 00000000:00000000 00:00000000 00000000     0        0 4711 2 0 0
       1235: 00000000000000000000000000000000:277A 00000000000000000000000000000000:0000 07 0:0 00:0 0 0 0 4712 2 0 0
       1236: 00000000:0035 00000000:277A 07 00000000:00000000 00:00000000 00000000     0        0 4713 2 0 0
      """
    #expect(DeviceHolder.socketNumbers(in: table, port: 10_106) == ["4711", "4712"])
    #expect(DeviceHolder.socketNumbers(in: table, port: 53) == ["4713"])
    #expect(DeviceHolder.socketNumbers(in: "nonsense\n", port: 53) == [])
  }

  @Test("a flood of datagrams is read up to so much a second, and no receiver comes near that")
  func allowance() {
    let second: Int64 = 1_000_000_000
    var allowance = DatagramAllowance()
    // Ten sentences of 82 bytes, ten times a second, for a minute.
    for count in 0..<6_000 {
      #expect(allowance.restMilliseconds(afterReading: 82, atNanoseconds: Int64(count) * second / 100) == 0)
    }
    var flood = DatagramAllowance()
    var byteCount = 0
    var rest: Int32 = 0
    while rest == 0 {
      byteCount += 1
      rest = flood.restMilliseconds(afterReading: 1, atNanoseconds: second / 4)
    }
    #expect(byteCount <= DatagramAllowance.bytesPerSecond / DatagramAllowance.bytesPerDatagram + 1)
    #expect((1_000...1_001).contains(rest))
    #expect(flood.restMilliseconds(afterReading: 1, atNanoseconds: second / 4 + second) == 0)
  }

  @Test("a folder that may not be entered is told from a file that is not there", .enabled(if: geteuid() != 0))
  func closedFolder() throws {
    let file = try TemporaryFile("x", name: "file")
    let folder = FolderWatch.split(file.path).folder
    #expect(FileAccess.closedFolder(onWayTo: file.path) == nil)
    try #require(chmod(folder, 0) == 0)
    defer { chmod(folder, 0o700) }
    #expect(FileAccess.closedFolder(onWayTo: file.path) == folder)
  }
}
