import LocationEngine
import LocationModel

extension BeaconPacket {
  /// A packet of the beacons' UUID `number`, as `Region.beacons` has it.
  static func of(
    _ number: UInt64 = 1, major: UInt16 = 1, minor: UInt16 = 1, signal: Int = -59, power: Int8 = -59, at seconds: Double
  ) -> BeaconPacket {
    BeaconPacket(
      BeaconFrame(
        BeaconIdentity(uuidHigh: number, uuidLow: 0, major: major, minor: minor), measuredPower: power),
      signalDecibels: signal, time: Fix.start.advanced(bySeconds: seconds))
  }
}

extension BeaconConstraint {
  static func uuid(_ number: UInt64 = 1, major: UInt16? = nil, minor: UInt16? = nil) -> BeaconConstraint {
    BeaconConstraint(uuidHigh: number, uuidLow: 0, major: major, minor: minor)
  }
}

extension EngineBench {
  /// A bench with a Bluetooth adapter that is switched on.
  static func withRadio(
    policy: Policy = Policy(), grant: Grant = .always, state: AppState? = .foreground, managers: UInt64 = 1,
    app: AppDescription = .complete
  ) -> EngineBench {
    var bench = EngineBench(policy: policy, grant: grant, state: state, managers: managers, app: app)
    bench.hear(.beaconRadioChanged(.on), at: 0)
    return bench
  }

  @discardableResult
  mutating func packet(_ packet: BeaconPacket, at seconds: Double) -> [String] {
    hear(.beaconHeard(packet), at: seconds)
  }

  /// Lets time pass, deadline by deadline, with the packets that come meanwhile; what is said, with its second.
  @discardableResult
  mutating func listen(to end: Double, packets: [(at: Double, packet: BeaconPacket)] = []) -> [String] {
    var said: [String] = []
    var coming = packets[...]
    while true {
      let deadline = deadlineSeconds ?? .infinity
      let next = coming.first?.at ?? .infinity
      guard min(deadline, next) <= end else { break }
      let effects: [String]
      if next <= deadline, let (second, packet) = coming.popFirst() {
        effects = self.packet(packet, at: second)
      } else {
        effects = pass(to: deadline)
      }
      said += self.said(effects).map { "\(Self.short(self.seconds)) \($0)" }
    }
    said += self.said(pass(to: end)).map { "\(Self.short(end)) \($0)" }
    return said
  }

  /// One packet a second, from the first to the last.
  static func packets(
    _ seconds: ClosedRange<Int>, _ packet: (Double) -> BeaconPacket = { .of(at: $0) }
  ) -> [(at: Double, packet: BeaconPacket)] {
    seconds.map { (Double($0), packet(Double($0))) }
  }

  private static func short(_ seconds: Double) -> String {
    seconds == seconds.rounded() ? "\(Int(seconds))" : "\(seconds)"
  }
}
