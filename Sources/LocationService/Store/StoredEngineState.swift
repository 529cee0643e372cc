import LocationModel
import LocationRuntime

/// What the engine finds again of an app, as bytes of the store: a version, and the values as they cross the socket.
///
/// Version 1 holds the app's monitors; version 2 the number of its next event as well.
enum StoredEngineState {
  private static let version: UInt8 = 2
  private static let eventVersion: UInt8 = 1

  /// Nil where there is nothing.
  static func bytes(of registrations: Registrations) -> [UInt8]? {
    guard !registrations.monitors.isEmpty || registrations.nextEventNumber > 1 else { return nil }
    var writer = WireWriter()
    writer.putNumber(version)
    writer.put(registrations.monitors)
    writer.putNumber(registrations.nextEventNumber)
    return writer.bytes
  }

  /// What cannot be read is none: the app adds its conditions again.
  static func read(_ bytes: [UInt8]?, into registrations: inout Registrations) {
    guard let bytes else { return }
    var reader = WireReader(bytes[...])
    guard let version = try? reader.getNumber(UInt8.self), (1...Self.version).contains(version),
      let monitors = try? reader.get([StoredMonitor].self)
    else { return }
    registrations.monitors = monitors
    if version > 1, let number = try? reader.getNumber(UInt64.self) { registrations.nextEventNumber = number }
  }

  static func bytes(of event: KeptEvent) -> [UInt8] {
    var writer = WireWriter()
    writer.putNumber(eventVersion)
    writer.put(event)
    return writer.bytes
  }

  /// Nil for what cannot be read.
  static func event(_ bytes: [UInt8]) -> KeptEvent? {
    var reader = WireReader(bytes[...])
    guard (try? reader.getNumber(UInt8.self)) == eventVersion else { return nil }
    return try? reader.get(KeptEvent.self)
  }
}
