import LocationEngine
import LocationModel
import LocationRuntime

/// Why receivers went on or off: what was decided then for every service that wants to know where the device is.
struct ReceiverExplanation: Sendable {
  private struct Reason: Sendable {
    var app: String
    /// For people, and as the options have it.
    var service: (words: String, name: String)
    /// Nil for beacons, which are heard or not.
    var accuracyWords: String?
    var receivers: [JourneyReceiver]
    var look: Look

    var isNow: Bool {
      if case .now = look { true } else { false }
    }

    func waitSeconds(from time: WallTime) -> Double {
      switch look {
      case .now: 0
      case .later(let moment): moment.seconds(since: time)
      case .onMovement: .infinity
      }
    }
  }

  private enum Look: Sendable {
    case now
    case later(WallTime)
    case onMovement

    init(_ look: NextLook, on clock: VirtualClock) {
      let now = clock.now
      switch look {
      case .at(let instant) where instant > now:
        self = .later(clock.wallTime.advanced(bySeconds: instant.seconds(since: now)))
      case .now, .at: self = .now
      case .onMovement: self = .onMovement
      }
    }
  }

  private let time: WallTime
  private let switches: [(receiver: JourneyReceiver, isOn: Bool)]
  private let reasons: [Reason]

  /// Nil where nothing was switched.
  init?(_ change: JourneyReceivers.Change, on device: SimulatedHost) {
    switch change {
    case .switched(let before, let after): switches = JourneyReceiver.switches(from: before, to: after)
    case .sensorSwitched(let isOn): switches = [(.motion, isOn)]
    case .beaconScanSwitched(let isOn): switches = [(.bluetooth, isOn)]
    case .felt, .lookedInVain: return nil
    }
    time = device.clock.wallTime
    reasons = if case .beaconScanSwitched = change { Self.beaconReasons(device) } else { Self.placeReasons(device) }
  }

  private static func placeReasons(_ device: SimulatedHost) -> [Reason] {
    device.host.read { $0.receiverDecisions }.map { decision in
      Reason(
        app: decision.app.name, service: (decision.serviceWords, name(decision.service)),
        accuracyWords: decision.accuracyWords, receivers: JourneyReceiver.all(in: decision.technologies),
        look: Look(decision.look, on: device.clock))
    }
  }

  private static func beaconReasons(_ device: SimulatedHost) -> [Reason] {
    device.host.read { $0.beaconDecisions }.compactMap { decision in
      decision.look.map { look in
        Reason(
          app: decision.app.name, service: (decision.serviceWords, name(decision.service)), accuracyWords: nil,
          receivers: [.bluetooth], look: Look(look, on: device.clock))
      }
    }
  }

  // MARK: For people

  func append(textTo bytes: inout [UInt8]) {
    let changes = switches.map { "\($0.receiver.name) \($0.isOn ? "on" : "off")" }.joined(separator: ", ")
    bytes.append(text: "\(TextWriter.stamp(time))  \(changes), \(why)\n")
  }

  /// Who has receivers on; where nobody has, who looks next.
  private var why: String {
    let looking = reasons.filter { $0.isNow }
    if !looking.isEmpty { return "for " + looking.map(text).joined(separator: ", ") }
    let waiting = reasons.enumerated().sorted { first, second in
      (first.element.waitSeconds(from: time), first.offset) < (second.element.waitSeconds(from: time), second.offset)
    }
    return waiting.isEmpty
      ? "nobody wants to know" : "next " + waiting.map { text($0.element) }.joined(separator: ", ")
  }

  private func text(_ reason: Reason) -> String {
    let receivers = reason.receivers.map(\.name).joined(separator: ", ")
    // Beacons are heard by Bluetooth alone.
    let wish = reason.accuracyWords.map { " (\($0)) by \(receivers)" } ?? ""
    let who = reason.service.words + wish
    return switch reason.look {
    case .now: who
    case .later(let time): "\(who) at \(text(time))"
    case .onMovement: "\(who) on movement"
    }
  }

  /// Without the day, where that is the line's own.
  private func text(_ moment: WallTime) -> String {
    let (own, text) = (TextWriter.stamp(time).split(separator: "T"), TextWriter.stamp(moment).split(separator: "T"))
    guard own.first == text.first, text.count == 2 else { return TextWriter.stamp(moment) }
    return String(text[1])
  }

  // MARK: For programs

  func append(jsonTo bytes: inout [UInt8]) {
    bytes.append(text: "{\"time\":")
    bytes.append(time: time)
    bytes.append(text: ",\"event\":\"receiversChanged\",\"on\":")
    append(switches.filter(\.isOn).map(\.receiver), to: &bytes)
    bytes.append(text: ",\"off\":")
    append(switches.filter { !$0.isOn }.map(\.receiver), to: &bytes)
    bytes.append(text: ",\"decisions\":[")
    for (index, reason) in reasons.enumerated() {
      if index > 0 { bytes.append(text: ",") }
      append(reason, to: &bytes)
    }
    bytes.append(text: "]}\n")
  }

  private func append(_ receivers: [JourneyReceiver], to bytes: inout [UInt8]) {
    bytes.append(text: "[" + receivers.map { "\"\($0.rawValue)\"" }.joined(separator: ",") + "]")
  }

  private func append(_ reason: Reason, to bytes: inout [UInt8]) {
    bytes.append(text: "{\"app\":")
    bytes.append(string: reason.app)
    bytes.append(text: ",\"service\":\"\(reason.service.name)\",\"accuracy\":")
    // As the options have it.
    bytes.append(text: reason.accuracyWords.map { words in "\"\(words.filter { $0 != " " })\"" } ?? "null")
    bytes.append(text: ",\"look\":")
    switch reason.look {
    case .now: bytes.append(text: "\"now\",\"lookDate\":null")
    case .later(let time):
      bytes.append(text: "\"later\",\"lookDate\":")
      bytes.append(time: time)
    case .onMovement: bytes.append(text: "\"onMovement\",\"lookDate\":null")
    }
    bytes.append(text: ",\"receivers\":")
    append(reason.receivers, to: &bytes)
    bytes.append(text: "}")
  }

  // MARK: Names, as the options have them

  private static func name(_ service: ReceiverService) -> String {
    switch service {
    case .standard: "standard"
    case .live: "live"
    case .significantChanges: "significant"
    case .visits: "visits"
    case .regions: "regions"
    case .conditions: "conditions"
    }
  }

  private static func name(_ service: BeaconService) -> String {
    switch service {
    case .ranging: "ranging"
    case .regions: "beaconRegions"
    case .conditions: "beaconConditions"
    }
  }
}
