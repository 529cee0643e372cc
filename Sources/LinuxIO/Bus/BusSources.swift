import CSystemd
import Dispatch
import Glibc

/// What wakes a bus connection: its socket, in both directions, and the earliest of its time limits. Owns the bus
/// object's end: it is closed once nothing waits for its socket and nobody is inside it any more.
final class BusSources {
  // Used on the connection's queue only.
  private let socket: EventPoll.Watch
  private let timer: any DispatchSourceTimer
  private let queue: DispatchQueue
  private let end: BusEnd
  private var waitsForRoom = false

  init(
    descriptor: Int32, queue: DispatchQueue, bus: OpaquePointer, woken: @escaping @Sendable () -> Void
  ) throws(SystemError) {
    socket = try EventPoll(queue: queue).watch(descriptor) { _, _ in woken() }
    timer = DispatchSource.makeTimerSource(queue: queue)
    self.queue = queue
    end = BusEnd(bus: bus)
    timer.setEventHandler(handler: woken)
    timer.activate()
  }

  /// - Parameter dueMicroseconds: on the monotonic clock; 0 is at once, `UInt64.max` never.
  func wait(forRoom: Bool, dueMicroseconds: UInt64) {
    if forRoom != waitsForRoom {
      waitsForRoom = forRoom
      socket.wait(forInput: true, forRoom: forRoom)
    }
    guard dueMicroseconds != .max else {
      timer.schedule(deadline: .distantFuture)
      return
    }
    // Dispatch's uptime is the monotonic clock as well.
    let nanoseconds = dueMicroseconds.multipliedReportingOverflow(by: 1_000)
    timer.schedule(
      deadline: nanoseconds.overflow
        ? .distantFuture : DispatchTime(uptimeNanoseconds: max(1, nanoseconds.partialValue)))
  }

  func cancel() {
    socket.cancel()
    timer.cancel()
    queue.async { [end] in end.close() }
  }
}

private final class BusEnd: @unchecked Sendable {
  private let bus: OpaquePointer

  init(bus: OpaquePointer) {
    self.bus = bus
  }

  /// On the connection's queue.
  func close() {
    sd_bus_close_unref(bus)
  }
}
