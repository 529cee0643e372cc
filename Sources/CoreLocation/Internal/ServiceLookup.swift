import LocationRuntime

/// The one place that finds the service for the running code: the simulated device that it is bound to, else the
/// process's own service (design 5, "Finding the service").
enum ServiceLookup {
  static func connection() -> any LocationConnection {
    switch DeviceBinding.lookUp() {
    case .device(let device):
      return device.connection
    case .noDevices:
      return ProcessService.connection
    case .ambiguous(let aliveCount):
      // A mistake of the test's: falling through to a real source would make it pass or fail by accident.
      programmerError(
        "this code runs outside every simulated device while \(aliveCount) devices are alive: "
          + "call it from inside device.run { }, or keep one device alive")
    }
  }
}
