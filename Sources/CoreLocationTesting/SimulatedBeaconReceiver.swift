import CoreLocation
import LinuxIO
import LocationModel
import LocationProviders
import LocationRuntime

/// The Bluetooth of a simulated device, and the beacons that a test has placed.
///
/// Each beacon sends at its own pace from the moment on at which it was placed. While the device listens, a packet is
/// as strong as the distance to where the device is at that moment has it, and comes where that is strong enough.
/// Nothing rings while nobody listens, or while all beacons are out of reach of a device that rests.
final class SimulatedBeaconReceiver: BeaconReceiver {
  /// A beacon, and which packet of it is the next.
  struct Sender {
    let number: Int
    let frame: BeaconFrame
    let packetNanoseconds: Int64
    var place: Coordinate
    /// When the first packet was sent; nil while it is silent.
    var since: Instant?
    var nextPacket: Int64 = 0

    func due(_ packet: Int64, since: Instant) -> Instant {
      let (offset, overflow) = packet.multipliedReportingOverflow(by: packetNanoseconds)
      return Instant(nanoseconds: overflow ? .max : since.nanoseconds.addingClamped(offset))
    }

    /// Farther away than this it is never heard.
    var reachMeters: Double {
      let deviations = 4.0
      let decibels =
        Double(frame.measuredPower) - Double(BeaconSignal.weakestDecibels) + deviations * BeaconSignal.fadingDecibels
      return pow(10, decibels / 20)
    }
  }

  private struct State {
    var events: (@Sendable (BeaconEvent) -> Void)?
    var alarm: (any Alarm)?
    var radio = BeaconRadio.on
    var wanted: [BeaconConstraint]?
    var senders: [Sender] = []
    var senderCount = 0
  }

  /// A device that moves is this much nearer to a beacon after a second at the most: as fast as aircraft land.
  private static let metersASecondMax = 100.0

  private let clock: VirtualClock
  private let receiver: SimulatedReceiver
  private let noiseSeed: UInt64?
  private let state = Locked(State())

  init(clock: VirtualClock, receiver: SimulatedReceiver, noiseSeed: UInt64?) {
    self.clock = clock
    self.receiver = receiver
    self.noiseSeed = noiseSeed
    let alarm = clock.makeAlarm { [weak self] in self?.send() }
    state.withLock { $0.alarm = alarm }
  }

  /// Says at once that the radio is on.
  func connect(_ events: @escaping @Sendable (BeaconEvent) -> Void) {
    let radio = state.withLock { state in
      state.events = events
      return state.radio
    }
    events(.radio(radio))
  }

  func listen(for constraints: [BeaconConstraint]?) {
    state.withLock { state in
      state.wanted = constraints
      schedule(&state)
    }
  }

  var radio: BeaconRadio { state.withLock { $0.radio } }

  func set(_ radio: BeaconRadio) {
    let events = state.withLock { state in
      state.radio = radio
      schedule(&state)
      return state.events
    }
    events?(.radio(radio))
  }

  /// A packet from somewhere; heard if the radio is on.
  func hear(_ packet: BeaconPacket) {
    let events = state.withLock { $0.radio == .on ? $0.events : nil }
    events?(.packet(packet))
  }

  /// The device is on another journey.
  func deviceHasMoved() { state.withLock { schedule(&$0) } }

  // MARK: Beacons

  /// Sends from now on. Its number.
  func add(_ frame: BeaconFrame, at place: Coordinate, packetsPerSecond: Double) -> Int {
    state.withLock { state in
      state.senderCount += 1
      state.senders.append(
        Sender(
          number: state.senderCount, frame: frame,
          packetNanoseconds: max(1, nanosecondsClamped(fromSeconds: 1 / packetsPerSecond)), place: place,
          since: clock.now))
      schedule(&state)
      return state.senderCount
    }
  }

  func remove(_ number: Int) {
    state.withLock { state in
      state.senders.removeAll { $0.number == number }
      schedule(&state)
    }
  }

  /// Nil once it is removed.
  func sender(_ number: Int) -> Sender? {
    state.withLock { state in state.senders.first { $0.number == number } }
  }

  func move(_ number: Int, to place: Coordinate) { change(number) { $0.place = place } }

  func set(_ number: Int, isSending: Bool) {
    change(number) { sender in
      guard isSending != (sender.since != nil) else { return }
      sender.since = isSending ? clock.now : nil
      sender.nextPacket = 0
    }
  }

  private func change(_ number: Int, _ body: (inout Sender) -> Void) {
    state.withLock { state in
      guard let index = state.senders.firstIndex(where: { $0.number == number }) else { return }
      body(&state.senders[index])
      schedule(&state)
    }
  }

  // MARK: Packets

  private func schedule(_ state: inout State) {
    guard state.radio == .on, let wanted = state.wanted, let here = receiver.place else {
      state.alarm?.set(nil)
      return
    }
    var next: Instant?
    for index in state.senders.indices where wanted.contains(where: { $0.matches(state.senders[index].frame.beacon) }) {
      guard let due = nextLook(at: &state.senders[index], from: here) else { continue }
      next = min(next ?? due, due)
    }
    state.alarm?.set(next)
  }

  /// When it sends next, or may have come into reach; nil while nothing is to come of it.
  private func nextLook(at sender: inout Sender, from here: Coordinate) -> Instant? {
    guard let since = sender.since else { return nil }
    // Those of the time when nobody listened are gone.
    let passed = clock.now.nanoseconds.subtractingClamped(since.nanoseconds)
    let (whole, rest) = passed.quotientAndRemainder(dividingBy: sender.packetNanoseconds)
    sender.nextPacket = max(sender.nextPacket, rest > 0 ? whole + 1 : whole)
    let due = sender.due(sender.nextPacket, since: since)
    let meters = Geodesic.distanceMeters(from: here, to: sender.place) - sender.reachMeters
    if meters <= (receiver.isUnderWay ? Self.metersASecondMax : 0) { return due }
    return receiver.isUnderWay ? max(due, clock.now.advanced(bySeconds: 1)) : nil
  }

  private func send() {
    let time = clock.wallTime
    let (events, packets) = state.withLock { state -> ((@Sendable (BeaconEvent) -> Void)?, [BeaconPacket]) in
      guard state.radio == .on, let wanted = state.wanted, let here = receiver.place else { return (nil, []) }
      var packets: [BeaconPacket] = []
      for index in state.senders.indices {
        let sender = state.senders[index]
        guard let since = sender.since, sender.due(sender.nextPacket, since: since) <= clock.now,
          wanted.contains(where: { $0.matches(sender.frame.beacon) })
        else { continue }
        state.senders[index].nextPacket += 1
        let meters = Geodesic.distanceMeters(from: here, to: sender.place)
        if let signal = BeaconSignal.decibels(
          measuredPower: sender.frame.measuredPower, meters: meters, fading: fading(of: sender))
        {
          packets.append(BeaconPacket(sender.frame, signalDecibels: signal, time: time))
        }
      }
      schedule(&state)
      return (state.events, packets)
    }
    for packet in packets { events?(.packet(packet)) }
  }

  /// Depends on the seed, the beacon and the packet alone, not on who has listened before.
  private func fading(of sender: Sender) -> Double {
    guard let noiseSeed else { return 0 }
    var generator = SeededGenerator(state: noiseSeed)
    for number in [UInt64(sender.number), UInt64(bitPattern: sender.nextPacket)] {
      generator = SeededGenerator(state: generator.next() ^ number)
    }
    return generator.normal()
  }
}
