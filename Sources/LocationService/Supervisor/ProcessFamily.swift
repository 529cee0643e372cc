import Glibc
import LinuxIO

/// Every process of one launch of an app, found without control groups: the main process, what descends from it, its
/// session, and what has inherited the launch's mark in its environment. A process that forked away from its parents
/// is found by the mark; only one that also wiped its environment is lost.
struct ProcessFamily: Hashable, Sendable {
  /// The main process.
  var root: Int32
  /// When it began: nothing of it is older.
  var rootStartTicks: UInt64
  /// `NAME=value`, in the environment of this launch and of no other.
  var mark: String

  struct Member: Hashable, Sendable {
    var number: Int32
    var startTicks: UInt64
  }

  /// Those that have not ended, the main process first.
  func members(in table: [ProcessText.Stat] = ProcessFamily.processes()) -> [Member] {
    let table = table.filter { $0.startTicks >= rootStartTicks }
    var found: Set<Int32> = []
    var newest = table.filter { $0.number == root || $0.session == root || carriesMark($0.number) }.map(\.number)
    while !newest.isEmpty {
      found.formUnion(newest)
      newest = table.filter { found.contains($0.parent) && !found.contains($0.number) }.map(\.number)
    }
    return table.filter { found.contains($0.number) && !$0.hasEnded }
      .sorted {
        ($0.number != root ? 1 : 0, $0.startTicks, $0.number) < ($1.number != root ? 1 : 0, $1.startTicks, $1.number)
      }
      .map { Member(number: $0.number, startTicks: $0.startTicks) }
  }

  private func carriesMark(_ number: Int32) -> Bool {
    Self.environment(of: number).contains { $0.elementsEqual(mark.utf8) }
  }

  /// Sends a signal that stops or kills to every process, until two looks in a row find none that has not got it, nor
  /// one that has been told to stop and runs still: it may be making the next one. A process that has stopped makes no
  /// further one, so that this comes to an end. One look is not enough: of a chain of processes that each make the next
  /// and end, a look can come between two.
  ///
  /// - Returns: false where new ones kept coming.
  @discardableResult
  func signalAll(_ signal: Int32) -> Bool {
    var signalled: Set<Member> = []
    var met: Set<Int32> = []
    var quietLooks = 0
    for _ in 0..<Self.looksMax {
      let table = Self.processes()
      let members = members(in: table)
      let fresh = members.filter { !signalled.contains($0) && !met.contains($0.number) }
      let isSettled = signal != SIGSTOP || Self.haveStopped(members, in: table)
      quietLooks = fresh.isEmpty && isSettled ? quietLooks + 1 : 0
      if quietLooks == 2 { return true }
      for member in fresh {
        Syscalls.send(signal, to: member.number)
        signalled.insert(member)
      }
      if signalNewest(signal, met: &met) { quietLooks = 0 }
      if !isSettled { sched_yield() }
    }
    return false
  }

  private static func haveStopped(_ members: [Member], in table: [ProcessText.Stat]) -> Bool {
    let numbers = Set(members.map(\.number))
    return table.allSatisfy { !numbers.contains($0.number) || $0.state == "T" || $0.state == "t" }
  }

  /// A process that makes the next one and ends is gone before a look at all processes comes to it. The kernel tells
  /// which one it has made last: that is looked at alone, until none is made or others make too many.
  ///
  /// - Parameter met: those of this family that have got the signal so.
  /// - Returns: whether another one was met.
  private func signalNewest(_ signal: Int32, met: inout Set<Int32>) -> Bool {
    let needle = Array(mark.utf8) + [0]
    let metBefore = met.count
    var last: Int32?
    var idleTries = 0
    for _ in 0..<Self.newestTriesMax where idleTries < Self.idleTriesMax {
      guard let newest = Self.newest, newest != last else {
        idleTries += 1
        continue
      }
      idleTries = 0
      last = newest
      guard !met.contains(newest), let file = try? SmallFile(path: "/proc/\(newest)/environ"),
        Self.holds(file.bytes, needle)
      else { continue }
      Syscalls.send(signal, to: newest)
      met.insert(newest)
    }
    return met.count > metBefore
  }

  /// Chosen: some milliseconds where nobody makes processes, some tenths of a second where somebody else makes many.
  private static let newestTriesMax = 5_000
  private static let idleTriesMax = 100

  private static func holds(_ bytes: [UInt8], _ part: [UInt8]) -> Bool {
    bytes.withUnsafeBytes { bytes in
      part.withUnsafeBytes { part in
        guard let start = bytes.baseAddress, let sought = part.baseAddress else { return false }
        // Quickly: the process may be gone a moment later.
        var offset = 0
        while offset + part.count <= bytes.count,
          let found = memchr(start + offset, Int32(part[0]), bytes.count - part.count + 1 - offset)
        {
          if memcmp(found, sought, part.count) == 0 { return true }
          offset = UnsafeRawPointer(found) - start + 1
        }
        return false
      }
    }
  }

  /// Chosen: each look finds what was made since the last, which is little work even for a program that forks madly.
  private static let looksMax = 50

  // MARK: /proc

  /// Every process of the machine that can be seen.
  static func processes() -> [ProcessText.Stat] {
    Syscalls.names(in: "/proc").compactMap { Int32($0) }.compactMap(process)
  }

  static func process(_ number: Int32) -> ProcessText.Stat? {
    guard let file = try? SmallFile(path: "/proc/\(number)/stat") else { return nil }
    return ProcessText.Stat(number: number, String(decoding: file.bytes, as: UTF8.self))
  }

  /// The process that was made last: the last field of loadavg. (proc(5))
  private static var newest: Int32? {
    guard let bytes = (try? SmallFile(path: "/proc/loadavg"))?.bytes,
      let blank = bytes.lastIndex(of: UInt8(ascii: " "))
    else { return nil }
    return Int32(String(decoding: bytes[(blank + 1)...].filter { $0 != UInt8(ascii: "\n") }, as: UTF8.self))
  }

  /// Whose process it is; nil for one that has ended.
  static func user(of number: Int32) -> UInt32? {
    (try? FileStatus(path: "/proc/\(number)", followsLink: false))?.owner
  }

  /// Empty for a process that this one may not look into, and for one that has ended.
  static func environment(of number: Int32) -> [ArraySlice<UInt8>] {
    ((try? SmallFile(path: "/proc/\(number)/environ"))?.bytes ?? []).split(separator: 0)
  }
}
