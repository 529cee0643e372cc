import LocationModel
import LocationRuntime

/// An app's monitors as bytes of the store: a version and the values as they cross the socket.
enum StoredMonitors {
  private static let version: UInt8 = 2

  /// Nil where there are none.
  static func bytes(of monitors: [StoredMonitor]) -> [UInt8]? {
    guard !monitors.isEmpty else { return nil }
    var writer = WireWriter()
    writer.putNumber(version)
    writer.put(monitors)
    return writer.bytes
  }

  /// What cannot be read is none: the app adds its conditions again.
  static func monitors(_ bytes: [UInt8]?) -> [StoredMonitor] {
    guard let bytes else { return [] }
    var reader = WireReader(bytes[...])
    guard (try? reader.getNumber(UInt8.self)) == version, let monitors = try? reader.get([StoredMonitor].self) else {
      return []
    }
    return monitors
  }
}
