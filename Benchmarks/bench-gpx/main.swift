import BenchmarkSupport
import Glibc
import LocationFormats
import LocationModel
import LocationProviders

/// One pass over the file with the parser alone.
func parse(_ path: String) -> (pointCount: Int, hash: ResultHash)? {
  let file = open(path, O_RDONLY | O_CLOEXEC)
  guard file >= 0 else { return nil }
  defer { close(file) }
  let parser = GPXParser()
  var points: [TrackPoint] = []
  var pointCount = 0
  var hash = ResultHash()
  do {
    while true {
      let room = try parser.buffer()
      let count = read(file, room.baseAddress, room.count)
      try parser.parseBuffer(count: max(count, 0), isLast: count <= 0)
      parser.takePoints(into: &points)
      pointCount += points.count
      for point in points {
        hash.add(point.coordinate.latitude)
        hash.add(point.coordinate.longitude)
        hash.add(point.elevationMeters ?? .nan)
        hash.add(UInt64(bitPattern: point.time?.nanosecondsSince1970 ?? 0))
      }
      if count <= 0 { return (pointCount, hash) }
    }
  } catch {
    print("bench-gpx: \(error)")
    return nil
  }
}

/// One pass from the file to the fixes that an app would get, with the moments at which they are due.
func schedule(_ path: String) -> (pointCount: Int, hash: ResultHash)? {
  var pointCount = 0
  var hash = ResultHash()
  do throws(ReplayError) {
    let schedule = ReplaySchedule(try TrackReader(path: path))
    while let scheduled = try schedule.next() {
      pointCount += 1
      hash.add(UInt64(bitPattern: scheduled.offsetNanoseconds))
      hash.add(scheduled.fix.coordinate.latitude)
      hash.add(scheduled.fix.coordinate.longitude)
      hash.add(scheduled.fix.altitudeMeters ?? .nan)
    }
  } catch {
    print("bench-gpx: \(error)")
    return nil
  }
  return (pointCount, hash)
}

/// Runs `gpsbabel -t -i gpx -f PATH` and waits; nil where it is not installed or fails.
func runPeer(_ path: String) -> Double? {
  let before = Measurement.childSeconds()
  let words: [String] = ["gpsbabel", "-t", "-i", "gpx", "-f", path]
  let arguments: [UnsafeMutablePointer<CChar>?] = words.map { strdup($0) } + [nil]
  defer { for argument in arguments { free(argument) } }
  var child = pid_t()
  guard posix_spawnp(&child, "gpsbabel", nil, nil, arguments, environ) == 0 else { return nil }
  var status: Int32 = 0
  guard waitpid(child, &status, 0) == child, status == 0 else { return nil }
  return Measurement.childSeconds() - before
}

/// `--tiny`: 10,000 points and one round. `--file PATH`: a file of yours instead of the generated one.
func run() -> Int32 {
  let isTiny = CommandLine.arguments.contains("--tiny")
  let rounds = isTiny ? 1 : 5
  if let flag = CommandLine.arguments.firstIndex(of: "--file"), flag + 1 < CommandLine.arguments.count {
    return measure(CommandLine.arguments[flag + 1], pointCount: nil, rounds: rounds)
  }
  let pointCount = isTiny ? 10_000 : 1_000_000
  let path = (getenv("TMPDIR").map { String(cString: $0) } ?? "/tmp") + "/bench-gpx-\(getpid()).gpx"
  defer { unlink(path) }
  guard GeneratedTrack.write(to: path, pointCount: pointCount) else {
    print("bench-gpx: cannot write \(path)")
    return 1
  }
  return measure(path, pointCount: pointCount, rounds: rounds)
}

/// Alternating rounds over one file; with `pointCount` the answers must have so many points.
func measure(_ path: String, pointCount: Int?, rounds: Int) -> Int32 {
  var runs = Runs()
  for _ in 0..<rounds {
    guard let points = runs.time(\.parser, { parse(path) }), let fixes = runs.time(\.fixes, { schedule(path) }),
      points.pointCount == pointCount ?? points.pointCount, fixes.pointCount == pointCount ?? fixes.pointCount
    else {
      print("bench-gpx: the parser did not give all points")
      return 1
    }
    runs.pointCount = points.pointCount
    runs.hash = points.hash.text + " " + fixes.hash.text
    if let seconds = runPeer(path) { runs.peer.append(seconds) }
  }
  runs.report()
  return 0
}

/// Processor seconds of every round.
struct Runs {
  var parser: [Double] = []
  var fixes: [Double] = []
  var peer: [Double] = []
  var pointCount = 0
  var hash = ""

  mutating func time<Result>(_ path: WritableKeyPath<Runs, [Double]>, _ work: () -> Result) -> Result {
    let before = Measurement.processSeconds()
    let result = work()
    self[keyPath: path].append(Measurement.processSeconds() - before)
    return result
  }

  func report() {
    func rate(_ seconds: [Double]) -> Double { Double(pointCount) / Measurement.median(seconds) }
    func line(_ name: String, _ seconds: [Double]) {
      let ratio = peer.isEmpty ? "" : "  ratio \(decimals(rate(seconds) / rate(peer), 2))"
      print("\(name)  \(decimals(rate(seconds), 0)) points/s  \(decimals(Measurement.median(seconds), 3)) s\(ratio)")
    }
    print("\(pointCount) points, \(parser.count) round(s), medians of processor time")
    line("GPX to points   ", parser)
    line("GPX to fixes    ", fixes)
    if peer.isEmpty { print("gpsbabel is not installed: no ratio") } else { line("gpsbabel -t     ", peer) }
    if let bytes = Measurement.peakMemoryBytes() { print("peak memory       \(decimals(Double(bytes) / 1e6, 1)) MB") }
    print("hash              \(hash)")
  }
}

exit(run())
