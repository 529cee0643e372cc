import LinuxIO
import LocationFormats

/// Asks this machine's gpsd which receivers it has, without switching any on (gpsd_json(5), ?DEVICES).
enum GPSDInventory {
  /// A gpsd of this machine answers within milliseconds; who asks waits for it.
  private static let millisecondsMax = 500

  static func hasReceiver(port: UInt16 = LiveSource.gpsdPort) -> Bool {
    guard
      let answer = try? Syscalls.ask(
        "127.0.0.1", port: port, "?DEVICES;\n", millisecondsMax: millisecondsMax,
        isComplete: { Self.devices(in: $0) != nil })
    else { return false }
    return devices(in: answer)?.isEmpty == false
  }

  /// Nil where the answer has not come.
  private static func devices(in bytes: [UInt8]) -> [GPSDDevice]? {
    var decoder = GPSDDecoder()
    var found: [GPSDDevice]?
    bytes.withUnsafeBytes { buffer in
      decoder.decode(buffer) { report in
        if case .devices(let devices) = report { found = devices }
      }
    }
    return found
  }
}
