import CGeographic

/// How the ellipsoid is cut into cells for circles up to a greatest radius, the reach.
///
/// Rows of latitude are as high as the reach, so that a circle that holds a point has its centre in the point's row or
/// in one beside it. Each row is cut into columns, about four to the reach; their number belongs to a band of rows.
/// Towards the poles there are fewer, at last one: a pole and the date line need no rule of their own.
///
/// Reaches are rounded up, by far more than floating-point arithmetic errs: a cell too many costs time, one too few
/// would lose a circle.
struct GridShape: BitwiseCopyable, @unchecked Sendable {
  struct Band: BitwiseCopyable {
    var columnCount: Int32
    var columnsPerDegree: Double
    /// The reach in degrees of longitude anywhere in the band; negative near a pole, where it is worked out anew.
    var longitudeReach: Double
  }

  /// The greatest radii in metres: each grid takes what the one before it is too fine for.
  static let reachesMeters: [Double] = [62.5, 250, 1_000, 4_000, 16_000, 64_000, 256_000, 1_024_000]
  static let all: [GridShape] = reachesMeters.map(GridShape.init(reachMeters:))

  private static let greatestBandCount = 1024
  /// Columns that share a block, which lies in one cache line of the grid's offsets.
  static let blockBits = 4
  /// Columns that share a mark in the grid's table of occupied cells.
  static let markBits = 2

  let reachMeters: Double
  let rowsPerDegree: Double
  let rowCount: Int
  private let bandShift: Int
  /// Made once for the life of the process, shared by all indexes and never changed: so the shape is Sendable.
  private let bands: UnsafeMutablePointer<Band>

  private init(reachMeters: Double) {
    self.reachMeters = reachMeters
    let height = Self.latitudeReach(meters: reachMeters)
    rowsPerDegree = 1 / height
    rowCount = Int(180 / height) + 1
    var shift = 0
    while (rowCount - 1) >> shift >= Self.greatestBandCount { shift += 1 }
    bandShift = shift
    let bandCount = ((rowCount - 1) >> shift) + 1
    bands = .allocate(capacity: bandCount)
    for index in 0..<bandCount {
      let south = Double(index << shift) * height - 90
      let north = Double((index + 1) << shift) * height - 90
      let steepest = min(90, max(abs(south), abs(north)))
      let reach = Self.longitudeReach(latitude: steepest, meters: reachMeters)
      let reachBeside = Self.longitudeReach(latitude: min(90, steepest + height), meters: reachMeters)
      let columns = reachBeside >= 90 ? 1 : max(1, Int(4 * 360 / reachBeside))
      (bands + index).initialize(
        to: Band(
          columnCount: Int32(columns), columnsPerDegree: Double(columns) / 360, longitudeReach: reach >= 90 ? -1 : reach
        ))
    }
  }

  /// How far in latitude a place can be that is so many metres away: a degree has at least 110,574.27 m, at the
  /// equator, where the meridian is bent most.
  static func latitudeReach(meters: Double) -> Double {
    meters / 110_574.27 * (1 + 1e-6) + 1e-9
  }

  /// How far in longitude such a place can be; 180 where it can lie beyond a pole.
  ///
  /// On the sphere of reduced latitudes with the radius b no two places are farther apart than on the ellipsoid (see
  /// `LargeCircle`), and there a circle of the angle ε spans asin(sin ε / cos β). The reduced latitude β is no farther
  /// from the equator than the latitude.
  static func longitudeReach(latitude: Double, meters: Double) -> Double {
    let angle = meters / ChordBound.semiMinorAxisMeters
    guard abs(latitude) + angle * degreesPerRadian < 90 else { return 180 }
    let sine = geographic_sine(angle) / cosineOfDegrees(latitude)
    guard sine < 1 else { return 180 }
    return geographic_arcsine(sine) * degreesPerRadian * (1 + 1e-6) + 1e-9
  }

  /// How far in longitude a circle of at most the reach can go.
  ///
  /// Where the band knows what the reach itself spans, a part of the radius spans at most that part of it: as a
  /// function of ε, asin(sin ε / cos β) is convex and 0 at 0.
  func longitudeReach(_ circle: ExactCircle) -> Double {
    let whole = band(row: row(latitude: circle.latitude)).longitudeReach
    if whole >= 0 { return whole * (circle.radiusMeters / reachMeters) + 1e-9 }
    return Self.longitudeReach(latitude: circle.latitude, meters: circle.radiusMeters)
  }

  private static let degreesPerRadian = 180 / Double.pi

  @inline(__always)
  func row(latitude: Double) -> Int {
    min(max(Int((latitude + 90) * rowsPerDegree), 0), rowCount - 1)
  }

  @inline(__always)
  func band(row: Int) -> Band { bands[row &>> bandShift] }

  @inline(__always)
  func column(longitude: Double, in band: Band) -> Int {
    min(max(Int((longitude + 180) * band.columnsPerDegree), 0), Int(band.columnCount) - 1)
  }

  /// The columns of a band that hold longitudes no farther than the reach from one: a run, and a second one where the
  /// first would cross the date line. Ends are included.
  @inline(__always)
  func columns(around longitude: Double, reach: Double, in band: Band) -> ColumnRuns {
    let count = Int(band.columnCount)
    // A turn is added before the conversion, which cuts towards zero, and taken off after it.
    let first = Int((longitude - reach + 540) * band.columnsPerDegree) - count
    let last = Int((longitude + reach + 540) * band.columnsPerDegree) - count
    if last - first + 1 >= count { return ColumnRuns(first: 0, last: count - 1) }
    if first < 0 {
      return ColumnRuns(first: 0, last: last, secondFirst: first + count, secondLast: count - 1)
    }
    if last >= count {
      return ColumnRuns(first: first, last: count - 1, secondFirst: 0, secondLast: last - count)
    }
    return ColumnRuns(first: first, last: last)
  }
}

/// One or two runs of columns, ends included; a second run that ends before it begins is none.
struct ColumnRuns {
  var first: Int
  var last: Int
  var secondFirst = 0
  var secondLast = -1
}

/// Spreads the numbers of cells over a table whose length is a power of two.
enum CellHash {
  @inline(__always)
  static func value(_ row: Int, _ column: Int) -> UInt64 {
    mixed(UInt64(truncatingIfNeeded: row) &<< 32 | UInt64(truncatingIfNeeded: column))
  }

  @inline(__always)
  static func mixed(_ value: UInt64) -> UInt64 {
    var bits = value &* 0x9E37_79B9_7F4A_7C15
    bits ^= bits >> 32
    return bits &* 0xD6E8_FEB8_6659_FD93
  }

  /// `shift` is 64 less the table's bits, at least 1 of them.
  @inline(__always)
  static func index(_ row: Int, _ column: Int, shift: UInt64) -> Int {
    Int(truncatingIfNeeded: value(row, column) &>> shift)
  }
}
