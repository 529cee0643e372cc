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
    /// When it is its turn: to send, or to see whether it has come into reach. Nil while nothing is to come of it.
    var nextTurn: Instant?

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
    var radio: BeaconRadio
    var wanted: [BeaconConstraint]?
    /// Told whenever the radio begins to listen or ends.
    var scanChanged: (@Sendable (Bool) -> Void)?
    var senders: [Sender] = []
    var senderCount = 0
  }

  /// A device that moves is this much nearer to a beacon after a second at the most: as fast as aircraft land.
  private static let metersASecondMax = 100.0

  private let clock: VirtualClock
  private let receiver: SimulatedReceiver
  private let noiseSeed: UInt64?
  private let state: Locked<State>

  /// - Parameter isThere: whether the device has Bluetooth; it is switched on then.
  init(clock: VirtualClock, receiver: SimulatedReceiver, isThere: Bool, noiseSeed: UInt64?) {
    state = Locked(State(radio: isThere ? .on : .absent))
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
    chargeScan()
  }

  func onScan(_ body: @escaping @Sendable (Bool) -> Void) {
    state.withLock { $0.scanChanged = body }
  }

  /// The radio costs something for as long as it listens: it is switched on, and somebody wants beacons.
  private func chargeScan() {
    let (isOn, changed) = state.withLock { ($0.radio == .on && $0.wanted != nil, $0.scanChanged) }
    if receiver.setBeaconScan(isOn) { changed?(isOn) }
  }

  var radio: BeaconRadio { state.withLock { $0.radio } }

  func set(_ radio: BeaconRadio) {
    let events = state.withLock { state in
      state.radio = radio
      schedule(&state)
      return state.events
    }
    events?(.radio(radio))
    chargeScan()
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

  /// Works out everybody's turn anew: who listens, where the device is, or a beacon has changed.
  private func schedule(_ state: inout State) {
    for index in state.senders.indices {
      state.senders[index].nextTurn = nextTurn(of: &state.senders[index], state.wanted)
    }
    setAlarm(&state)
  }

  private func setAlarm(_ state: inout State) {
    var next: Instant?
    for sender in state.senders {
      guard state.radio == .on, let turn = sender.nextTurn else { continue }
      next = min(next ?? turn, turn)
    }
    state.alarm?.set(next)
  }

  private func nextTurn(of sender: inout Sender, _ wanted: [BeaconConstraint]?) -> Instant? {
    guard let since = sender.since, let here = receiver.place,
      let wanted, wanted.contains(where: { $0.matches(sender.frame.beacon) })
    else { return nil }
    // Packets of the time when nobody listened are gone.
    let passed = clock.now.nanoseconds.subtractingClamped(since.nanoseconds)
    let (whole, rest) = passed.quotientAndRemainder(dividingBy: sender.packetNanoseconds)
    sender.nextPacket = max(sender.nextPacket, rest > 0 ? whole + 1 : whole)
    let due = sender.due(sender.nextPacket, since: since)
    let metersOutOfReach = Geodesic.distanceMeters(from: here, to: sender.place) - sender.reachMeters
    guard receiver.isUnderWay else { return metersOutOfReach <= 0 ? due : nil }
    return metersOutOfReach <= Self.metersASecondMax ? due : max(due, clock.now.advanced(bySeconds: 1))
  }

  private func send() {
    let time = clock.wallTime
    let (events, packets) = state.withLock { state -> ((@Sendable (BeaconEvent) -> Void)?, [BeaconPacket]) in
      var packets: [BeaconPacket] = []
      for index in state.senders.indices {
        guard let turn = state.senders[index].nextTurn, turn <= clock.now else { continue }
        if let signal = nextSignal(of: &state.senders[index]) {
          packets.append(BeaconPacket(state.senders[index].frame, signalDecibels: signal, time: time))
        }
        state.senders[index].nextTurn = nextTurn(of: &state.senders[index], state.wanted)
      }
      setAlarm(&state)
      return (state.events, packets)
    }
    for packet in packets { events?(.packet(packet)) }
  }

  /// How its packet of this moment is heard; nil where it sends none now, or too weak a one.
  private func nextSignal(of sender: inout Sender) -> Int? {
    guard let since = sender.since, let here = receiver.place, sender.due(sender.nextPacket, since: since) <= clock.now
    else { return nil }
    defer { sender.nextPacket += 1 }
    return BeaconSignal.decibels(
      measuredPower: sender.frame.measuredPower,
      meters: Geodesic.distanceMeters(from: here, to: sender.place), fading: fading(of: sender))
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
