import Glibc
import LocationEngine
import LocationModel
import LocationService

/// How a store does on a disk that is full or may only be read.
struct Disk {
  private let store: LocationStore
  private let app = AppIdentifier("org.example.walk")

  init(_ store: LocationStore) {
    self.store = store
  }

  func once() {
    tell("grant") { () throws(StoreError) in
      try store.store(Grant(level: .always), decidedAt: nil, for: app)
      try store.checkpoint()
      return "kept"
    }
  }

  func read() {
    let level = { () throws(StoreError) in "\(try store.app(app).map { "\($0.grant.level)" } ?? "none")" }
    tell("level", level)
    tell("writable") { () throws(StoreError) in
      try store.verifyWritable()
      return "yes"
    }
    tell("change") { () throws(StoreError) in
      try store.store(Grant(level: .denied), decidedAt: nil, for: app)
      return "kept"
    }
    tell("level", level)
  }

  func grants() {
    for number in 1...100 {
      tell("grant") { () throws(StoreError) in
        try store.store(Grant(level: .always), decidedAt: WallTime(nanosecondsSince1970: Int64(number)), for: app)
        return "kept"
      }
    }
  }

  func uses() {
    let fix = Fix(
      coordinate: Coordinate(latitude: 47, longitude: 8), horizontalAccuracyMeters: 5,
      time: WallTime(nanosecondsSince1970: 1))
    for _ in 1...100 {
      tell("use") { () throws(StoreError) in
        try store.store(lastFix: fix)
        let number = try store.beginAccess(by: app, service: .standardUpdates, isPrecise: true, at: fix.time)
        try store.endAccess(number, at: fix.time)
        return "kept"
      }
    }
  }

  /// Fills the disk, the store's own room included; then makes room again.
  func fill(_ folder: String) {
    once()
    let filler = folder + "/filler"
    Self.fill(filler)
    var kept = 0
    var refusal: StoreError?
    while refusal == nil, kept < 1_000 {
      do throws(StoreError) {
        _ = try store.append(event: [UInt8](repeating: 7, count: 4_000), for: app)
        kept += 1
      } catch {
        refusal = error
      }
    }
    say("event\t\(refusal.map(\.description) ?? "never refused")")
    tell("writable") { () throws(StoreError) in
      for _ in 0..<1_000 { try store.verifyWritable() }
      return "yes"
    }
    say("events\t\(kept)")
    tell("found") { () throws(StoreError) in "\(try store.pendingEvents(of: app).count)" }
    tell("level") { () throws(StoreError) in "\(try store.app(app).map { "\($0.grant.level)" } ?? "none")" }
    unlink(filler)
    tell("writable") { () throws(StoreError) in
      try store.verifyWritable()
      return "yes"
    }
    Self.fill(filler)
  }

  private static func fill(_ path: String) {
    let file = Glibc.open(path, O_WRONLY | O_CREAT, 0o600)
    let block = [UInt8](repeating: 0, count: 4_096)
    while Glibc.write(file, block, block.count) == block.count {}
    close(file)
  }

  private func tell(_ what: String, _ body: () throws(StoreError) -> String) {
    do throws(StoreError) {
      say("\(what)\t\(try body())")
    } catch {
      say("\(what)\t\(error)")
    }
  }
}
