import CSystemd
import Dispatch
import Glibc

/// What wakes a bus connection: its socket, in both directions, and the earliest of its time limits. Owns the bus
/// object's end: the socket is closed once the kernel no longer watches it.
final class BusSources {
  // Used on the connection's queue only.
  private let reading: any DispatchSourceRead
  private let writing: any DispatchSourceWrite
  private let timer: any DispatchSourceTimer
  private var waitsForRoom = false

  init(descriptor: Int32, queue: DispatchQueue, bus: OpaquePointer, woken: @escaping () -> Void) {
    reading = DispatchSource.makeReadSource(fileDescriptor: descriptor, queue: queue)
    writing = DispatchSource.makeWriteSource(fileDescriptor: descriptor, queue: queue)
    timer = DispatchSource.makeTimerSource(queue: queue)
    let remaining = BusEnd(bus: bus, watcherCount: 2)
    reading.setEventHandler(handler: woken)
    writing.setEventHandler(handler: woken)
    timer.setEventHandler(handler: woken)
    reading.setCancelHandler { remaining.watcherEnded() }
    writing.setCancelHandler { remaining.watcherEnded() }
    reading.activate()
    timer.activate()
    // The write source stays inactive until there is something to write.
  }

  /// - Parameter dueMicroseconds: on the monotonic clock; 0 is at once, `UInt64.max` never.
  func wait(forRoom: Bool, dueMicroseconds: UInt64) {
    if forRoom != waitsForRoom {
      waitsForRoom = forRoom
      if forRoom { writing.resume() } else { writing.suspend() }
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
    // A source that is suspended would never tell that its cancellation is done.
    if !waitsForRoom { writing.resume() }
    waitsForRoom = true
    reading.cancel()
    writing.cancel()
    timer.cancel()
  }
}

/// Closes the bus object when the last watcher of its socket is gone.
private final class BusEnd: @unchecked Sendable {
  private let bus: OpaquePointer
  private var watcherCount: Int

  init(bus: OpaquePointer, watcherCount: Int) {
    self.bus = bus
    self.watcherCount = watcherCount
  }

  /// On the connection's queue.
  func watcherEnded() {
    watcherCount -= 1
    if watcherCount == 0 { sd_bus_close_unref(bus) }
  }
}
