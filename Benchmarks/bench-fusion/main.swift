import BenchmarkSupport
import Glibc
import LocationEngine
import LocationFormats
import LocationModel

// What believing and smoothing buy on a drive whose truth is known: horizontal errors, 50th and 95th percentile, of the
// positions as they come and as the engine hands them on.
//
//   bench-fusion [--tiny] [TRUTH.nmea [RECEIVER.nmea]]
//
// Without a file the drive is drawn. Noise is made up like a phone's (algorithms 2.3): white, slowly wandering
// (Gauss-Markov), and outliers; each kind with its seed.

let arguments = CommandLine.arguments.dropFirst().filter { $0 != "--tiny" }
let isTiny = CommandLine.arguments.contains("--tiny")
var truth = arguments.first.map(Drive.read) ?? Drive.drawn(seconds: isTiny ? 120 : 1_800)
truth.deriveSpeeds()
guard truth.points.count > 10 else {
  print("bench-fusion: no positions in \(arguments.first ?? "the drawn drive"); expected an NMEA recording")
  exit(1)
}

print(
  "\(truth.points.count) s of truth\(arguments.isEmpty ? ", drawn" : "")          raw p50/p95   smoothed      with Doppler"
)
for noise in PhoneNoise.kinds {
  let fixes = noise.fixes(along: truth)
  let raw = Errors(of: fixes.map { ($0, true) }, against: truth)
  let smoothed = Errors(of: believed(fixes.map { $0.withoutSpeed() }, source: .network), against: truth)
  let doppler = Errors(of: believed(fixes, source: .network), against: truth)
  print("\(noise.name)  \(raw.text)  \(smoothed.text)  \(doppler.text)  seed \(noise.seed)")
}

if let path = arguments.dropFirst().first {
  let receiver = Drive.read(path)
  let fixes = receiver.points.filter { truth.place(at: $0.time) != nil }
  let raw = Errors(of: fixes.map { ($0, true) }, against: truth)
  let gated = believed(fixes, source: .satelliteReceiver)
  let smoothed = Errors(of: believed(fixes, source: .network), against: truth)
  print("receiver, \(fixes.count) common seconds:")
  print("as it gives them              \(raw.text)")
  print("believed (what apps get)      \(Errors(of: gated, against: truth).text)  \(gated.count { !$0.1 }) refused")
  print("smoothed (not done)           \(smoothed.text)")
}

/// The fixes as the engine hands them on, each with whether it was believed.
func believed(_ fixes: [Fix], source: FixSource) -> [(Fix, Bool)] {
  var belief = SourceBelief()
  let policy = Policy()
  return fixes.map { fix in
    var given = fix
    given.source = source
    guard let believed = belief.consider(given, policy: policy) else { return (given, false) }
    return (believed, true)
  }
}
