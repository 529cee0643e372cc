/// Watches conditions by name.
///
/// Conditions and what the app knows of them are stored with the app, under the monitor's name: opened again, the
/// monitor goes on where it was (behaviour 9.30, 9.35). Circles and beacons are watched, up to 20 an app; beacons
/// without a Bluetooth adapter and conditions of other types give one event whose state is `unmonitored` and whose
/// `conditionUnsupported` is true. An event comes only where the state differs from the record's, and the record
/// changes when the reader of `events` asks for the next one (behaviour 9.33, 9.34). Iterating `events` asks for While
/// Using where nothing is decided (9.22).
///
/// Adding under an identifier in use replaces the condition (behaviour 9.31); removing an unknown one does nothing.
public actor CLMonitor {
  /// The events of all conditions, until the iteration is cancelled. A monitor has one consumer: of several, each gets
  /// some of the events.
  public final let events: CLMonitor.Events

  private let records: MonitorRecords

  /// Opens the monitor of this name: letters, digits, and underscores inside. A name is open in one place at a time. Of
  /// a monitor that is open already, or whose name is none, nothing is kept, and each condition gives one event whose
  /// state is `unmonitored` and whose `persistenceUnavailable` is true.
  public init(_ name: String) async {
    records = await MonitorRecords(name: name)
    events = Events(records: records)
  }

  /// What is watched, in the order in which it was added.
  public var identifiers: [String] { records.identifiers }

  /// Watches a condition of which nothing is known (behaviour 9.32).
  public func add(_ Condition: any CLCondition, identifier: String) {
    records.add(Condition, identifier: identifier, assuming: .unknown)
  }

  /// Watches a condition that is taken to be in `state` until an event says otherwise (behaviour 9.32).
  public func add(
    _ condition: any CLCondition, identifier: String, assuming state: CLMonitor.Event.State
  ) {
    records.add(condition, identifier: identifier, assuming: state)
  }

  /// Stops watching; an event that nobody has taken yet goes too.
  public func remove(_ identifier: String) {
    records.remove(identifier)
  }

  /// The condition and the last event that was handled: while an event is being handled this still is the one before
  /// (behaviour 9.34). Nil where the identifier is not watched.
  public func record(for identifier: String) -> CLMonitor.Record? {
    records.record(for: identifier)
  }
}

extension CLMonitor {
  /// A condition and what was last known of it.
  public struct Record: Sendable {
    public let condition: any CLCondition
    public let lastEvent: CLMonitor.Event

    init(condition: any CLCondition, lastEvent: CLMonitor.Event) {
      self.condition = condition
      self.lastEvent = lastEvent
    }
  }
}
