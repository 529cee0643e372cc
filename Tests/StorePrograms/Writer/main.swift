// Works with a store and says each thing that it was told is kept, so that tests can end it anywhere. A line of
// standard output is written only after the store has returned.
//
//   store-writer write FOLDER ROUNDS   many changes, a line each: KEY=VALUE, separated by tabs; "-" takes a key away
//   store-writer once FOLDER           one grant
//   store-writer read FOLDER           that grant, and what a change of it gives
//   store-writer fill FOLDER           what happens on a disk that is full, and after it
//   store-writer grants FOLDER         100 grants
//   store-writer uses FOLDER           the last location and the begin and end of a use, 100 times
//   store-writer memory FOLDER         the memory that an open store takes
//   store-writer hold FOLDER           opens it and waits for the end of standard input
import Glibc
import LocationEngine
import LocationModel
import LocationService

/// One line, at once: a killed process loses what a buffer holds.
func say(_ line: String) {
  let bytes = Array((line + "\n").utf8)
  _ = bytes.withUnsafeBytes { Glibc.write(1, $0.baseAddress, $0.count) }
}

func open(_ folder: String) -> LocationStore? {
  do {
    return try LocationStore(folder: folder, now: WallTime(secondsSince1970: 1_900_000_000)) { say("log\t\($0)") }
  } catch {
    say("failed\t\(error)")
    return nil
  }
}

let arguments = CommandLine.arguments
if arguments[1...].first == "memory" { Memory.sayBegin() }
guard arguments.count > 2, let store = open(arguments[2]) else { exit(1) }
switch arguments[1] {
case "write":
  Writing(store).run(rounds: arguments.count > 3 ? Int(arguments[3]) ?? 1 : 1)
case "once":
  Disk(store).once()
case "read":
  Disk(store).read()
case "fill":
  Disk(store).fill(arguments[2])
case "grants":
  Disk(store).grants()
case "uses":
  Disk(store).uses()
case "memory":
  Memory.report(store)
case "hold":
  say("held")
  while getchar() != EOF {}
  // A store may go after its last use; this one is used to the end.
  withExtendedLifetime(store) {}
default:
  say("failed\tno such work: \(arguments[1])")
  exit(2)
}
