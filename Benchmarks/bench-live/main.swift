import BenchmarkSupport
import Foundation
import Glibc

// From the sentence at a pseudo-terminal through the real gpsd to the delegate of a CLLocationManager at 10 Hz, beside a
// plain C client of the same gpsd; what the listening process costs, and that an idle one does nothing at all. The
// listeners are processes of their own, so that feeding does not count:
//   bench-live --listen SETTLE_SECONDS SECONDS    bench-live --idle    with CORELOCATION_SOURCE set

let words = CommandLine.arguments
if words.count == 4, words[1] == "--listen", let settle = Double(words[2]), let seconds = Double(words[3]) {
  let listener = Listener(settleSeconds: settle, seconds: seconds)
  withExtendedLifetime(listener) { RunLoop.main.run() }
} else if words.contains("--idle") {
  let app = IdleApp()
  withExtendedLifetime(app) { RunLoop.main.run() }
} else {
  exit(LiveBenchmark(isTiny: words.contains("--tiny")).run())
}
