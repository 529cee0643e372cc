/// The circles of one reach, laid out so that a question reads little memory and all of it in a row.
///
/// - A circle is one record: its centre and its radius as 32-bit numbers, and its slot. Records are sorted by the
///   bucket of the centre's cell; the buckets of a block of 16 columns lie side by side. Four of them share a cache
///   line, a `Quad`, and are compared at once.
/// - `marks` has three bits for each cell that a circle may touch, all in one word: a Bloom filter of one read. Where
///   one of them is not set no circle holds the point: the end of most questions. Squares of 16 cells share a cache
///   line.
/// - Circles that came after the records were sorted are `late` ones, in chains by block, until `build` sorts all
///   again.
///
/// Plain memory that `CircleGrid` owns; see `UnmanagedArray`.
struct GridLevel {
  /// Four records: 64 bytes. Where there is none, the radius is NaN.
  struct Quad: BitwiseCopyable {
    var x = SIMD4<Int32>(repeating: 0)
    var y = SIMD4<Int32>(repeating: 0)
    var z = SIMD4<Int32>(repeating: 0)
    var radius = SIMD4<Float>(repeating: .nan)
  }

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

  var quads = UnmanagedArray<Quad>()
  /// The slot of each record; empty as long as they are `firstSlot` and what follows it.
  var slots = UnmanagedArray<Int32>()
  var firstSlot: Int32 = 0
  /// Where each bucket's records begin; one more at the end.
  var bucketStarts = UnmanagedArray<UInt32>()
  var blockShift: UInt64 = 63
  var marks = UnmanagedArray<UInt64>()
  /// 64 less the bits of a line's number; a line is eight words.
  var markShift: UInt64 = 63

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

  func release() {
    quads.release()
    slots.release()
    bucketStarts.release()
    marks.release()
    late.release()
    lateHeads.release()
  }

  func copy() -> GridLevel {
    var level = self
    level.quads = quads.copy()
    level.slots = slots.copy()
    level.bucketStarts = bucketStarts.copy()
    level.marks = marks.copy()
    level.late = late.copy()
    level.lateHeads = lateHeads.copy()
    return level
  }

  var byteCount: Int {
    quads.byteCount + slots.byteCount + bucketStarts.byteCount + marks.byteCount + late.byteCount
      + lateHeads.byteCount
  }

  /// The radius that the chord is compared with: in the middle of its bounds.
  static func chordRadius(_ circle: ExactCircle) -> Float {
    let half = ChordBound.halfWidthMeters(radiusMeters: circle.radiusMeters)
    return Float((circle.radiusMeters - half) * GridPosition.unitsPerMeter)
  }

  @inline(__always)
  func slot(record: Int) -> Int32 {
    slots.count == 0 ? firstSlot &+ Int32(truncatingIfNeeded: record) : slots[record]
  }

  /// Where the marks of a cell are: a word, and three of its bits.
  @inline(__always)
  func place(ofMarkRow row: Int, cell: Int) -> (word: Int, bits: UInt64) {
    let square = CellHash.value(row &>> 2, cell &>> 2)
    let inSquare = UInt64(truncatingIfNeeded: (row & 3) &<< 2 | (cell & 3))
    let own = CellHash.mixed(square &+ inSquare)
    let line = Int(truncatingIfNeeded: square &>> markShift)
    return (
      line &<< 3 | Int(truncatingIfNeeded: own &>> 61), 1 &<< own | 1 &<< (own &>> 6) | 1 &<< (own &>> 12)
    )
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
