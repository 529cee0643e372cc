import LocationModel
import LocationRuntime

/// What the engine finds again of an app, as bytes of the store: a version, and the values as they cross the socket.
///
/// Version 1 holds the app's monitors; version 2 the number of its next event as well, version 3 the stay and
/// the place of which it was told.
enum StoredEngineState {
  private static let version: UInt8 = 3
  private static let eventVersion: UInt8 = 1

  /// Nil where there is nothing.
  static func bytes(of registrations: Registrations) -> [UInt8]? {
    let isEmpty =
      registrations.monitors.isEmpty && registrations.nextEventNumber <= 1 && registrations.stay == nil
      && registrations.lastChange == nil
    guard !isEmpty else { return nil }
    var writer = WireWriter()
    writer.putNumber(version)
    writer.put(registrations.monitors)
    writer.putNumber(registrations.nextEventNumber)
    writer.put(registrations.stay)
    writer.put(registrations.lastChange)
    return writer.bytes
  }

  /// What cannot be read is none: the app adds its conditions again.
  static func read(_ bytes: [UInt8]?, into registrations: inout Registrations) {
    guard let bytes else { return }
    var reader = WireReader(bytes[...])
    do throws(WireError) {
      let version: UInt8 = try reader.getNumber()
      guard (1...Self.version).contains(version) else { return }
      registrations.monitors = try reader.get()
      if version > 1 { registrations.nextEventNumber = try reader.getNumber() }
      guard version > 2 else { return }
      let stay = try reader.get(Visit?.self)
      if let stay, stay.coordinate.isValid, stay.radiusMeters.isFinite { registrations.stay = stay }
      let change = try reader.get(Fix?.self)
      if let change, change.coordinate.isValid { registrations.lastChange = change }
    } catch {
      // What was read before counts.
    }
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
