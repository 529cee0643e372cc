import CLinux
import CoreFoundation
import Dispatch
import Glibc
import LinuxIO
import LocationEngine

/// The events of one manager on their way to the thread that made it.
///
/// Two bells ring for it: a run-loop source of that thread, and, for the main thread or main queue, the main queue
/// too, since an `async` main and main-actor code run no run loop. Whichever wakes first empties the box, one event at
/// a time: a run loop nested in a callback goes on where the callback stands, and a delegate may call straight back in.
///
/// A thread that does not empty its box does not make it grow: locations that wait are joined into one array, the
/// newest `waitingFixesMax` of them (behaviour 2.7), and of other events `waitingEventsMax` are kept.
final class Mailbox: @unchecked Sendable {
  static let waitingFixesMax = 1_000
  static let waitingEventsMax = 256
  /// How long events are delivered in one go before the thread's other business gets its turn: timers, input, and
  /// whatever would stop the events.
  private static let nanosecondsInARowMax: UInt64 = 5_000_000

  private struct Entry {
    var event: ManagerEvent
    /// How many events of the service this entry stands for.
    var count: Int
  }

  private struct State {
    var entries: [Entry] = []
    var first = 0
    var hasRung = false
    /// The emptying thread is about to look again, so that nobody needs to ring.
    var willLookAgain = false
    var isClosed = false
    var dropped = 0

    var isEmpty: Bool { first == entries.count }

    /// What was taken does not stay, also where the box is never quite empty.
    mutating func forgetTaken() {
      guard isEmpty || first >= 64 else { return }
      entries.removeSubrange(..<first)
      first = 0
    }
  }

  private let state = Locked(State())
  private let runLoop: CFRunLoop
  private let usesMainQueue: Bool
  private let deliver: (ManagerEvent) -> Void
  private let delivered: (Int) -> Void
  private var source: CFRunLoopSource?
  /// For the main queue; made once, since it is given for every event.
  private var emptying = DispatchWorkItem {}

  /// Belongs to the calling thread; nil on a thread that can get nothing (`ManagerThread`).
  ///
  /// - Parameters:
  ///   - deliver: gets one event at a time, on the thread of the box.
  ///   - delivered: hears how many events of the service were handed on or dropped.
  init?(deliver: @escaping (ManagerEvent) -> Void, delivered: @escaping (Int) -> Void) {
    let thread = ManagerThread.current
    guard thread != .withoutRunLoop, let runLoop = CFRunLoopGetCurrent() else { return nil }
    self.runLoop = runLoop
    usesMainQueue = thread == .main
    self.deliver = deliver
    self.delivered = delivered
    emptying = DispatchWorkItem { [weak self] in self?.empty() }
    addSource()
  }

  /// The source holds the box until it is closed, so that a ring under way never meets a dead one.
  private func addSource() {
    var context = CFRunLoopSourceContext()
    context.info = Unmanaged.passUnretained(self).toOpaque()
    context.retain = { info in
      guard let info else { return nil }
      return UnsafeRawPointer(Unmanaged<Mailbox>.fromOpaque(info).retain().toOpaque())
    }
    context.release = { info in
      if let info { Unmanaged<Mailbox>.fromOpaque(info).release() }
    }
    context.perform = { info in
      if let info { Unmanaged<Mailbox>.fromOpaque(info).takeUnretainedValue().empty() }
    }
    source = CFRunLoopSourceCreate(nil, 0, &context)
    CFRunLoopAddSource(runLoop, source, kCFRunLoopCommonModes)
  }

  /// Nothing more is delivered.
  func close() {
    let waiting = state.withLock { state -> Int in
      state.isClosed = true
      let count = state.entries[state.first...].reduce(0) { $0 + $1.count }
      state.entries = []
      state.first = 0
      return count
    }
    if waiting > 0 { delivered(waiting) }
    CFRunLoopSourceInvalidate(source)
  }

