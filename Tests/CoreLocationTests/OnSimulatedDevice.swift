import CoreLocationTesting
import Testing

/// Runs each test of a suite bound to a simulated device of its own, so that managers made in it never look for a real
/// source. It has no Bluetooth.
struct OnSimulatedDevice: SuiteTrait, TestTrait, TestScoping {
  var isRecursive: Bool { true }

  func provideScope(
    for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
  ) async throws {
    guard testCase != nil else { return try await function() }
    let device = SimulatedDevice()
    device.bluetooth = .absent
    try await device.run { try await function() }
  }
}

extension Trait where Self == OnSimulatedDevice {
  static var onSimulatedDevice: Self { Self() }
}
