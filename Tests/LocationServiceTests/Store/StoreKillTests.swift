import Foundation
import LocationEngine
import LocationModel
import LocationService
import XCTest

/// A program that writes is ended at its first write, its second, and so on until it ends by itself; then the store is
/// opened. Blocks, so XCTest.
final class StoreKillTests: XCTestCase {
  private static let isFull = ProcessInfo.processInfo.environment["CORELOCATION_PROOF"] == "full"

  /// What is kept, by key, as the lines of `store-writer` tell it.
  private typealias Kept = [String: String]

  private static func applying(_ lines: some Sequence<String>) -> Kept {
    var kept: Kept = [:]
    for pair in lines.flatMap({ $0.split(separator: "\t") }) {
      let parts = pair.split(separator: "=", maxSplits: 1).map(String.init)
      kept[parts[0]] = parts[1] == "-" ? nil : parts[1]
    }
    kept["probe"] = nil
    // What an app's row holds before anybody decides.
    for key in kept.keys where key.hasPrefix("grant:") && kept[key] == "0@-" { kept[key] = nil }
    return kept
  }

  private static func found(in folder: String) throws -> Kept {
    let store = try LocationStore(folder: folder, now: StoreFolder.now) { XCTFail($0) }
    var kept: Kept = [:]
    for app in try store.apps() {
      let name = app.identifier.name
      if let description = app.description {
        kept["app:\(name)"] = "\(app.executablePath ?? "") \(description.whenInUseUsage ?? "")"
      }
      if app.grant.level != .notDetermined {
        kept["grant:\(name)"] =
          "\(app.grant.level.rawValue)@\(app.decidedAt.map { "\($0.nanosecondsSince1970)" } ?? "-")"
      }
      for event in try store.pendingEvents(of: app.identifier) { kept["event:\(event.number)"] = name }
    }
    for (app, stored) in try store.registrations() {
      kept["regions:\(app.name)"] =
        "\(stored.regions.count)/\(stored.regions[0].state.rawValue)/\(stored.engineState?.count ?? 0)"
    }
    kept["fix"] = try store.lastFix().map { "\($0.time.nanosecondsSince1970)" }
    kept["setting:round"] = try store.setting("round")
    for access in try store.accessLog(countMax: 1_000) {
      let end = if case .at(let time) = access.end { "\(time.nanosecondsSince1970)" } else { "open" }
      kept["access:\(access.number)"] = "\(access.app.name) \(end)"
    }
    return kept
  }

  private func requireStrace() throws {
    guard FileManager.default.isExecutableFile(atPath: "/usr/bin/strace") else {
      return try StoreWriter.skipOrFail("there is no strace")
    }
  }

  private func strace(_ call: String, _ injection: String) -> [String] {
    ["strace", "-f", "-qq", "-o", "/dev/null", "-e", "trace=\(call)", "-e", "inject=\(call):\(injection)"]
  }

  /// - Parameters:
  ///   - stride: how many calls lie between one kill and the next.
  ///   - prepare: what the folder holds before.
  private func killAtEvery(
    _ call: String, rounds: Int, stride: Int, prepare: (String) throws -> Void = { _ in },
    check: (String, StoreWriter.Outcome, [String]) throws -> Void
  ) throws -> Int {
    let whole = try StoreFolder()
    try prepare(whole.path)
    let reference = try StoreWriter.run(["write", whole.path, "\(rounds)"])
    XCTAssertEqual(reference.status, 0, reference.errors)
    XCTAssertGreaterThan(reference.kept.count, rounds)
    var kills = 0
    for number in Swift.stride(from: 1, to: 100_000, by: stride) {
      let folder = try StoreFolder()
      try prepare(folder.path)
      let outcome = try StoreWriter.run(
        ["write", folder.path, "\(rounds)"], below: strace(call, "signal=SIGKILL:when=\(number)"))
      if outcome.signal != SIGKILL {
        XCTAssertEqual(outcome.status, 0, "\(outcome.errors)\(outcome.lines.suffix(3))")
        XCTAssertEqual(outcome.kept, reference.kept)
        return kills
      }
      kills += 1
      XCTAssertEqual(outcome.kept, Array(reference.kept.prefix(outcome.kept.count)), "\(call) \(number)")
      try check(folder.path, outcome, reference.kept)
    }
    XCTFail("\(call) never ended by itself")
    return kills
  }

