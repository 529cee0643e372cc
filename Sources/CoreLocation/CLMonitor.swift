/// Watches conditions by name.
///
/// The service behind it does not exist on Linux yet. It answers as on a device that cannot watch conditions: each
/// condition that is added is kept, and gives one event whose state is `unmonitored` and whose `conditionUnsupported`
/// is true. Nothing is kept beyond the monitor's life.
///
/// Adding under an identifier in use replaces the condition (behaviour 9.31); removing an unknown one does nothing.
public actor CLMonitor {
  /// The events of all conditions, until the iteration is cancelled. A monitor has one consumer: of several, each gets
  /// some of the events.
  public final let events: CLMonitor.Events

  private let records = MonitorRecords()

  /// Opens the monitor of this name. Nothing can go wrong, since nothing is stored yet.
  public init(_ name: String) async {
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
