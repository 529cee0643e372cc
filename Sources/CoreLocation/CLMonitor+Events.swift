extension CLMonitor {
  public struct Events: AsyncSequence, Sendable {
    public typealias Element = CLMonitor.Event
    public typealias Failure = any Error
    public typealias AsyncIterator = CLMonitor.Events.Iterator

    private let records: MonitorRecords

    init(records: MonitorRecords) {
      self.records = records
    }

    public struct Iterator: AsyncIteratorProtocol {
      public typealias Element = CLMonitor.Events.Element
      public typealias Failure = any Error

      private let records: MonitorRecords
      private let reading: MonitorReading
      private var inHand: MonitorRecords.PendingEvent?

      init(records: MonitorRecords) {
        self.records = records
        reading = MonitorReading(records)
      }

      /// Asking for the next event says that the one before has been handled (behaviour 9.34). Nil once the task is
      /// cancelled.
      public mutating func next() async throws -> CLMonitor.Events.Element? {
        try await next(isolation: nil)
      }

      /// What `for await` calls: the same, without leaving the caller's actor.
      public mutating func next(isolation actor: isolated (any Actor)?) async throws -> CLMonitor.Events.Element? {
        if let inHand { records.settle(inHand) }
        inHand = await records.nextEvent(isolation: actor)
        reading.hasEvent(inHand != nil)
        return inHand.map { CLMonitor.Event($0.event) }
      }
    }

    public func makeAsyncIterator() -> CLMonitor.Events.Iterator {
      Iterator(records: records)
    }
  }
}

@available(*, unavailable)
extension CLMonitor.Events.Iterator: Sendable {}
