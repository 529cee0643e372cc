import Glibc

/// A thread that does one thing and ends.
enum Thread {
  private final class Work {
    let body: @Sendable () -> Void
    init(_ body: @escaping @Sendable () -> Void) { self.body = body }
  }

  static func start(_ body: @escaping @Sendable () -> Void) throws(SystemError) {
    var thread = pthread_t()
    let work = Unmanaged.passRetained(Work(body))
    let result = pthread_create(
      &thread, nil,
      { argument in
        if let argument { Unmanaged<Work>.fromOpaque(argument).takeRetainedValue().body() }
        return nil
      }, work.toOpaque())
    guard result == 0 else {
      work.release()
      throw SystemError(call: "pthread_create", number: result)
    }
    pthread_detach(thread)
  }
}
