/// A task of an app on a simulated device, as far as one can know which it is and when it ends: the language tells that
/// only to those who hold its handle.
///
/// What a task is handed of itself and a task's handle are one and the same reference in this toolchain's runtime, and
/// a task's parent lies behind it; tests of `SimulatedClock` fail where that changes.
package struct RunningTask: Sendable {
  /// Only ever compared.
  package typealias Number = UInt

  /// 0 outside every task.
  package let number: Number
  /// As its author has called it.
  package let name: String?
  /// Those that may go on when it ends, the innermost first: the tasks whose scopes it belongs to and whose ends can be
  /// told.
  let ancestors: [Number]

  /// The task that runs this.
  package static var current: RunningTask {
    withUnsafeCurrentTask { task in
      guard let task else { return RunningTask(number: 0, name: nil, ancestors: []) }
      let reference = unsafeBitCast(task, to: UnsafeRawPointer.self)
      var ancestors: [Number] = []
      var next = parent(of: reference)
      while let parent = next {
        if canTellItsEnd(parent) { ancestors.append(Number(bitPattern: parent)) }
        next = self.parent(of: parent)
      }
      return RunningTask(number: Number(bitPattern: reference), name: Task.name, ancestors: ancestors)
    }
  }

  // MARK: Its end

  /// As much as a task's result may take; it is not looked at.
  private struct Room: Sendable {
    var words = InlineArray<512, UInt>(repeating: 0)
  }

  // Bits of a job's flags, which are the first word behind the object's header and the scheduler's two words
  // (swift/ABI/MetadataValues.h): a task that belongs to another's scope, one whose end can be waited for, and one
  // whose memory is its parent's (`async let`).
  private static let flagsOffset = 32
  private static let isChild: UInt32 = 1 << 24
  private static let isFuture: UInt32 = 1 << 25
  private static let isAsyncLet: UInt32 = 1 << 28
  /// Of a child, behind the 26 words of every task (swift/ABI/Task.h).
  private static let parentOffset = 208

  private static func flags(of task: UnsafeRawPointer) -> UInt32 {
    task.load(fromByteOffset: flagsOffset, as: UInt32.self)
  }

  private static func parent(of task: UnsafeRawPointer) -> UnsafeRawPointer? {
    guard flags(of: task) & isChild != 0 else { return nil }
    return task.load(fromByteOffset: parentOffset, as: UnsafeRawPointer?.self)
  }

  private static func canTellItsEnd(_ task: UnsafeRawPointer) -> Bool {
    let flags = flags(of: task)
    return flags & isFuture != 0 && flags & isAsyncLet == 0
  }

  /// Calls `body` once, when a task has ended. False, and `body` is dropped, outside of tasks and for `async let`.
  ///
  /// - Parameter number: of the running task, or of one of its ancestors: they have not ended.
  static func whenEnds(_ number: Number, _ body: @escaping @Sendable () -> Void) -> Bool {
    guard let task = UnsafeRawPointer(bitPattern: number), canTellItsEnd(task) else { return false }
    let handle = unsafeBitCast(task, to: Task<Room, any Error>.self)
    Task.detached {
      _ = await handle.result
      // Held until then: a later task has no number of one that has not been told.
      withExtendedLifetime(handle, body)
    }
    return true
  }
}