  private func expectAllKept(_ folder: String, _ outcome: StoreWriter.Outcome, _ reference: [String]) throws {
    let found = try Self.found(in: folder)
    let count = outcome.kept.count
    let acknowledged = Self.applying(reference.prefix(count))
    // What was under way may have reached the disk, but then all of it.
    guard found != acknowledged else { return }
    XCTAssertEqual(found, Self.applying(reference.prefix(count + 1)), "after \(count) changes")
  }

  func testNothingAcknowledgedIsLostWhereverAWriteIsCutOff() throws {
    try requireStrace()
    let strides = Self.isFull ? [1, 1, 1, 1] : [29, 7, 1, 19]
    for (call, stride) in zip(["pwrite64", "fdatasync", "ftruncate", "openat"], strides) {
      let kills = try killAtEvery(call, rounds: Self.isFull ? 8 : 2, stride: stride, check: expectAllKept)
      XCTAssertGreaterThan(kills, 0, call)
      print("store: killed at \(kills) calls of \(call)")
    }
  }

  func testADamagedFileIsSetAsideWholeWhereverThatIsCutOff() throws {
    try requireStrace()
    let text = Data("this is no database, and somebody may still want it".utf8)
    for call in ["rename", "unlink", "pwrite64"] {
      _ = try killAtEvery(call, rounds: 1, stride: call == "pwrite64" && !Self.isFull ? 29 : 1) { folder in
        try FileManager.default.createDirectory(
          atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        for suffix in ["", "-wal"] {
          let file = folder + "/" + LocationStore.fileName + suffix
          try text.write(to: URL(fileURLWithPath: file))
          XCTAssertEqual(chmod(file, 0o600), 0)
        }
      } check: { folder, outcome, reference in
        // The next start may be the one that finds the damage.
        _ = try LocationStore(folder: folder, now: StoreFolder.now) { _ in }
        let names = try FileManager.default.contentsOfDirectory(atPath: folder)
        let whole = names.filter {
          $0.contains(".damaged-") && FileManager.default.contents(atPath: folder + "/" + $0) == text
        }
        XCTAssertEqual(whole.count, 2, "\(names)")
        try self.expectAllKept(folder, outcome, reference)
      }
    }
  }

  /// From the Nth call on, the disk fails; what was acknowledged before stays, and nothing after it is acknowledged.
  func testAFailingDiskLosesNothingAndAcknowledgesNothingThatItDidNotKeep() throws {
    try requireStrace()
    let failures = [("pwrite64", "ENOSPC"), ("pwrite64", "EROFS"), ("pwrite64", "EIO"), ("fdatasync", "EIO")]
    let whole = try StoreFolder()
    let reference = try StoreWriter.run(["write", whole.path, "2"]).kept
    for (call, error) in failures {
      for end in ["", "+"] { try failFromEvery(call, error, end, reference) }
    }
  }

  private func failFromEvery(_ call: String, _ error: String, _ end: String, _ reference: [String]) throws {
    var failed = 0
    for number in stride(from: 1, through: try countCalls(call), by: Self.isFull ? 1 : 41) {
      let folder = try StoreFolder()
      let outcome = try StoreWriter.run(
        ["write", folder.path, "2"], below: strace(call, "error=\(error):when=\(number)\(end)"))
      XCTAssertNil(outcome.signal)
      let refusals = outcome.lines.filter { $0.hasPrefix("failed\t") }
      for refusal in refusals {
        XCTAssertTrue(refusal.contains(folder.file + ": ") && refusal.hasSuffix("."), refusal)
      }
      let found = try Self.found(in: folder.path)
      let kept = Self.applying(outcome.kept)
      // Where writing out failed, what was refused may still be found: a disk cannot be made to forget.
      let refused = reference.filter { !outcome.kept.contains($0) }
      let doubtful = call == "pwrite64" ? [] : Set(refused.flatMap { $0.split(separator: "\t") }.map(Self.key))
      for key in Set(found.keys).union(kept.keys).subtracting(doubtful) {
        XCTAssertEqual(found[key], kept[key], "\(key) after \(call) \(error) \(number)\(end)")
      }
      failed += refusals.count
    }
    XCTAssertGreaterThan(failed, 0)
  }

  private static func key(_ pair: Substring) -> String { String(pair.prefix { $0 != "=" }) }

  /// How many calls of a kind an undisturbed run makes.
  private func countCalls(_ call: String) throws -> Int {
    let folder = try StoreFolder()
    let trace = folder.temporary.path + "/trace"
    _ = try StoreWriter.run(
      ["write", folder.path, "2"], below: ["strace", "-f", "-qq", "-o", trace, "-e", "trace=\(call)"])
    return try String(contentsOfFile: trace, encoding: .utf8).split(separator: "\n").count
  }
}
