import LocationModel

/// NMEA 0183 bytes to epochs: framing, decoding and assembling in one. No input or output of its own.
///
///     let reader = NMEAReader(.recorded)
///     reader.feed(bytes)            // any pieces
///     reader.takeEpochs(into: &epochs)
///     reader.finish()               // at the stream's end
package final class NMEAReader {
  private var framer = NMEAFramer()
  private var decoder: NMEADecoder

  package init(_ dating: NMEADating) {
    decoder = NMEADecoder(assembler: NMEAEpochAssembler(dating))
  }

  /// Reads on. `clock` is the machine's time now; nil for recordings.
  package func feed(_ piece: UnsafeBufferPointer<UInt8>, clock: WallTime? = nil) {
    decoder.clock = clock
    framer.feed(piece, into: &decoder)
  }

  package func feed(_ bytes: [UInt8], clock: WallTime? = nil) {
    bytes.withUnsafeBufferPointer { feed($0, clock: clock) }
  }

  /// A position has been read that is in no epoch yet: it waits for what follows, or for a pause.
  package var holdsEpoch: Bool { decoder.assembler.holdsEpoch }

  /// The line has been silent for longer than a receiver pauses within a cycle: the epoch is whole.
  package func flush(clock: WallTime? = nil) {
    decoder.assembler.flush(clock: clock)
  }

  /// The stream has ended.
  package func finish(clock: WallTime? = nil) {
    decoder.clock = clock
    framer.finish(into: &decoder)
    decoder.assembler.finish(clock: clock)
  }

  /// Moves the epochs read so far into `epochs`, which is emptied first and keeps its storage.
  package func takeEpochs(into epochs: inout [NMEAEpoch]) {
    epochs.removeAll(keepingCapacity: true)
    swap(&epochs, &decoder.assembler.epochs)
  }

  /// The newest headings since this was called last, for those who do not wait for their epoch; nil where none came.
  package func takeHeading() -> NMEAHeading? { decoder.assembler.takeHeading() }

  package var counts: NMEACounts {
    var counts = framer.counts
    counts.proprietary = decoder.counts.proprietary
    counts.otherSentences = decoder.counts.otherSentences
    counts.encapsulated = decoder.counts.encapsulated
    counts.cutSentences = decoder.counts.cutSentences
    counts.refusedSentences = decoder.counts.refusedSentences
    counts.refusedFields = decoder.counts.refusedFields
    counts.assumedDates = decoder.assembler.assumedDates
    counts.positionsWithoutTime = decoder.assembler.positionsWithoutTime
    return counts
  }

  /// In view or in use, by system and number.
  package var satellites: [SatelliteView] { decoder.assembler.satellites.views }
}

/// Hands each line's values to the assembler.
struct NMEADecoder: NMEALineReceiver {
  var assembler: NMEAEpochAssembler
  var clock: WallTime?
  private(set) var counts = NMEACounts()
  /// A bit for each kind that has come with a checksum.
  private var kindsWithChecksum: UInt32 = 0

  init(assembler: NMEAEpochAssembler) {
    self.assembler = assembler
  }

  @inline(__always)
  mutating func receive(_ line: NMEALine) {
    guard let (kind, talker) = NMEASentence.kind(line) else {
      countUnused(line)
      return
    }
    let bit: UInt32 = 1 << UInt32(kind.rawValue)
    if line.hasChecksum {
      kindsWithChecksum |= bit
    } else if kindsWithChecksum & bit != 0 {
      // This receiver writes checksums: the line is cut, and its last number may be cut as well.
      counts.cutSentences += 1
      return
    }
    var fields = NMEAFields(line.start + 6, end: line.end)
    // Seven of ten sentences, past the enum that holds any.
    if kind == .gsv {
      var sky = NMEASentence.GSV(&fields, talker: talker)
      assembler.satellites.add(&sky)
    } else if kind == .gsa {
      var active = NMEASentence.GSA(&fields, talker: talker)
      assembler.add(&active, clock: clock)
    } else if let sentence = NMEASentence.decode(kind, talker, &fields) {
      assembler.add(kind, sentence, tag: line.tag, clock: clock)
    } else {
      counts.refusedSentences += 1
      return
    }
    counts.refusedFields += fields.refusedCount
  }

  private mutating func countUnused(_ line: NMEALine) {
    switch NMEASentence.unused(line) {
    case .proprietary: counts.proprietary += 1
    case .other:
      counts.otherSentences += 1
      if line.isEncapsulated { counts.encapsulated += 1 }
    }
  }
}
