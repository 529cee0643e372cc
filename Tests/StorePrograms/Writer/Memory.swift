import Glibc
import LocationEngine
import LocationModel
import LocationService

/// The memory of this process: as it began, with an open store, and after every kind of call.
enum Memory {
  static func sayBegin() {
    say("began\t\(figures())")
  }

  static func report(_ store: LocationStore) {
    say("opened\t\(figures())")
    Writing(store, isQuiet: true).run(rounds: 200)
    _ = try? store.apps()
    _ = try? store.registrations()
    _ = try? store.accessLog(countMax: 100)
    say("used\t\(figures())")
    say("threads\t\(line("Threads:"))")
  }

  private static func figures() -> String { ["VmRSS:", "RssAnon:", "RssFile:"].map(line).joined(separator: "\t") }

  private static func line(_ name: String) -> String {
    guard let file = fopen("/proc/self/status", "r") else { return "unknown" }
    defer { fclose(file) }
    var buffer = [CChar](repeating: 0, count: 256)
    while fgets(&buffer, Int32(buffer.count), file) != nil {
      let text = buffer.prefix { $0 != 0 && $0 != 10 }.map { UInt8(bitPattern: $0) }
      let words = String(decoding: text, as: UTF8.self)
      if words.hasPrefix(name) { return words }
    }
    return "unknown"
  }
}
