import CoreLocation
import LocationModel

/// Beacons around the device, and the radio that hears them.
extension SimulatedDevice {
  /// Places a beacon, which sends from now on: its first packet comes as soon as time moves on.
  ///
  ///     let door = device.addBeacon(shop, major: 1, minor: 7, at: entrance)
  ///     device.play(Journey(from: street).walk(to: entrance))
  ///     door.isSending = false
  ///
  /// On a device with a `noiseSeed` its signals fade from packet to packet, by 4 dB, the same with the same seed. Where
  /// the device has no place yet nothing is heard.
  ///
  /// - Parameters:
  ///   - measuredPower: the strength of its signal at one metre, in dBm, as it says of itself.
  ///   - packetsPerSecond: above 0, and 100 at the most; ten is what Apple asks of beacons, and fewer make a long test
  ///     quicker.
  @discardableResult
  public func addBeacon(
    _ uuid: UUID, major: CLBeaconMajorValue, minor: CLBeaconMinorValue, at place: CLLocationCoordinate2D,
    measuredPower: Int8 = -59, packetsPerSecond: Double = 10
  ) -> SimulatedBeacon {
    TestMistake.refuse(
      unless: packetsPerSecond > 0 && packetsPerSecond <= 100,
      "a beacon sends more than 0 packets a second and no more than 100, not \(packetsPerSecond)")
    let frame = BeaconFrame(Self.identity(uuid, major, minor), measuredPower: measuredPower)
    let place = TestMistake.refuseOffEarth(place, "the place of a beacon")
    let number = beaconReceiver.add(frame, at: place, packetsPerSecond: packetsPerSecond)
    return SimulatedBeacon(
      uuid: uuid, major: major, minor: minor, number: number, receiver: beaconReceiver,
      note: { [events, clock = host.clock] in events.add($0, at: clock.wallTime) })
  }

  /// The device's Bluetooth, which is on unless a test says otherwise, or absent where the device's profile has none.
  /// A change is told to the app at once.
  public var bluetooth: SimulatedBluetooth {
    get {
      switch beaconReceiver.radio {
      case .absent: .absent
      case .off, .starting: .off
      case .failing: .unauthorized
      case .on: .on
      }
    }
    set {
      note("Bluetooth is \(newValue)")
      setBluetooth(newValue.radio)
    }
  }

  package func setBluetooth(_ radio: BeaconRadio) {
    beaconReceiver.set(radio)
    settle()
  }

  /// A packet of a beacon comes in; delivered at once.
  package func hear(
    _ uuid: UUID, major: UInt16, minor: UInt16, signalDecibels: Int, measuredPower: Int8 = -59
  ) {
    beaconReceiver.hear(
      BeaconPacket(
        BeaconFrame(Self.identity(uuid, major, minor), measuredPower: measuredPower), signalDecibels: signalDecibels,
        time: host.clock.wallTime))
    settle()
  }

  private static func identity(_ uuid: UUID, _ major: UInt16, _ minor: UInt16) -> BeaconIdentity {
    let halves = uuid.halves
    return BeaconIdentity(uuidHigh: halves.high, uuidLow: halves.low, major: major, minor: minor)
  }

  package func turnDisplayOn() {
    note("the display turns on")
    host.host.handle(.displayTurnedOn)
    settle()
  }
}
