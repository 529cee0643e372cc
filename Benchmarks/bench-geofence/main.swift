import BenchmarkSupport
import CBoostTree
@preconcurrency import Glibc
import LocationModel

/// What one engine did with one fleet: seconds of processor time of each round.
struct Run {
  var buildSeconds: [Double] = []
  var querySeconds: [Double] = []
  var matches = 0
  var bytes = 0

  func report(_ name: String, fixes: Int, circles: Int, note: String) {
    let rate = Double(fixes) / Measurement.median(querySeconds)
    print(
      "  \(name)  build \(decimals(Measurement.median(buildSeconds), 3)) s  \(decimals(rate / 1e6, 3)) M fixes/s  "
        + "\(matches) matches  \(decimals(Double(bytes) / Double(circles), 1)) bytes a circle  \(note)")
  }
}

/// Bytes that this process holds in memory now.
func residentBytes() -> Int {
  guard let file = fopen("/proc/self/statm", "r") else { return 0 }
  defer { fclose(file) }
  var line = [CChar](repeating: 0, count: 128)
  guard fgets(&line, Int32(line.count), file) != nil else { return 0 }
  let text = line.withUnsafeBufferPointer { String(cString: $0.baseAddress!) }
  return (text.split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0) * 4096
}

func runOwn(_ fleet: GeneratedFleet, _ run: inout Run) throws -> String {
  let residentBefore = residentBytes()
  let before = Measurement.processSeconds()
  let index = try GeofenceIndex(fleet.circles)
  let built = Measurement.processSeconds()
  let residentGrowth = residentBytes() - residentBefore
  var matches = 0
  var sum: UInt64 = 0
  let start = Measurement.processSeconds()
  for (number, fix) in fleet.fixes.enumerated() {
    try index.forEachIdentifier(at: fix) { identifier in
      matches += 1
      sum &+= (UInt64(truncatingIfNeeded: identifier) &+ 1) &* (UInt64(truncatingIfNeeded: number) | 1)
    }
  }
  run.querySeconds.append(Measurement.processSeconds() - start)
  run.buildSeconds.append(built - before)
  run.matches = matches
  run.bytes = index.memoryBytes.index
  var hash = ResultHash()
  hash.add(sum)
  let circleBytes = decimals(Double(index.memoryBytes.circles) / Double(fleet.circles.count), 1)
  let resident = decimals(Double(residentGrowth) / Double(fleet.circles.count), 1)
  return "beside \(circleBytes) for the circles; resident memory grew by \(resident) in all  hash \(hash.text)"
}

/// Circles that move to another place of the fleet while the index is in use: one removal and one insertion each.
func reportChanges(_ fleet: GeneratedFleet, count: Int) throws {
  var index = try GeofenceIndex(fleet.circles)
  var random = Random(state: 20_260_606)
  var longest = 0.0
  let start = Measurement.processSeconds()
  for _ in 0..<count {
    let number = Int(random.next() * Double(fleet.circles.count))
    let other = fleet.circles[Int(random.next() * Double(fleet.circles.count))]
    let before = monotonicSeconds()
    let removed = index.remove(number)
    try index.insert(
      Geofence(identifier: number, center: other.center, radiusMeters: removed?.radiusMeters ?? other.radiusMeters))
    longest = max(longest, monotonicSeconds() - before)
  }
  let mean = (Measurement.processSeconds() - start) / Double(count)
  print(
    "  this                  \(count) removals and insertions  \(decimals(mean * 1e6, 2)) µs a pair in the mean, the longest "
      + "\(decimals(longest * 1e3, 1)) ms  \(decimals(Double(index.memoryBytes.index) / Double(index.count), 1)) bytes a circle"
  )
}

func monotonicSeconds() -> Double {
  var time = timespec()
  clock_gettime(CLOCK_MONOTONIC, &time)
  return Double(time.tv_sec) + Double(time.tv_nsec) * 1e-9
}

func runBoost(_ circles: [boost_circle], _ points: [boost_point], _ run: inout Run) {
  let resident = residentBytes()
  let before = Measurement.processSeconds()
  let tree = boost_tree_build(circles, circles.count)
  let built = Measurement.processSeconds()
  if run.bytes == 0 { run.bytes = residentBytes() - resident }
  let start = Measurement.processSeconds()
  run.matches = boost_tree_count(tree, points, points.count)
  run.querySeconds.append(Measurement.processSeconds() - start)
  run.buildSeconds.append(built - before)
  boost_tree_free(tree)
}

func compare(_ fleet: GeneratedFleet, rounds: Int) throws {
  let circles = fleet.circles.map {
    boost_circle(latitude: $0.center.latitude, longitude: $0.center.longitude, radius_meters: $0.radiusMeters)
  }
  let points = fleet.fixes.map { boost_point(latitude: $0.latitude, longitude: $0.longitude) }
  var own = Run()
  var boost = Run()
  var note = ""
  for _ in 0..<rounds {
    let said = try runOwn(fleet, &own)
    // In later rounds memory that was freed is used again, and the process grows by less than it takes.
    if note.isEmpty { note = said }
    if !isAlone { runBoost(circles, points, &boost) }
  }
  print("\(fleet.name): \(circles.count) circles, \(points.count) fixes")
  own.report("this                ", fixes: points.count, circles: circles.count, note: note)
  try reportChanges(fleet, count: fleet.circles.count / 2)
  if isAlone { return }
  boost.report("Boost.Geometry rtree", fixes: points.count, circles: circles.count, note: "(haversine)")
  try ShapelyPeer.run(fleet)
}

setvbuf(stdout, nil, _IOLBF, 0)
let isTiny = CommandLine.arguments.contains("--tiny")
/// Without the peers: for a profiler.
let isAlone = CommandLine.arguments.contains("--alone")
let circleCount = isTiny ? 20_000 : 1_000_000
let seconds = isTiny ? 20 : 1000
let rounds = isTiny ? 1 : 5
try compare(.world(circleCount: circleCount, trackCount: 1000, trackSeconds: seconds), rounds: rounds)
try compare(.city(circleCount: circleCount, trackCount: 1000, trackSeconds: seconds), rounds: rounds)
