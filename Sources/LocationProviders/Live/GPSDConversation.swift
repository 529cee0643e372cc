import LocationFormats
import LocationModel

/// gpsd's side of a connection: its greeting is waited for, then its JSON is asked for (gpsd(8), gpsd_json(5)).
struct GPSDConversation: ReceiverProtocol {
  /// A server that has not greeted by then is not gpsd, which greets at once.
  static let greetingSeconds = 5.0
  static let protocolMajor = 3
  static let watch = Array("?WATCH={\"enable\":true,\"json\":true};\n".utf8)
  /// More receivers than anybody has; the paths come from outside.
  static let devicesMax = 32

  private var decoder = GPSDDecoder()
  private var epochs: [String: GPSDEpochs] = [:]
  private var statistics: [String: GPSDErrorStatistics] = [:]
  private var devices: [GPSDDevice] = []
  private var greetingDeadline: Instant?
  private var isGreeted = false
  private var isPlaced = false
  private(set) var foreignByteCount = 0

  var malformedCount: Int { decoder.malformedCount }
  var understoodCount: Int { decoder.understoodCount }

  var topic: SentenceTopic { decoder.shipCount > 0 && !isPlaced ? .otherShips : .own }

  var deadline: Instant? {
    greetingDeadline ?? epochs.values.compactMap(\.deadline).min()
  }

  mutating func begin(at arrival: Arrival, _ reports: inout [ReceiverReport]) {
    greetingDeadline = arrival.instant.advanced(bySeconds: Self.greetingSeconds)
  }

  mutating func receive(
    _ bytes: UnsafeRawBufferPointer, at arrival: Arrival, _ reports: inout [ReceiverReport]
  ) {
    var lines: [GPSDReport] = []
    let understoodCount = decoder.understoodCount
    decoder.decode(bytes) { lines.append($0) }
    foreignByteCount = decoder.understoodCount == understoodCount ? foreignByteCount + bytes.count : 0
    if !isGreeted && lines.isEmpty && decoder.malformedCount > 0 {
      let isSentence = bytes.first == UInt8(ascii: "$") || bytes.first == UInt8(ascii: "!")
      reports.append(
        isSentence
          ? .unusable(.speaksSentences, "speaks NMEA 0183 and not gpsd's protocol")
          : .unusable(.foreign, "does not speak gpsd's protocol"))
    }
    for line in lines { take(line, at: arrival, &reports) }
  }

  mutating func expire(at arrival: Arrival, _ reports: inout [ReceiverReport]) {
    if let greetingDeadline, greetingDeadline <= arrival.instant {
      self.greetingDeadline = nil
      reports.append(.unusable(.silent, "does not greet as gpsd does"))
    }
    giveHeld(dueAt: arrival.instant, arrival, &reports)
  }

  mutating func finish(at arrival: Arrival, _ reports: inout [ReceiverReport]) {
    giveHeld(dueAt: Instant(nanoseconds: .max), arrival, &reports)
  }

  private mutating func giveHeld(dueAt: Instant, _ arrival: Arrival, _ reports: inout [ReceiverReport]) {
    for device in epochs.keys.sorted() {
      if let position = epochs[device]?.expire(at: dueAt) { give(position, at: arrival, &reports) }
    }
  }

  private mutating func take(_ line: GPSDReport, at arrival: Arrival, _ reports: inout [ReceiverReport]) {
    if case .version(let version) = line {
      greet(version, &reports)
      return
    }
    guard isGreeted else { return }
    switch line {
    case .position(let position): take(position, at: arrival, &reports)
    case .sky(let sky):
      guard let satellites = sky.satellites else { return }
      reports.append(.satellites(satellites.compactMap(SatelliteView.init)))
    case .errors(let errors):
      let device = errors.device ?? ""
      if statistics[device] != nil || statistics.count < Self.devicesMax { statistics[device] = errors }
    case .devices(let list):
      devices = Array(list.prefix(Self.devicesMax))
      tellDevices(&reports)
      if devices.isEmpty { reports.append(.receiverLost(.withoutReceiver, "has no receiver")) }
    case .device(let device): change(device, &reports)
    case .attitude(let attitude):
      guard let degrees = attitude.headingDegrees, (0...360).contains(degrees) else { return }
      reports.append(.heading(HeadingSample(.fromTrueNorth(degrees: degrees), time: arrival.wallTime)))
    case .version, .failure: break
    }
  }

  private mutating func greet(_ version: GPSDVersion, _ reports: inout [ReceiverReport]) {
    greetingDeadline = nil
    guard version.protocolMajor == Self.protocolMajor else {
      let found = version.protocolMajor.map { "version \($0)" } ?? "no version"
      reports.append(
        .unusable(
          .otherVersion, "speaks \(found) of its protocol, version \(Self.protocolMajor) is understood here"))
      return
    }
    isGreeted = true
    reports.append(.greeted(sender: version.release.map { "gpsd \(PrintableText.of($0))" }))
    reports.append(.send(Self.watch))
  }

  private mutating func take(_ position: GPSDPosition, at arrival: Arrival, _ reports: inout [ReceiverReport]) {
    let device = position.device ?? ""
    if position.mode ?? 0 >= 2 { isPlaced = true }
    guard epochs[device] != nil || epochs.count < Self.devicesMax else { return }
    var position = position
    position.arrival = arrival.wallTime
    for complete in epochs[device, default: GPSDEpochs()].take(position, at: arrival.instant) {
      give(complete, at: arrival, &reports)
    }
    reports.append(.alive)
  }

  private func give(_ position: GPSDPosition, at arrival: Arrival, _ reports: inout [ReceiverReport]) {
    let errors = statistics[position.device ?? ""]
    let fix = position.fix(receivedAt: position.arrival ?? arrival.wallTime, errors: errors)
    reports.append(fix.map(ReceiverReport.fix) ?? .noFix)
  }

  private mutating func change(_ device: GPSDDevice, _ reports: inout [ReceiverReport]) {
    guard let path = device.path.map(PrintableText.of) else { return }
    devices.removeAll { $0.path.map(PrintableText.of) == path }
    if device.isActive != false && devices.count < Self.devicesMax { devices.append(device) }
    tellDevices(&reports)
    if device.isActive == false && devices.isEmpty {
      reports.append(.receiverLost(.withoutReceiver, "has lost its receiver \(path)"))
    }
  }

  private func tellDevices(_ reports: inout [ReceiverReport]) {
    reports.append(.devices(devices.compactMap { $0.path.map(PrintableText.of) }))
  }
}
