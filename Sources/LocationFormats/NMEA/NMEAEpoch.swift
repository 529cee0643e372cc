import LocationModel

/// What a receiver said about one moment: the sentences of one cycle together.
package struct NMEAEpoch: Equatable, Sendable {
  /// Nil where the receiver said that it has no fix (status V, quality 0, mode N, or an empty position): no location,
  /// never a place at 0, 0 (case NM-04).
  package var fix: Fix?
  /// Nil where nothing told the time; an epoch with a fix always has one.
  package var time: WallTime?
  /// No sentence of the recording has a date: the time of day is right, the date counts from 2001-01-01.
  package var isDateAssumed = false
  package var quality: FixQuality?
  /// 2 or 3 dimensions, as GSA says.
  package var dimension: Int?
  package var satellitesUsedCount: Int?
  package var horizontalDilution: Double?
  package var verticalDilution: Double?
  package var positionDilution: Double?
  /// The last heading before the epoch's end that no earlier epoch has had.
  package var heading: NMEAHeading?
  /// Magnetic declination as RMC says, east positive.
  package var magneticVariationDegrees: Double?

  package var isNoFix: Bool { fix == nil }
}

/// What has been gathered of an epoch so far.
struct NMEACycle {
  var timeOfDay: Int64 = -1
  /// A bit for each kind of sentence that has come.
  var kinds: UInt32 = 0
  /// How many of each kind, modulo 16, four bits a kind.
  var kindCounts: UInt64 = 0
  /// Given out already; what still comes of it is late.
  var isGiven = false
  var isVoid = false
  var position: NMEAPosition?
  /// Of the sentence that is the best source of it: GGA before GNS before the others.
  var quality: FixQuality?
  var qualityRank = 0
  var altitudeMeters: Double?
  var geoidSeparationMeters: Double?
  var speedMetersPerSecond: Double?
  var courseDegrees: Double?
  var satellitesUsedCount: Int?
  var horizontalDilution: Double?
  var verticalDilution: Double?
  var positionDilution: Double?
  var dimension = -1
  var latitudeDeviationMeters: Double?
  var longitudeDeviationMeters: Double?
  var altitudeDeviationMeters: Double?
  var magneticVariationDegrees: Double?
  var tagTime: WallTime?

  @inline(__always)
  func has(_ kind: NMEASentence.Kind) -> Bool { kinds & (1 << UInt32(kind.rawValue)) != 0 }

  var isPositional: Bool { kinds & 0b1111 != 0 }

  /// Remembers the sentence; returns a value that differs for every kind and its count within the cycle.
  @inline(__always)
  mutating func note(_ kind: NMEASentence.Kind) -> UInt8 {
    let shift = UInt64(kind.rawValue) * 4
    kinds |= 1 << UInt32(kind.rawValue)
    let count = (kindCounts >> shift) & 15
    kindCounts = (kindCounts & ~(15 << shift)) | ((count + 1) & 15) << shift
    return kind.rawValue << 4 | UInt8(count)
  }

  /// The position that is written most finely; of equals the first.
  @inline(__always)
  mutating func take(_ other: NMEAPosition?) {
    guard let other else { return }
    if let position, position.decimalCount >= other.decimalCount { return }
    position = other
  }

  @inline(__always)
  mutating func take(_ other: FixQuality?, rank: Int) {
    guard let other, rank > qualityRank else { return }
    quality = other
    qualityRank = rank
  }
}
