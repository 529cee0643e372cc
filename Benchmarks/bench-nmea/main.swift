import BenchmarkSupport
import Glibc
import LocationFormats
import LocationModel

/// One pass over the file in pieces of 64 KiB, as the product reads files; every epoch's fix is looked at.
func read(_ path: String) -> (fixCount: Int, counts: NMEACounts, hash: ResultHash)? {
  let file = open(path, O_RDONLY | O_CLOEXEC)
  guard file >= 0 else { return nil }
  defer { close(file) }
  let reader = NMEAReader(.recorded)
  let piece = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: 65_536)
  defer { piece.deallocate() }
  var epochs: [NMEAEpoch] = []
  var fixCount = 0
  var hash = ResultHash()
  while true {
    let count = Glibc.read(file, piece.baseAddress, piece.count)
    if count > 0 { reader.feed(UnsafeBufferPointer(rebasing: piece[0..<count])) } else { reader.finish() }
    reader.takeEpochs(into: &epochs)
    for epoch in epochs {
      guard let fix = epoch.fix else { continue }
      fixCount += 1
      hash.add(UInt64(bitPattern: fix.time.nanosecondsSince1970))
      hash.add(fix.coordinate.latitude)
      hash.add(fix.coordinate.longitude)
      hash.add(fix.horizontalAccuracyMeters ?? .nan)
      hash.add(fix.altitudeMeters ?? .nan)
      hash.add(fix.speedMetersPerSecond ?? .nan)
    }
    if count <= 0 { break }
  }
  for satellite in reader.satellites { hash.add(UInt64(satellite.number)) }
  return (fixCount, reader.counts, hash)
}

/// Runs `gpsdecode -j < PATH > /dev/null` and waits; nil where it is not installed or fails. GPSDECODE names another
/// program than the one on the PATH.
func runPeer(_ path: String) -> Double? {
  let program = getenv("GPSDECODE").map { String(cString: $0) } ?? "gpsdecode"
  let before = Measurement.childSeconds()
  var actions = posix_spawn_file_actions_t()
  posix_spawn_file_actions_init(&actions)
  defer { posix_spawn_file_actions_destroy(&actions) }
  posix_spawn_file_actions_addopen(&actions, 0, path, O_RDONLY, 0)
  posix_spawn_file_actions_addopen(&actions, 1, "/dev/null", O_WRONLY, 0)
  let words: [String] = [program, "-j"]
  let arguments: [UnsafeMutablePointer<CChar>?] = words.map { strdup($0) } + [nil]
  defer { for argument in arguments { free(argument) } }
  var child = pid_t()
  guard posix_spawnp(&child, program, &actions, nil, arguments, environ) == 0 else { return nil }
  var status: Int32 = 0
  guard waitpid(child, &status, 0) == child, status == 0 else { return nil }
  return Measurement.childSeconds() - before
}

func write(_ bytes: ArraySlice<UInt8>, to path: String) -> Bool {
  guard let file = fopen(path, "w") else { return false }
  let written = bytes.withUnsafeBytes { fwrite($0.baseAddress, 1, $0.count, file) }
  return fclose(file) == 0 && written == bytes.count
}

/// `--tiny`: 1 MB and one round. `--file PATH`: a log of yours instead of the generated one, for both.
func run() -> Int32 {
  let isTiny = CommandLine.arguments.contains("--tiny")
  let rounds = isTiny ? 1 : 5
  if let flag = CommandLine.arguments.firstIndex(of: "--file"), flag + 1 < CommandLine.arguments.count {
    let path = CommandLine.arguments[flag + 1]
    return measure(path, part: path, log: nil, rounds: rounds)
  }
  let log = GeneratedLog(seed: 20_260_601, byteCount: isTiny ? 1_000_000 : 100_000_000)
  let folder = getenv("TMPDIR").map { String(cString: $0) } ?? "/tmp"
  let path = folder + "/bench-nmea-\(getpid()).nmea"
  let part = folder + "/bench-nmea-\(getpid())-part.nmea"
  defer {
    unlink(path)
    unlink(part)
  }
  // The peer reads a part only: a tenth, up to the end of a sentence.
  let cut = log.bytes[..<(log.bytes.count / 10)].lastIndex(of: 0x0A) ?? 0
  guard write(log.bytes[...], to: path), write(log.bytes[...cut], to: part) else {
    print("bench-nmea: cannot write to \(folder)")
    return 1
  }
  return measure(path, part: part, log: (log.sentenceCount, log.fixCount), rounds: rounds)
}

func measure(_ path: String, part: String, log: (sentences: Int, fixes: Int)?, rounds: Int) -> Int32 {
  var seconds: [Double] = []
  var peerSeconds: [Double] = []
  guard let warmUp = read(path), let partCounts = read(part)?.counts else {
    print("bench-nmea: cannot read \(path)")
    return 1
  }
  for _ in 0..<rounds {
    let before = Measurement.processSeconds()
    guard let result = read(path), result.hash.value == warmUp.hash.value else { return 1 }
    seconds.append(Measurement.processSeconds() - before)
    if let peer = runPeer(part) { peerSeconds.append(peer) }
  }
  if let log, log.sentences != warmUp.counts.sentences || log.fixes != warmUp.fixCount {
    print(
      "bench-nmea: \(warmUp.counts.sentences) of \(log.sentences) sentences, \(warmUp.fixCount) of \(log.fixes) fixes")
    return 1
  }
  let rate = Double(warmUp.counts.sentences) / Measurement.median(seconds)
  print("\(warmUp.counts.sentences) sentences, \(warmUp.fixCount) fixes, \(rounds) round(s), medians of processor time")
  if peerSeconds.isEmpty {
    print("NMEA to fixes   \(decimals(rate, 0)) sentences/s")
    print("gpsdecode       missing, so that there is no ratio: scripts/install-dependencies bench fetches it")
  } else {
    let peerRate = Double(partCounts.sentences) / Measurement.median(peerSeconds)
    print("NMEA to fixes   \(decimals(rate, 0)) sentences/s  ratio \(decimals(rate / peerRate, 1))")
    print("gpsdecode -j    \(decimals(peerRate, 0)) sentences/s  (\(partCounts.sentences) of them)")
  }
  print("hash            \(warmUp.hash.text)")
  return 0
}

exit(run())
