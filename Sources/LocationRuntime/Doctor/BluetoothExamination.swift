import Dispatch
import LinuxIO
import LocationProviders

/// How the machine's Bluetooth stands: looked at while something else is examined. No adapter is asked for anything.
package final class BluetoothExamination: Sendable {
  /// Where it is looked for; tests have places of their own.
  package struct Places: Sendable {
    /// Nil is the machine's system bus.
    package var busAddress: String?
    package var adapterFolder = "/sys/class/bluetooth"
    package var radioFolder = "/sys/class/rfkill"

    package init() {}
  }

  private let places: Places
  private let receiver: BlueZReceiver
  private let isTold = DispatchSemaphore(value: 0)

  package init(clock: any SessionClock, places: Places = Places()) {
    self.places = places
    var settings = BlueZReceiver.Settings(address: places.busAddress)
    settings.adapterFolder = places.adapterFolder
    receiver = BlueZReceiver(clock: clock, settings: settings)
    receiver.connect { [isTold] _ in isTold.signal() }
  }

  /// Waits for the bus's answer no longer than so many seconds; nil where none has come.
  package func finding(waitSeconds: Double) -> DoctorFindings.Bluetooth? {
    let deadline = DispatchTime.now() + waitSeconds
    while receiver.standing == nil, isTold.wait(timeout: deadline) == .success {}
    guard let standing = receiver.standing else { return nil }
    var bluetooth = DoctorFindings.Bluetooth(standing)
    bluetooth.kernelHasAdapter = !Syscalls.names(in: places.adapterFolder).isEmpty
    let blocks = RadioSwitches.blocks(ofKind: "bluetooth", folder: places.radioFolder)
    bluetooth.isBlockedBySoftware = blocks.bySoftware
    bluetooth.isBlockedByHardware = blocks.byHardware
    return bluetooth
  }
}
