/// The circles of one reach, laid out so that a question reads little memory and all of it in a row.
///
/// - A circle is one record: its centre and its radius as 32-bit numbers, and its slot. Records are sorted by the
///   bucket of the centre's cell; the buckets of a block of 16 columns lie side by side.
/// - `marks` has a bit for each cell that a circle may touch (cells hash to bits, so a bit can be set for another
///   cell too). Where it is not set no circle holds the point: the end of most questions.
/// - Circles that came after the records were sorted are `late` ones, in chains by block, until `build` sorts all again.
///
/// Plain memory that `CircleGrid` owns; see `UnmanagedArray`.
struct GridLevel {
  /// A circle that is no record yet. `next` is the index of the next one in its chain, -1 at the end.
  struct Late {
    var x: Int32
    var y: Int32
    var z: Int32
    var radius: Float
    var slot: Int32
    var row: Int32
    var block: Int32
    var next: Int32
  }

  let shape: GridShape
  /// What separates certain from uncertain, in units of `GridPosition`: see `Tolerance`.
  let tolerance: Float
  /// Circles that are there: neither removed ones nor padding.
  var liveCount = 0
  var recordCount = 0
  var lateCount = 0
  /// Records and late ones whose circle has been removed: their radius is NaN, and no distance is at most NaN.
  var removedCount = 0

  var x = UnmanagedArray<Int32>()
  var y = UnmanagedArray<Int32>()
  var z = UnmanagedArray<Int32>()
  var radius = UnmanagedArray<Float>()
  var slots = UnmanagedArray<Int32>()
  /// Where each bucket's records begin; one more at the end.
  var bucketStarts = UnmanagedArray<UInt32>()
  var blockShift: UInt64 = 63
  var marks = UnmanagedArray<UInt64>()
  var markShift: UInt64 = 58

  var late = UnmanagedArray<Late>()
  var lateHeads = UnmanagedArray<Int32>()
  var lateShift: UInt64 = 63

  init(shape: GridShape) {
    self.shape = shape
    // Rounding of positions; the half width of the chord's bound; and that of float arithmetic: each of the two
    // squares that are compared errs by less than 6 parts of 2^24, the root of it by 3, together below 4e-7.
    let reach = shape.reachMeters
    let meters =
      GridPosition.roundingMeters + ChordBound.halfWidthMeters(radiusMeters: reach) * 1.000_001 + reach * 4e-7 + 1e-4
    tolerance = Float(meters * GridPosition.unitsPerMeter)
  }

  /// More records than this pad the end, so that four can be read at once from any of them.
  static let padding = 4

  func release() {
    x.release()
    y.release()
    z.release()
    radius.release()
    slots.release()
    bucketStarts.release()
    marks.release()
    late.release()
    lateHeads.release()
  }

  func copy() -> GridLevel {
    var level = self
    level.x = x.copy()
    level.y = y.copy()
    level.z = z.copy()
    level.radius = radius.copy()
    level.slots = slots.copy()
    level.bucketStarts = bucketStarts.copy()
    level.marks = marks.copy()
    level.late = late.copy()
    level.lateHeads = lateHeads.copy()
    return level
  }

  var byteCount: Int {
    x.byteCount + y.byteCount + z.byteCount + radius.byteCount + slots.byteCount + bucketStarts.byteCount
      + marks.byteCount + late.byteCount + lateHeads.byteCount
  }

  /// The radius that the chord is compared with: in the middle of its bounds.
  static func chordRadius(_ circle: ExactCircle) -> Float {
    let half = ChordBound.halfWidthMeters(radiusMeters: circle.radiusMeters)
    return Float((circle.radiusMeters - half) * GridPosition.unitsPerMeter)
  }

  /// The first bucket of a block.
  @inline(__always)
  func firstBucket(row: Int, block: Int) -> Int {
    CellHash.index(row, block, shift: blockShift) << GridShape.blockBits
  }

  func bucket(of circle: ExactCircle) -> Int {
    let row = shape.row(latitude: circle.latitude)
    let column = shape.column(longitude: circle.longitude, in: shape.band(row: row))
    return firstBucket(row: row, block: column >> GridShape.blockBits) + (column & (1 << GridShape.blockBits - 1))
  }
}
