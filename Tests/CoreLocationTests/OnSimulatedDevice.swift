import CoreLocationTesting
import Testing

/// Runs each test of a suite bound to a simulated device of its own, so that managers made in it never look for a real
/// source.
struct OnSimulatedDevice: SuiteTrait, TestTrait, TestScoping {
  var isRecursive: Bool { true }

  func provideScope(
    for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
  ) async throws {
    guard testCase != nil else { return try await function() }
    try await SimulatedDevice().run { try await function() }
  }
}

extension Trait where Self == OnSimulatedDevice {
  static var onSimulatedDevice: Self { Self() }
}
