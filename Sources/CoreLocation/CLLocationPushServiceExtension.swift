/// What an app extension does when its server asks for the device's location.
///
/// Implement one of the two forms of `didReceiveLocationPushPayload`; each one's default calls the other.
public protocol CLLocationPushServiceExtension: NSObjectProtocol {
  /// Calls `completion` when the work is done.
  func didReceiveLocationPushPayload(
    _ payload: [String: Any], completion: @escaping @Sendable () -> Void)

  /// Returns when the work is done.
  func didReceiveLocationPushPayload(_ payload: [String: Any]) async

  /// The extension has little time left.
  func serviceExtensionWillTerminate()
}

extension CLLocationPushServiceExtension {
  public func didReceiveLocationPushPayload(
    _ payload: [String: Any], completion: @escaping @Sendable () -> Void
  ) {
    Forwarding.enter()
    let call = Forwarding.Call(receiver: self, payload: payload)
    Task {
      await Forwarding.$isActive.withValue(true) {
        await call.receiver.didReceiveLocationPushPayload(call.payload)
      }
      completion()
    }
  }

  public func didReceiveLocationPushPayload(_ payload: [String: Any]) async {
    Forwarding.enter()
    await withCheckedContinuation { (done: CheckedContinuation<Void, Never>) in
      Forwarding.$isActive.withValue(true) {
        didReceiveLocationPushPayload(payload) { done.resume() }
      }
    }
  }

  public func serviceExtensionWillTerminate() {}
}

/// The calls of one form's default to the other form.
private enum Forwarding {
  @TaskLocal static var isActive = false

  /// Stops where neither form is implemented, which would go round for ever.
  static func enter() {
    precondition(
      !isActive,
      "A CLLocationPushServiceExtension must implement didReceiveLocationPushPayload(_:completion:) "
        + "or didReceiveLocationPushPayload(_:)")
  }

  // The default hands both over to one task and touches neither again.
  struct Call<Receiver>: @unchecked Sendable {
    let receiver: Receiver
    let payload: [String: Any]
  }
}
