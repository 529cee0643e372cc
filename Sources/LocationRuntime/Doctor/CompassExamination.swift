import LinuxIO
import LocationModel
import LocationProviders

/// Which compass a machine has: asked while something else is examined, claimed for that moment.
final class CompassExamination: Sendable {
  private struct State {
    var hasMagnetometer = false
    var hasProxy = false
  }

  private let state: Locked<State>
  private let proxy: SensorProxyCompass
  private let magnetometer: MagnetometerCompass

  init(clock: any SessionClock, environment: ProcessEnvironment, busAddress: String? = nil) {
    let state = Locked(State())
    self.state = state
    var settings = MagnetometerCompass.Settings()
    if let folder = environment.sensorFolder { settings.folder = folder }
    magnetometer = MagnetometerCompass(clock: clock, settings: settings)
    proxy = SensorProxyCompass(clock: clock, settings: SensorProxyCompass.Settings(address: busAddress))
    magnetometer.connect { event in
      if case .headingAvailable(let isAvailable) = event { state.withLock { $0.hasMagnetometer = isAvailable } }
    }
    proxy.connect { event in
      if case .headingAvailable(let isAvailable) = event { state.withLock { $0.hasProxy = isAvailable } }
    }
    proxy.setWanted(true)
  }

  deinit { proxy.setWanted(false) }

  /// What is known by now.
  var finding: DoctorFindings.Compass? {
    let state = state.withLock { $0 }
    if let refusal = proxy.refusal { return .refused(refusal) }
    if state.hasProxy { return .sensorProxy }
    return state.hasMagnetometer ? .magnetometer : nil
  }
}
