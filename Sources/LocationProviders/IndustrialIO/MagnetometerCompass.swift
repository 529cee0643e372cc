import Dispatch
import LinuxIO
import LocationModel

/// A magnetometer and an accelerometer of the kernel's, read as they are: the compass of a machine that runs no sensor
/// proxy. No file is opened while no heading is wanted, but for one look at the start.
package final class MagnetometerCompass: HeadingSensor, @unchecked Sendable {
  package struct Settings: Sendable {
    /// Where the kernel shows its sensors; tests have a folder of their own.
    package var folder = "/sys/bus/iio/devices"
    /// Ten headings a second, as many as a needle on a screen needs.
    package var intervalSeconds = 0.1
    /// How often a wanted sensor that is not there is looked for.
    package var lookSeconds = 5.0

    package init() {}
  }

  private let settings: Settings
  private let clock: any SessionClock
  private let queue = DispatchQueue(label: "corelocation.magnetometer")

  // MARK: On the queue, and set once before anybody else has this object

  private var events: (@Sendable (ProviderEvent) -> Void)?
  private var alarm: (any Alarm)?
  private var isWanted = false
  private var magnetometer: IndustrialSensor?
  private var accelerometer: IndustrialSensor?
  private var told: Bool?

  package init(clock: any SessionClock, settings: Settings = Settings()) {
    self.clock = clock
    self.settings = settings
  }

  /// Says at once, before this returns, whether there is a magnetometer.
  package func connect(_ events: @escaping @Sendable (ProviderEvent) -> Void) {
    let alarm = clock.makeAlarm { [weak self] in
      guard let self else { return }
      queue.async { self.work() }
    }
    queue.sync {
      self.events = events
      self.alarm = alarm
      look()
    }
  }

  package func setWanted(_ isWanted: Bool) {
    queue.async {
      guard isWanted != self.isWanted else { return }
      self.isWanted = isWanted
      if isWanted { self.work() } else { self.alarm?.set(nil) }
    }
  }

  /// Waits until everything that was asked for has been carried out.
  package func settle() {
    queue.sync {}
  }

  private func look() {
    magnetometer = IndustrialSensor.first(in: settings.folder, .magneticField)
    accelerometer = magnetometer == nil ? nil : IndustrialSensor.first(in: settings.folder, .acceleration)
    tell(magnetometer != nil)
  }

  private func tell(_ isAvailable: Bool) {
    guard isAvailable != told else { return }
    told = isAvailable
    events?(.headingAvailable(isAvailable))
  }

  private func work() {
    guard isWanted else { return }
    if magnetometer == nil { look() }
    let sample = measure()
    let pause = magnetometer == nil ? settings.lookSeconds : settings.intervalSeconds
    alarm?.set(clock.now.advanced(bySeconds: pause))
    if let sample { events?(.heading(sample)) }
  }

  /// Nil where the sensor is busy; one that is gone is looked for again.
  private func measure() -> HeadingSample? {
    guard let magnetometer else { return nil }
    guard let field = magnetometer.read() else {
      if !magnetometer.isThere { look() }
      return nil
    }
    // Without a tilt for once there is no heading; without an accelerometer at all the device is taken to lie flat.
    let acceleration = accelerometer?.read()
    guard accelerometer == nil || acceleration != nil else {
      if accelerometer?.isThere == false { look() }
      return nil
    }
    return HeadingSample(.field(microteslas: field, acceleration: acceleration), time: clock.wallTime)
  }
}
