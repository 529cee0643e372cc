import Dispatch

/// Goes on with code of the main actor without a detour.
///
/// A continuation resumes its task on a thread of the pool, which hands it over to the main queue: two threads wake
/// where one has something to do. A task that prefers this executor while it waits comes to the main queue at once.
package final class MainQueueExecutor: TaskExecutor {
  private static let shared = MainQueueExecutor()

  package func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    DispatchQueue.main.async { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
  }

  /// `withCheckedContinuation`, whose task goes on where its caller is isolated, the shortest way.
  package static func waitForContinuation<Result: Sendable>(
    isolation: isolated (any Actor)? = #isolation, _ body: (CheckedContinuation<Result, Never>) -> Void
  ) async -> Result {
    guard isolation === MainActor.shared else {
      return await withCheckedContinuation(isolation: isolation, body)
    }
    return await withTaskExecutorPreference(shared, isolation: isolation) {
      // A closure stays on the caller's actor only where it names it.
      await withCheckedContinuation(isolation: isolation, body)
    }
  }
}
