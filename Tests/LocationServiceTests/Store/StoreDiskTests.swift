import Foundation
import XCTest

/// Real disks that are full or read-only, as file systems in memory that one process sees. Blocks, so XCTest.
final class StoreDiskTests: XCTestCase {
  /// Runs a shell script in which $1 is a disk of 256 KiB of its own and $2 the program.
  private func onDisk(_ script: String) throws -> StoreWriter.Outcome {
    let folder = try TemporaryFolder()
    let mount = "mount -t tmpfs -o size=256k,mode=700 none \"$1\""
    let outcome = try StoreWriter.run(
      [], below: ["unshare", "-m", "sh", "-c", "\(mount) || exit 99; \(script)", "sh", folder.path])
    if outcome.status == 99 || outcome.errors.contains("unshare") {
      try StoreWriter.skipOrFail("no file system of the test's own: \(outcome.errors)")
    }
    return outcome
  }

  func testAFullDiskTakesNoAnswerAndLosesNone() throws {
    let outcome = try onDisk("\"$2\" fill \"$1\"")
    XCTAssertEqual(outcome["grant"], "kept", "\(outcome)")
    XCTAssertTrue(outcome["event"]?.contains("its disk is full. Make room on the disk") == true, "\(outcome.lines)")
    XCTAssertEqual(outcome["found"], outcome["events"])
    XCTAssertEqual(outcome["level"], "always")
    let probes = outcome.lines.filter { $0.hasPrefix("writable\t") }
    XCTAssertEqual(probes.count, 2)
    XCTAssertTrue(probes.first?.contains("its disk is full") == true, "\(probes)")
    XCTAssertEqual(probes.last, "writable\tyes", "there is room again")
  }

  func testAStoreOnAFullDiskOpensAndIsRead() throws {
    let outcome = try onDisk("\"$2\" fill \"$1\" >/dev/null; \"$2\" read \"$1\"")
    XCTAssertEqual(outcome.lines.filter { $0.hasPrefix("level\t") }, ["level\talways", "level\talways"], "\(outcome)")
    XCTAssertTrue(outcome["change"]?.contains("was not stored, since its disk is full") == true, "\(outcome.lines)")
  }

  func testANewStoreOnAFullDiskSaysSo() throws {
    let outcome = try onDisk("cat /dev/zero >\"$1/filler\" 2>/dev/null; \"$2\" read \"$1\"")
    XCTAssertTrue(outcome["failed"]?.contains("cannot be opened, since its disk is full") == true, "\(outcome)")
  }

  func testAReadOnlyDiskIsReadAndTakesNoAnswer() throws {
    let outcome = try onDisk("\"$2\" once \"$1\"; mount -o remount,ro \"$1\"; \"$2\" read \"$1\"")
    XCTAssertEqual(outcome.lines.filter { $0.hasPrefix("level\t") }, ["level\talways", "level\talways"], "\(outcome)")
    for word in ["writable", "change"] {
      XCTAssertTrue(outcome[word]?.contains("its disk can only be read") == true, "\(outcome.lines)")
    }
    XCTAssertTrue(outcome["log"]?.contains("nothing new is kept") == true, "\(outcome.lines)")
  }

  func testANewStoreOnAReadOnlyDiskSaysSo() throws {
    let outcome = try onDisk("mount -o remount,ro \"$1\"; \"$2\" read \"$1\"")
    XCTAssertTrue(outcome["failed"]?.contains("its disk can only be read. Mount it") != nil, "\(outcome)")
  }

  func testAFolderThatMayNotBeWrittenSaysSo() throws {
    guard FileManager.default.isExecutableFile(atPath: "/usr/bin/strace") else {
      return try StoreWriter.skipOrFail("there is no strace")
    }
    let folder = try StoreFolder()
    for file in [folder.file + ".lock", folder.file] {
      let outcome = try StoreWriter.run(
        ["read", folder.path],
        below: ["strace", "-f", "-qq", "-o", "/dev/null", "-P", file, "-e", "inject=openat:error=EACCES"])
      XCTAssertTrue(outcome["failed"]?.contains("not permitted to user number \(geteuid())") == true, "\(outcome)")
    }
  }

  /// What `work` wrote and how often it waited for the disk.
  private func syncs(_ work: String) throws -> (kept: Int, syncs: Int) {
    let folder = try StoreFolder()
    let trace = folder.temporary.path + "/trace"
    let outcome = try StoreWriter.run(
      [work, folder.path], below: ["strace", "-f", "-qq", "-o", trace, "-e", "trace=fsync,fdatasync"])
    let lines = try String(contentsOfFile: trace, encoding: .utf8).split(separator: "\n")
    return (outcome.lines.filter { $0.hasSuffix("\tkept") }.count, lines.count)
  }

  func testAPermissionWaitsForTheDiskAndAUseOfLocationDoesNot() throws {
    guard FileManager.default.isExecutableFile(atPath: "/usr/bin/strace") else {
      return try StoreWriter.skipOrFail("there is no strace")
    }
    let grants = try syncs("grants")
    XCTAssertEqual(grants.kept, 100)
    XCTAssertGreaterThanOrEqual(grants.syncs, 100)
    let uses = try syncs("uses")
    XCTAssertEqual(uses.kept, 100)
    // Three changes a use; the log is worked into the file, with a few syncs, once in 64 pages.
    XCTAssertLessThan(uses.syncs, 100)
  }

  func testAnotherProcessIsToldWhoHasTheStore() throws {
    let folder = try StoreFolder()
    let store = try folder.open()
    let outcome = try StoreWriter.run(["once", folder.path])
    XCTAssertTrue(outcome["failed"]?.contains("(process \(getpid())) has it open") == true, "\(outcome)")
    try store.verifyWritable()
  }
}
