import Glibc

/// A value behind a lock. The one lock of the project: pthread's, since `Synchronization.Mutex` blinds the thread
/// sanitizer on this toolchain.
///
/// A function goes into it in a structure and not alone: with each `withLock` a bare one would be wrapped once more
/// than before, and calling it would cost more and more.
///
/// Public, though nobody outside of this package needs it: the compiler inlines only what is public into other targets,
/// and every delivered fix passes here. As a call of generic code `withLock` costs more than the lock.
public final class Locked<Value>: @unchecked Sendable {
  /// The lock comes first, and beside it what it guards: they are needed together.
  @usableFromInline struct Contents {
    @usableFromInline var mutex = pthread_mutex_t()
    @usableFromInline var value: Value

    init(_ value: sending Value) {
      self.value = value
    }
  }

  @usableFromInline let contents: UnsafeMutablePointer<Contents>
  @usableFromInline let mutex: UnsafeMutablePointer<pthread_mutex_t>

  package init(_ value: sending Value) {
    contents = .allocate(capacity: 1)
    contents.initialize(to: Contents(value))
    mutex = UnsafeMutableRawPointer(contents).assumingMemoryBound(to: pthread_mutex_t.self)
    pthread_mutex_init(mutex, nil)
  }

  deinit {
    pthread_mutex_destroy(mutex)
    contents.deinitialize(count: 1)
    contents.deallocate()
  }

  /// Runs `body` alone. Not reentrant: `body` calls nothing that may come back here.
  @inlinable
  public func withLock<Result>(_ body: (inout Value) throws -> Result) rethrows -> Result {
    pthread_mutex_lock(mutex)
    defer { pthread_mutex_unlock(mutex) }
    return try body(&contents.pointee.value)
  }
}
