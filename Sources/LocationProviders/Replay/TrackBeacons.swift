import LinuxIO
import LocationModel

/// The beacons along a recording, as the device that is carried along it hears them.
///
/// Each sends ten packets a second. Their signals grow weaker as in free space, 20 dB for ten times the distance, and
/// fade independently by 4 dB; what is weaker than a radio hears does not come. The same seed gives the same packets.
package final class TrackBeacons: BeaconReceiver {
  private struct State {
    var events: (@Sendable (BeaconEvent) -> Void)?
    var alarm: (any Alarm)?
    var wanted: [BeaconConstraint]?
    /// Those that may be heard where the device is, with their distance in metres.
    var near: [(beacon: PlacedBeacon, meters: Double)] = []
    var noise: SeededNoise
    var isSending = false
  }

  private static let packetSeconds = 0.1
  /// Beyond this none is heard.
  private static let reachMeters = 200.0

  private let beacons: [PlacedBeacon]
  private let clock: any SessionClock
  private let state: Locked<State>

  package init(_ beacons: [PlacedBeacon], clock: any SessionClock, seed: UInt64) {
    self.beacons = beacons
    self.clock = clock
    state = Locked(State(noise: SeededNoise(seed: seed)))
  }

  /// Says at once that the radio is on.
  package func connect(_ events: @escaping @Sendable (BeaconEvent) -> Void) {
    let alarm = clock.makeAlarm { [weak self] in self?.send() }
    state.withLock { state in
      state.events = events
      state.alarm = alarm
    }
    events(.radio(.on))
  }

  package func listen(for constraints: [BeaconConstraint]?) {
    state.withLock { $0.wanted = constraints }
    schedule()
  }

  /// The device is at the next place of the recording.
  package func moved(to fix: Fix) {
    guard fix.coordinate.isValid else { return }
    let near = beacons.compactMap { beacon -> (PlacedBeacon, Double)? in
      let meters = Geodesic.distanceMeters(from: fix.coordinate, to: beacon.coordinate)
      return meters <= Self.reachMeters ? (beacon, meters) : nil
    }
    state.withLock { $0.near = near }
    schedule()
  }

  /// Nothing rings while there is nothing to hear.
  private func schedule() {
    state.withLock { state in
      let isDue = state.wanted != nil && !state.near.isEmpty
      guard isDue != state.isSending else { return }
      state.isSending = isDue
      state.alarm?.set(isDue ? clock.now.advanced(bySeconds: Self.packetSeconds) : nil)
    }
  }

  private func send() {
    let time = clock.wallTime
    let (events, packets) = state.withLock { state -> ((@Sendable (BeaconEvent) -> Void)?, [BeaconPacket]) in
      guard state.isSending, let wanted = state.wanted else { return (nil, []) }
      var packets: [BeaconPacket] = []
      for (beacon, meters) in state.near {
        let signal = BeaconSignal.decibels(
          measuredPower: beacon.frame.measuredPower, meters: meters, fading: state.noise.normal())
        guard let signal, wanted.contains(where: { $0.matches(beacon.frame.beacon) }) else { continue }
        packets.append(BeaconPacket(beacon.frame, signalDecibels: signal, time: time))
      }
      state.alarm?.set(clock.now.advanced(bySeconds: Self.packetSeconds))
      return (state.events, packets)
    }
    for packet in packets { events?(.packet(packet)) }
  }
}

/// Numbers that only look like chance.
struct SeededNoise {
  /// SplitMix64 (Steele, Lea, Flood 2014).
  private var state: UInt64

  init(seed: UInt64) {
    state = seed
  }

  private mutating func uniform() -> Double {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return Double((mixed ^ (mixed >> 31)) >> 11) / 9_007_199_254_740_992
  }

  /// Of a normal distribution with the deviation 1, as near to one as twelve throws of a die come (Irwin and Hall).
  mutating func normal() -> Double {
    (0..<12).reduce(-6.0) { sum, _ in sum + uniform() }
  }
}
