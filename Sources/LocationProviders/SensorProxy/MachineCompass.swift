import Dispatch
import LocationModel

/// The compass of this machine: that of iio-sensor-proxy where it has one and gives it, else the magnetometer itself.
package final class MachineCompass: HeadingSensor, @unchecked Sendable {
  private enum Source {
    case proxy
    case magnetometer
  }

  private let proxy: any HeadingSensor
  private let magnetometer: any HeadingSensor
  private let queue = DispatchQueue(label: "corelocation.compass.choice")

  // MARK: On the queue, and set once before anybody else has this object

  private var events: (@Sendable (ProviderEvent) -> Void)?
  private var proxyHasOne = false
  private var magnetometerIsThere = false
  private var isWanted = false
  private var told = false
  private var inUse: Source?

  package init(proxy: any HeadingSensor, magnetometer: any HeadingSensor) {
    self.proxy = proxy
    self.magnetometer = magnetometer
  }

  /// - Parameter sensorFolder: where the kernel's sensors are; nil is where the kernel shows them.
  package convenience init(clock: any SessionClock, sensorFolder: String? = nil) {
    var settings = MagnetometerCompass.Settings()
    if let sensorFolder { settings.folder = sensorFolder }
    self.init(
      proxy: SensorProxyCompass(clock: clock), magnetometer: MagnetometerCompass(clock: clock, settings: settings))
  }

  /// A magnetometer is known before this returns, a proxy later.
  package func connect(_ events: @escaping @Sendable (ProviderEvent) -> Void) {
    queue.sync { self.events = events }
    magnetometer.connect { [weak self] event in self?.heard(event, from: .magnetometer) }
    proxy.connect { [weak self] event in self?.heard(event, from: .proxy) }
    queue.sync {}
  }

  package func setWanted(_ isWanted: Bool) {
    queue.async {
      self.isWanted = isWanted
      // A proxy that is not on the bus yet may come: it is told, and claims nothing before.
      self.proxy.setWanted(isWanted)
      self.choose()
    }
  }

  /// Waits until everything that was asked for has been carried out.
  package func settle() {
    queue.sync {}
  }

  private func heard(_ event: ProviderEvent, from source: Source) {
    queue.async {
      switch (event, source) {
      case (.headingAvailable(let isAvailable), .proxy):
        self.proxyHasOne = isAvailable
        self.choose()
      case (.headingAvailable(let isAvailable), .magnetometer):
        self.magnetometerIsThere = isAvailable
        self.choose()
      case (.heading, _):
        if source == self.inUse { self.events?(event) }
      default:
        self.events?(event)
      }
    }
  }

  private func choose() {
    let isAvailable = proxyHasOne || magnetometerIsThere
    if isAvailable != told {
      told = isAvailable
      events?(.headingAvailable(isAvailable))
    }
    inUse = !isWanted ? nil : proxyHasOne ? .proxy : .magnetometer
    magnetometer.setWanted(inUse == .magnetometer)
  }
}
