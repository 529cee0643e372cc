import BenchmarkSupport
import Glibc
import LocationFormats
import LocationModel

/// One pass over the file with the product's parser, as `TrackReader` drives it.
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

func run() -> Int32 {
  let isTiny = CommandLine.arguments.contains("--tiny")
  let pointCount = isTiny ? 10_000 : 1_000_000
  let rounds = isTiny ? 1 : 5
  let path = (getenv("TMPDIR").map { String(cString: $0) } ?? "/tmp") + "/bench-gpx-\(getpid()).gpx"
  defer { unlink(path) }
  guard GeneratedTrack.write(to: path, pointCount: pointCount) else {
    print("bench-gpx: cannot write \(path)")
    return 1
  }
  var own: [Double] = []
  var peer: [Double] = []
  var hash = ""
  for _ in 0..<rounds {
    let before = Measurement.processSeconds()
    guard let result = parse(path), result.pointCount == pointCount else {
      print("bench-gpx: the parser did not give \(pointCount) points")
      return 1
    }
    own.append(Measurement.processSeconds() - before)
    hash = result.hash.text
    if let seconds = runPeer(path) { peer.append(seconds) }
  }
  report(pointCount: pointCount, own: own, peer: peer, hash: hash)
  return 0
}

func report(pointCount: Int, own: [Double], peer: [Double], hash: String) {
  let ownRate = Double(pointCount) / Measurement.median(own)
  print("points            \(pointCount), \(own.count) round(s), medians of processor time")
  print("this parser       \(decimals(ownRate, 0)) points/s (\(decimals(Measurement.median(own), 3)) s)")
  if peer.isEmpty {
    print("gpsbabel -t       not installed: no ratio")
  } else {
    let peerRate = Double(pointCount) / Measurement.median(peer)
    print("gpsbabel -t       \(decimals(peerRate, 0)) points/s (\(decimals(Measurement.median(peer), 3)) s)")
    print("ratio             \(decimals(ownRate / peerRate, 2))")
  }
  if let bytes = Measurement.peakMemoryBytes() { print("peak memory       \(decimals(Double(bytes) / 1e6, 1)) MB") }
  print("hash              \(hash)")
}

exit(run())
