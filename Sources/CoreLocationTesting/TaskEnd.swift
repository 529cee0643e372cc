/// Tells when a task has ended, which the language tells only to those who hold its handle.
///
/// What a task is handed of itself and a task's handle are one and the same reference in this toolchain's runtime;
/// tests of `SimulatedClock` fail where that changes.
enum TaskEnd {
  /// As much as a task's result may take; it is not looked at.
  private struct Room: Sendable {
    var words = InlineArray<512, UInt>(repeating: 0)
  }

  // Bits of a job's flags, which are the first word behind the object's header and the scheduler's two words
  // (swift/ABI/MetadataValues.h): a task that belongs to another's scope, and one whose end can be waited for.
  private static let flagsOffset = 32
  private static let isChild: UInt32 = 1 << 24
  private static let isFuture: UInt32 = 1 << 25

  /// Calls `body` once, when the task that runs this has ended. False, and `body` is dropped, outside of tasks and for
  /// child tasks (`async let`, groups), whose memory is their parent's.
  static func whenCurrentTaskEnds(_ body: @escaping @Sendable () -> Void) -> Bool {
    withUnsafeCurrentTask { task in
      guard let task else { return false }
      let flags = unsafeBitCast(task, to: UnsafeRawPointer.self).load(fromByteOffset: flagsOffset, as: UInt32.self)
      guard flags & isChild == 0, flags & isFuture != 0 else { return false }
      let handle = unsafeBitCast(task, to: Task<Room, any Error>.self)
      Task.detached {
        _ = await handle.result
        body()
      }
      return true
    }
  }
}
