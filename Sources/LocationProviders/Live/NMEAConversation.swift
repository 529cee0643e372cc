import LinuxIO
import LocationFormats
import LocationModel

/// A receiver that speaks NMEA 0183 without being asked.
struct NMEAConversation: ReceiverProtocol {
  /// Silence within a cycle is shorter, silence between two is longer, at every speed and up to 10 positions a second.
  static let pauseSeconds = 0.06
  /// No receiver measures before this: 2026-01-01T00:00:00Z, when this was written. An earlier date is a week number
  /// that has begun again (case NM-01).
  static let dateFloor = WallTime(
    nanosecondsSince1970: InternetTime.daysSince1970(year: 2026, month: 1, day: 1) * 86_400_000_000_000)
  static let satelliteIntervalSeconds = 1.0

  private let reader: NMEAReader
  private let endsPieces: Bool
  private var search: SpeedSearch?
  private var epochs: [NMEAEpoch] = []
  private var checkedCount = 0
  private var pauseAt: Instant?
  private var satellitesToldAt: Instant?
  private var isFirstPiece = true
  private(set) var foreignByteCount = 0

  /// - Parameters:
  ///   - search: for serial ports.
  ///   - endsPieces: a piece that ends with a checksum ends a sentence, as a datagram does even without its line end;
  ///     one that ends in the middle goes on in the next.
  init(search: SpeedSearch? = nil, endsPieces: Bool = false, dateFloor: WallTime = Self.dateFloor) {
    reader = NMEAReader(.live(floor: dateFloor))
    self.search = search
    self.endsPieces = endsPieces
  }

  var malformedCount: Int {
    let counts = reader.counts
    return counts.badChecksums + counts.fragments + counts.overlong + counts.refusedSentences
  }

  var understoodCount: Int { reader.counts.sentences }

  var topic: SentenceTopic {
    let counts = reader.counts
    guard counts.sentences > 0, counts.otherSentences + counts.proprietary == counts.sentences else { return .own }
    return counts.encapsulated > 0 ? .otherShips : .other
  }

  var deadline: Instant? {
    // A pause that nothing waits for is noticed when it is over: no timer rings between two whole cycles.
    Instant.earlier(reader.holdsEpoch ? pauseAt : nil, search?.deadline)
  }

  mutating func begin(at arrival: Arrival, _ reports: inout [ReceiverReport]) {
    search?.begin(at: arrival.instant)
  }

  mutating func receive(
    _ bytes: UnsafeRawBufferPointer, at arrival: Arrival, _ reports: inout [ReceiverReport]
  ) {
    // No gpsd sends datagrams, and what a stranger sends ends nothing.
    if isFirstPiece && !endsPieces && Self.isGreetingOfGPSD(bytes) {
      reports.append(.unusable(.speaksGPSD, "speaks gpsd's protocol and not NMEA 0183"))
      return
    }
    isFirstPiece = false
    endPause(at: arrival)
    bytes.withMemoryRebound(to: UInt8.self) { reader.feed($0, clock: arrival.wallTime) }
    if endsPieces, Self.endsWithChecksum(bytes) { reader.feed([0x0A], clock: arrival.wallTime) }
    pauseAt = arrival.instant.advanced(bySeconds: Self.pauseSeconds)
    let counts = reader.counts
    let checked = counts.sentences - counts.withoutChecksum
    let newChecked = checked - checkedCount
    checkedCount = checked
    // Noise can look like a sentence without a checksum: such a one counts as soon as it tells a position, or none.
    if newChecked > 0 { reports.append(.alive) }
    foreignByteCount = newChecked > 0 ? 0 : foreignByteCount + bytes.count
    listen(byteCount: bytes.count, sentenceCount: newChecked, at: arrival, &reports)
    giveHeading(at: arrival, &reports)
    giveEpochs(at: arrival, &reports)
  }

  /// The newest of the piece: a compass speaks more often than a receiver has a position.
  private mutating func giveHeading(at arrival: Arrival, _ reports: inout [ReceiverReport]) {
    guard let heading = reader.takeHeading() else { return }
    if let degrees = heading.trueDegrees {
      reports.append(.heading(HeadingSample(.fromTrueNorth(degrees: degrees), time: arrival.wallTime)))
    } else if let degrees = heading.magneticDegrees {
      reports.append(.heading(HeadingSample(.magnetic(degrees: degrees), time: arrival.wallTime)))
    }
  }

  /// Its first line, which says which release it is.
  private static func isGreetingOfGPSD(_ bytes: UnsafeRawBufferPointer) -> Bool {
    bytes.starts(with: Array(#"{"class":"VERSION""#.utf8))
  }

  /// Whether the last three bytes are `*` and two hexadecimal digits.
  private static func endsWithChecksum(_ bytes: UnsafeRawBufferPointer) -> Bool {
    guard bytes.count >= 3, bytes[bytes.count - 3] == UInt8(ascii: "*") else { return false }
    return bytes.suffix(2).allSatisfy { Character(UnicodeScalar($0)).isHexDigit }
  }

  private mutating func listen(
    byteCount: Int, sentenceCount: Int, at arrival: Arrival, _ reports: inout [ReceiverReport]
  ) {
    guard let wasFound = search?.isFound else { return }
    let changed = search?.hear(byteCount: byteCount, sentenceCount: sentenceCount, at: arrival.instant)
    if let changed { reports.append(.setSpeed(changed)) }
    if let search, search.isFound, !wasFound { reports.append(.speedFound(search.speed)) }
  }

  mutating func expire(at arrival: Arrival, _ reports: inout [ReceiverReport]) {
    endPause(at: arrival)
    giveEpochs(at: arrival, &reports)
    if let changed = search?.expire(at: arrival.instant) { reports.append(.setSpeed(changed)) }
  }

  private mutating func endPause(at arrival: Arrival) {
    guard let pauseAt, pauseAt <= arrival.instant else { return }
    self.pauseAt = nil
    reader.flush(clock: arrival.wallTime)
  }

  mutating func finish(at arrival: Arrival, _ reports: inout [ReceiverReport]) {
    reader.finish(clock: arrival.wallTime)
    giveEpochs(at: arrival, &reports)
  }

  private mutating func giveEpochs(at arrival: Arrival, _ reports: inout [ReceiverReport]) {
    reader.takeEpochs(into: &epochs)
    guard !epochs.isEmpty else { return }
    foreignByteCount = 0
    for epoch in epochs { reports.append(epoch.fix.map(ReceiverReport.fix) ?? .noFix) }
    if let told = satellitesToldAt, arrival.instant.seconds(since: told) < Self.satelliteIntervalSeconds { return }
    satellitesToldAt = arrival.instant
    reports.append(.satellites(reader.satellites))
  }
}
