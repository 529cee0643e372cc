import LocationModel

/// NMEA 0183 bytes to epochs: framing, decoding and assembling in one. No input or output of its own.
///
///     let reader = NMEAReader(.recorded)
///     reader.feed(bytes)            // any pieces
///     reader.takeEpochs(into: &epochs)
///     reader.finish()               // at the stream's end
package final class NMEAReader {
  private var framer = NMEAFramer()
  private var assembler: NMEAEpochAssembler
  private var meanings = NMEACounts()

  package init(_ dating: NMEADating) {
    assembler = NMEAEpochAssembler(dating)
  }

  /// Reads on. `clock` is the machine's time now; nil for recordings.
  package func feed(_ piece: UnsafeBufferPointer<UInt8>, clock: WallTime? = nil) {
    framer.feed(piece) { line in receive(line, clock: clock) }
  }

  package func feed(_ bytes: [UInt8], clock: WallTime? = nil) {
    bytes.withUnsafeBufferPointer { feed($0, clock: clock) }
  }

  /// The line has been silent for longer than a receiver pauses within a cycle: the epoch is whole.
  package func flush(clock: WallTime? = nil) {
    assembler.flush(clock: clock)
  }

  /// The stream has ended.
  package func finish(clock: WallTime? = nil) {
    framer.finish { line in receive(line, clock: clock) }
    assembler.finish(clock: clock)
  }

  /// Moves the epochs read so far into `epochs`, which is emptied first and keeps its storage.
  package func takeEpochs(into epochs: inout [NMEAEpoch]) {
    epochs.removeAll(keepingCapacity: true)
    swap(&epochs, &assembler.epochs)
  }

  package var counts: NMEACounts {
    var counts = framer.counts
    counts.proprietary = meanings.proprietary
    counts.otherSentences = meanings.otherSentences
    counts.refusedSentences = meanings.refusedSentences
    counts.refusedFields = meanings.refusedFields
    counts.positionsWithoutTime = assembler.positionsWithoutTime
    return counts
  }

  /// In view or in use, by system and number.
  package var satellites: [SatelliteView] { assembler.satellites.views }

  @inline(__always)
  private func receive(_ line: NMEALine, clock: WallTime?) {
    guard let (kind, talker) = NMEASentence.kind(line) else {
      countUnused(line)
      return
    }
    var fields = NMEAFields(line.start + 6, end: line.end)
    guard let sentence = NMEASentence.decode(kind, talker, &fields) else {
      meanings.refusedSentences += 1
      return
    }
    meanings.refusedFields += fields.refusedCount
    assembler.add(kind, sentence, tag: line.tag, clock: clock)
  }

  private func countUnused(_ line: NMEALine) {
    switch NMEASentence.unused(line) {
    case .proprietary: meanings.proprietary += 1
    case .other: meanings.otherSentences += 1
    }
  }
}
