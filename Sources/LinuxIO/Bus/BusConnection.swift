import CSystemd
import Dispatch
import Glibc

/// One connection to a message bus, driven by Dispatch on one serial queue; no thread ever waits for it.
///
/// Every function is called on that queue, and every answer and signal is given on it. libsystemd's synchronous calls
/// are not used: what would wait is sent, and its answer comes later.
package final class BusConnection: @unchecked Sendable {
  package let queue: DispatchQueue
  /// Libsystemd's own object, used on the queue only.
  package let bus: OpaquePointer
  private let closed: (BusError) -> Void
  private var sources: BusSources?
  private var calls: Set<PendingCall> = []
  private var subscriptions: Set<BusSubscription> = []
  package private(set) var isClosed = false

  /// Begins to connect; who is there is known when the first answer comes.
  ///
  /// - Parameters:
  ///   - address: as in `DBUS_SYSTEM_BUS_ADDRESS`.
  ///   - closed: is called once, if the connection ends and nobody closed it.
  package init(
    address: String, queue: DispatchQueue, closed: @escaping (BusError) -> Void
  ) throws(BusError) {
    var made: OpaquePointer?
    let result = sd_bus_new(&made)
    guard result >= 0, let made else { throw BusError("sd_bus_new", result: result) }
    bus = made
    self.queue = queue
    self.closed = closed
    do throws(BusError) {
      try Self.check(sd_bus_set_address(made, address), "bus address \(address)")
      try Self.check(sd_bus_set_bus_client(made, 1), "sd_bus_set_bus_client")
      try Self.check(sd_bus_start(made), "connecting to \(address)")
      sources = try makeSources()
    } catch {
      sd_bus_close_unref(made)
      throw error
    }
    // Later, so that `closed` is never called before the caller has this connection.
    queue.async { [weak self] in self?.progress() }
  }

  private func makeSources() throws(BusError) -> BusSources {
    do throws(SystemError) {
      return try BusSources(descriptor: sd_bus_get_fd(bus), queue: queue, bus: bus) { [weak self] in self?.progress() }
    } catch {
      throw BusError("waiting for the bus", result: -error.number)
    }
  }

  deinit {
    // Nobody holds the connection any more, so that nobody is on the queue with it.
    if sources != nil { close() }
  }

  /// Ends the connection; what waits for an answer hears nothing any more.
  package func close() {
    guard !isClosed else { return }
    isClosed = true
    for call in calls { call.cancel() }
    for subscription in subscriptions { subscription.cancel() }
    calls = []
    subscriptions = []
    sources?.cancel()
    sources = nil
  }

  // MARK: Calling

  /// Calls a method. `answer` comes once, at the latest when the time is up, except after `close`.
  package func call(
    _ call: BusCall, timeoutSeconds: Double, answer: @escaping (Result<BusReply, BusError>) -> Void
  ) {
    dispatchPrecondition(condition: .onQueue(queue))
    guard !isClosed else { return }
    let pending = PendingCall(answer)
    do throws(BusError) {
      let message = try makeMessage(call)
      defer { sd_bus_message_unref(message) }
      let userdata = Unmanaged.passUnretained(pending).toOpaque()
      let microseconds = UInt64(min(max(timeoutSeconds, 0.001), 3_600) * 1e6)
      let result = sd_bus_call_async(
        bus, &pending.slot, message,
        { message, userdata, _ in
          if let userdata { PendingCall.answered(userdata, message) }
          return 1
        }, userdata, microseconds)
      try Self.check(result, "calling \(call.member)")
      pending.finished = { [weak self, unowned pending] in self?.calls.remove(pending) }
      calls.insert(pending)
      prepare()
    } catch {
      // Told later like every answer, so that nobody is called back before this function returns.
      queue.async { [weak self] in
        if let self, !self.isClosed { pending.fail(error) }
      }
    }
  }

  private func makeMessage(_ call: BusCall) throws(BusError) -> OpaquePointer {
    var message: OpaquePointer?
    let result = sd_bus_message_new_method_call(
      bus, &message, call.destination, call.path, call.interface, call.member)
    guard result >= 0, let message else { throw BusError("calling \(call.member)", result: result) }
    do {
      try BusMessageValues.append(call.arguments, to: message)
    } catch {
      sd_bus_message_unref(message)
      throw error
    }
    return message
  }

  // MARK: Listening

  /// Hears a signal until the subscription is cancelled or the connection closed. Nil matches anything.
  package func listen(
    to signal: BusSignal, _ heard: @escaping (BusEvent) -> Void
  ) throws(BusError) -> BusSubscription {
    dispatchPrecondition(condition: .onQueue(queue))
    let rule = try signal.rule()
    let subscription = BusSubscription(heard)
    let result = sd_bus_add_match_async(
      bus, &subscription.slot, rule,
      { message, userdata, _ in
        if let userdata { BusSubscription.heard(userdata, message) }
        return 0
      },
      // A bus that refuses the rule just sends nothing; libsystemd would end the connection.
      { _, _, _ in 0 }, Unmanaged.passUnretained(subscription).toOpaque())
    try Self.check(result, "listening to \(signal.member)")
    subscription.ended = { [weak self, unowned subscription] in self?.subscriptions.remove(subscription) }
    subscriptions.insert(subscription)
    prepare()
    return subscription
  }

  // MARK: Driving

  /// Takes everything that has come, and tells the kernel what to wake this connection for.
  package func progress() {
    while !isClosed {
      let result = sd_bus_process(bus, nil)
      if result < 0 { return end(BusError("bus", result: result)) }
      if result == 0 { break }
    }
    prepare()
  }

  private func prepare() {
    guard !isClosed else { return }
    let events = sd_bus_get_events(bus)
    guard events >= 0 else { return end(BusError("bus", result: events)) }
    var dueMicroseconds = UInt64.max
    sd_bus_get_timeout(bus, &dueMicroseconds)
    sources?.wait(forRoom: events & POLLOUT != 0, dueMicroseconds: dueMicroseconds)
  }

  private func end(_ error: BusError) {
    guard !isClosed else { return }
    close()
    closed(error)
  }

  package static func check(_ result: Int32, _ operation: String) throws(BusError) {
    guard result >= 0 else { throw BusError(operation, result: result) }
  }
}
