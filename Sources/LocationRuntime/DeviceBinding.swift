import LinuxIO

/// Which simulated device the running code belongs to, if any: read in one place, by everything that looks for the
/// service (design 5, "Finding the service").
package enum DeviceBinding {
  /// The device of this task, set around every callback; synchronous code, `Task {}`, child tasks and actors
  /// inherit it.
  @TaskLocal package static var current: (any BoundDevice)?

  /// A device is alive as long as somebody holds it.
  private struct WeakDevice {
    weak var device: (any BoundDevice)?
  }

  private struct Registry {
    var made: [WeakDevice] = []
    var hasMadeDevice = false
  }

  private static let registry = Locked(Registry())

  package static func register(_ device: any BoundDevice) {
    registry.withLock { registry in
      registry.made.removeAll { $0.device == nil }
      registry.made.append(WeakDevice(device: device))
      registry.hasMadeDevice = true
    }
  }

  package enum Lookup {
    case device(any BoundDevice)
    /// No device was ever made in this process: the real service is meant.
    case noDevices
    /// Code that carries no binding, and not exactly one device that it could mean.
    case ambiguous(aliveCount: Int)
  }

  /// The bound device; else the only one alive. A process that has made a device never falls through to a real source.
  package static func lookUp() -> Lookup {
    if let current { return .device(current) }
    return registry.withLock { registry in
      guard registry.hasMadeDevice else { return .noDevices }
      let alive = registry.made.compactMap(\.device)
      if alive.count == 1 { return .device(alive[0]) }
      return .ambiguous(aliveCount: alive.count)
    }
  }
}

/// A simulated device, as code that looks for the service sees it.
package protocol BoundDevice: AnyObject, Sendable {
  /// The connection of the app that runs on the device.
  var connection: any LocationConnection { get }

  /// The life of that app; nil where no installed one runs.
  var life: ToldAppLife? { get }
}