  /// Puts an event in the box; from any thread. `count` is 0 for one that the service does not know of.
  func post(_ event: ManagerEvent, count: Int = 1) {
    let (rings, dropped) = state.withLock { state -> (Bool, Int) in
      guard !state.isClosed else { return (false, count) }
      add(event, count: count, to: &state)
      let rings = !state.hasRung && !state.willLookAgain
      if rings { state.hasRung = true }
      defer { state.dropped = 0 }
      return (rings, state.dropped)
    }
    if dropped > 0 { delivered(dropped) }
    if rings { ring() }
  }

  private func add(_ event: ManagerEvent, count: Int, to state: inout State) {
    let last = state.entries.count - 1
    if case .locationsUpdated(let fixes, isAnswer: false) = event, !state.isEmpty,
      case .locationsUpdated(var waiting, isAnswer: false) = state.entries[last].event
    {
      // Taken out of the box while it grows, so that it is not copied.
      state.entries[last].event = .updatesPaused
      waiting.append(contentsOf: fixes)
      if waiting.count > Self.waitingFixesMax {
        waiting.removeFirst(waiting.count - Self.waitingFixesMax)
      }
      state.entries[last].event = .locationsUpdated(waiting, isAnswer: false)
      state.entries[last].count += count
      return
    }
    state.entries.append(Entry(event: event, count: count))
    if state.entries.count - state.first > Self.waitingEventsMax { dropOldest(&state) }
  }

  /// Stale locations and passing errors go first; what changes an app's standing goes last.
  private func dropOldest(_ state: inout State) {
    let waiting = state.entries[state.first...]
    let index =
      waiting.firstIndex { entry in
        switch entry.event {
        case .locationsUpdated(_, isAnswer: false), .failed(.locationUnknown, isAnswer: false), .headingUpdated: true
        default: false
        }
      } ?? waiting.startIndex
    state.dropped += state.entries.remove(at: index).count
  }

  /// The main queue first: a run loop that it wakes empties it at once, and comes to its sources a round later.
  private func ring() {
    if usesMainQueue {
      DispatchQueue.main.async(execute: emptying)
      // The woken thread is mostly put on this processor, where it would wait until this one sleeps.
      sched_yield()
    }
    CFRunLoopSourceSignal(source)
    CFRunLoopWakeUp(runLoop)
  }

  private func empty() {
    let start = DispatchTime.now().uptimeNanoseconds
    while let entry = takeFirst() {
      deliver(entry.event)
      state.withLock { $0.willLookAgain = true }
      delivered(entry.count)
      if DispatchTime.now().uptimeNanoseconds - start > Self.nanosecondsInARowMax {
        ringForTheRest()
        return
      }
    }
  }

  private func ringForTheRest() {
    let rings = state.withLock { state -> Bool in
      state.willLookAgain = false
      guard !state.isEmpty else { return false }
      state.hasRung = true
      return true
    }
    if rings { ring() }
  }

  private func takeFirst() -> Entry? {
    let (entry, hasMore) = state.withLock { state -> (Entry?, Bool) in
      state.willLookAgain = false
      state.hasRung = false
      guard !state.isEmpty else { return (nil, false) }
      let entry = state.entries[state.first]
      state.first += 1
      state.forgetTaken()
      return (entry, !state.isEmpty)
    }
    // A run loop nested in the coming callback is to find the rest.
    if hasMore { CFRunLoopSourceSignal(source) }
    return entry
  }
}

/// What kind of thread makes a manager (behaviour 2.1, 2.2).
enum ManagerThread {
  /// The main thread, or whichever thread runs the main queue.
  case main
  /// A thread of the app's own, which may run a run loop.
  case own
  /// A dispatch worker or a thread of a task's pool: no run loop will ever run there.
  case withoutRunLoop

  /// What libdispatch says of a thread that runs none of its queues: the queue that such a thread would use. Work of an
  /// app never runs on it; workers carry the label of their own queue, which may be empty.
  private static let labelOfPlainThread = "com.apple.root.default-qos.overcommit"

  static var current: ManagerThread {
    let label = String(cString: linux_current_queue_label())
    if Thread.isMainThread || label == "com.apple.main-thread" { return .main }
    let isInTask = withUnsafeCurrentTask { $0 != nil }
    return label == labelOfPlainThread && !isInTask ? .own : .withoutRunLoop
  }
}
