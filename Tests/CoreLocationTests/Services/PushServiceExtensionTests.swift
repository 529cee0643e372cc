import CoreLocation
import Testing

private final class AwaitedExtension: NSObject, CLLocationPushServiceExtension {
  nonisolated(unsafe) var isDone = false
  func didReceiveLocationPushPayload(_ payload: [String: Any]) async {
    isDone = payload["id"] as? Int == 7
  }
}

private final class CompletingExtension: NSObject, CLLocationPushServiceExtension {
  nonisolated(unsafe) var isDone = false
  func didReceiveLocationPushPayload(_ payload: [String: Any], completion: @escaping @Sendable () -> Void) {
    isDone = payload["id"] as? Int == 7
    completion()
  }
}

private final class SilentExtension: NSObject, CLLocationPushServiceExtension {}

@Suite("Location push extensions (core-location-api, 12)")
struct PushServiceExtensionTests {
  @Test("one form serves calls of the other")
  func bothForms() async {
    let awaited = AwaitedExtension()
    await withCheckedContinuation { continuation in
      awaited.didReceiveLocationPushPayload(["id": 7]) { continuation.resume() }
    }
    #expect(awaited.isDone)
    let completing = CompletingExtension()
    await completing.didReceiveLocationPushPayload(["id": 7])
    #expect(completing.isDone)
    completing.serviceExtensionWillTerminate()
  }

  @Test("an extension with neither form is a programmer error, and does not run for ever")
  func neitherForm() async {
    await #expect(processExitsWith: .failure) {
      await SilentExtension().didReceiveLocationPushPayload([:])
    }
  }
}
