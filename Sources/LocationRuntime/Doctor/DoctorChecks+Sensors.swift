import LocationProviders

/// The compass and Bluetooth: no cause of missing locations, since headings and beacons are other services.
extension DoctorChecks {
  static func sensors(_ findings: DoctorFindings) -> [DoctorLine] {
    [findings.compass.map(compass), findings.bluetooth.map(bluetooth)].compactMap { $0 }
  }

  private static func compass(_ compass: DoctorFindings.Compass) -> DoctorLine {
    switch compass {
    case .sensorProxy: DoctorLine(.compass, .ok, "iio-sensor-proxy gives the compass.")
    case .magnetometer: DoctorLine(.compass, .ok, "The machine has a magnetometer, which is read for headings.")
    case .refused(let reason):
      DoctorLine(
        .compass, .look, "iio-sensor-proxy has a compass and does not give it to this program (\(reason)).",
        cure: SensorProxyCompass.refusalAdvice)
    }
  }

  // MARK: Bluetooth

  private static func bluetooth(_ bluetooth: DoctorFindings.Bluetooth) -> DoctorLine {
    switch bluetooth.standing {
    case .noBus, .noService: withoutService(bluetooth)
    case .refused(let reason):
      DoctorLine(
        .bluetooth, .look, "BlueZ does not tell this program of its adapters (\(reason)).",
        cure: "see what /etc/dbus-1/system.d/bluetooth.conf allows: on some systems sudo usermod -aG bluetooth "
          + "$(id -un), then log out and in again; systemctl status bluetooth tells how BlueZ is")
    case .noAdapter:
      DoctorLine(
        .bluetooth, .look, "BlueZ has no Bluetooth adapter, so that no beacon is heard.",
        cure: unblocking(bluetooth) ?? "plug one in; dmesg tells what the machine made of it")
    case .off:
      DoctorLine(
        .bluetooth, .look,
        bluetooth.isBlocked ? "The Bluetooth adapter is blocked (rfkill)." : "The Bluetooth adapter is off.",
        cure: unblocking(bluetooth) ?? "bluetoothctl power on")
    case .failing:
      DoctorLine(
        .bluetooth, .look, "The Bluetooth adapter does not listen.",
        cure: "bluetoothctl scan le shows whether it does for others")
    case .ready(takesMonitors: true):
      DoctorLine(.bluetooth, .ok, "Bluetooth is on; beacons are heard by an advertisement monitor of BlueZ.")
    case .ready(takesMonitors: false):
      DoctorLine(
        .bluetooth, .ok,
        "Bluetooth is on; beacons are heard by discovery, since this BlueZ has no advertisement monitors.")
    }
  }

  private static func withoutService(_ bluetooth: DoctorFindings.Bluetooth) -> DoctorLine {
    guard bluetooth.kernelHasAdapter else {
      return DoctorLine(.bluetooth, .ok, "The machine has no Bluetooth adapter, so that no beacon is heard.")
    }
    if bluetooth.standing == .noBus {
      return DoctorLine(
        .bluetooth, .look, "There is a Bluetooth adapter, and no message bus to ask BlueZ on.",
        cure: "sudo systemctl start dbus; without systemd sudo service dbus start")
    }
    return DoctorLine(
      .bluetooth, .look, "There is a Bluetooth adapter, and BlueZ is not on the bus.",
      cure: "sudo apt-get install bluez && sudo systemctl start bluetooth")
  }

  /// A switch of the machine counts first: no program gets past it.
  private static func unblocking(_ bluetooth: DoctorFindings.Bluetooth) -> String? {
    if bluetooth.isBlockedByHardware { return "use the machine's own switch or key for radios; rfkill list names it" }
    return bluetooth.isBlockedBySoftware ? "rfkill unblock bluetooth, then bluetoothctl power on" : nil
  }
}
