import Dispatch
import LinuxIO
import LocationModel
import LocationProviders

/// Which compass a machine has: asked while something else is examined, claimed for that moment.
package final class CompassExamination: Sendable {
  private struct State {
    var hasMagnetometer = false
    var hasProxy = false
  }

  private let state: Locked<State>
  private let proxy: SensorProxyCompass
  private let magnetometer: MagnetometerCompass

  private let isTold = DispatchSemaphore(value: 0)

  package init(clock: any SessionClock, environment: ProcessEnvironment, busAddress: String? = nil) {
    let state = Locked(State())
    self.state = state
    var settings = MagnetometerCompass.Settings()
    if let folder = environment.sensorFolder { settings.folder = folder }
    magnetometer = MagnetometerCompass(clock: clock, settings: settings)
    proxy = SensorProxyCompass(clock: clock, settings: SensorProxyCompass.Settings(address: busAddress))
    magnetometer.connect { event in
      if case .headingAvailable(let isAvailable) = event { state.withLock { $0.hasMagnetometer = isAvailable } }
    }
    proxy.connect { [isTold] event in
      if case .headingAvailable(let isAvailable) = event { state.withLock { $0.hasProxy = isAvailable } }
      isTold.signal()
    }
    proxy.setWanted(true)
  }

  deinit { proxy.setWanted(false) }

  /// The proxy's answer is looked for so often: a claim that is granted is no news that it tells.
  private static let lookSeconds = 0.01

  /// Waits for the proxy's answer no longer than so many seconds, and says what is known then.
  package func finding(waitSeconds: Double) -> DoctorFindings.Compass? {
    let deadline = DispatchTime.now() + waitSeconds
    while !proxy.hasAnswered, DispatchTime.now() < deadline { _ = isTold.wait(timeout: .now() + Self.lookSeconds) }
    let state = state.withLock { $0 }
    if let refusal = proxy.refusal { return .refused(refusal) }
    if state.hasProxy { return .sensorProxy }
    return state.hasMagnetometer ? .magnetometer : nil
  }
}
