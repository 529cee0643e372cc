import LinuxIO
import LocationRuntime
import Testing

@Suite("A continuation that the main actor waits for")
struct MainQueueExecutorTests {
  @Test("goes on with main-actor code, whichever thread resumes it") @MainActor
  func mainActor() async {
    let value = await MainQueueExecutor.waitForContinuation { continuation in
      Task.detached { continuation.resume(returning: MainQueue.isCurrent) }
    }
    #expect(!value)
    #expect(MainQueue.isCurrent)
  }

  @Test("goes on with code of another actor on that actor") func otherActor() async {
    await Other().wait()
  }

  @Test("goes on off every actor") func noActor() async {
    let value = await MainQueueExecutor.waitForContinuation { $0.resume(returning: 1) }
    #expect(value == 1)
    #expect(!MainQueue.isCurrent)
  }

  private actor Other {
    func wait() async {
      await MainQueueExecutor.waitForContinuation { (continuation: CheckedContinuation<Void, Never>) in
        Task.detached { continuation.resume() }
      }
      preconditionIsolated()
    }
  }
}
