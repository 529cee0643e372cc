import Glibc

// From the sentence at a pseudo-terminal through the real corelocationd to many clients at 10 Hz, beside Debian's gpsd
// with as many clients as it serves; and how soon a granted app hears its first location.
//   bench-fanout [--tiny] [--daemon PATH] [--rounds COUNT] [--sizes N,N...]

var benchmark = FanoutBenchmark()
var words = CommandLine.arguments.dropFirst()
while let word = words.popFirst() {
  switch word {
  case "--tiny": benchmark.isTiny = true
  case "--daemon": benchmark.daemonPath = words.popFirst()
  case "--sizes":
    benchmark.sizes = words.popFirst().map { $0.split(separator: ",").compactMap { Int($0) } } ?? benchmark.sizes
  case "--rounds": benchmark.rounds = words.popFirst().flatMap { Int($0) } ?? benchmark.rounds
  default:
    print("bench-fanout: \(word) is not understood; --tiny, --daemon PATH, --rounds COUNT and --sizes N,N... are")
    exit(2)
  }
}
exit(benchmark.run())
