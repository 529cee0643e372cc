/// What a stream of NMEA bytes held, for `doctor` and for tests. Counts only grow and do not depend on how the bytes
/// were cut into pieces.
package struct NMEACounts: Equatable, Sendable {
  /// Framed, complete, checksum right or absent: `$` and `!` sentences of every kind.
  package var sentences = 0
  /// Framed without a checksum. IEC 61162-1 asks for one, older receivers leave it out: such a sentence is used unless
  /// its kind has come with one before.
  package var withoutChecksum = 0
  package var badChecksums = 0
  /// Begun and not ended before another began, or broken by a byte that no sentence may hold.
  package var fragments = 0
  /// Longer than `NMEAFramer.sentenceBytesMax`.
  package var overlong = 0
  package var tagBlocks = 0
  package var badTagBlocks = 0
  /// Bytes outside sentences, line ends apart, and the bytes of discarded ones.
  package var noiseBytes = 0
  /// `$P…` of a manufacturer.
  package var proprietary = 0
  /// `!` sentences (AIS) and `$` sentences of kinds that say nothing about place, speed, direction or satellites.
  package var otherSentences = 0
  /// Those of them that begin with `!`: AIS.
  package var encapsulated = 0
  /// Without a checksum, of a kind that has come with one before: the end of the line is missing. Not used.
  package var cutSentences = 0
  /// Known kinds whose time or position cannot be read or is out of range: nothing of them is used.
  package var refusedSentences = 0
  /// Other fields that cannot be read or are out of range; the rest of their sentence is used.
  package var refusedFields = 0
  /// Positions of a recording without a date that can be: their days count from 2001-01-01.
  package var assumedDates = 0
  /// Positions that nothing gives a time for, dropped.
  package var positionsWithoutTime = 0

  package init() {}
}
