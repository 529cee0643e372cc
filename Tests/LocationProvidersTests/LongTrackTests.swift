import Foundation
import LocationProviders
import Synchronization
import Testing

/// Writes a track into a pipe from its own thread and says how far it has come.
private final class PipeWriter: Sendable {
  let readEnd: Int32
  private let writeEnd: Int32
  private let written = Atomic<Int>(0)
  private let done = DispatchSemaphore(value: 0)

  var writtenPoints: Int { written.load(ordering: .acquiring) }

  /// With `cutInside` the stream ends in the middle of the point after the last.
  init?(pointCount: Int, cutInside: Bool = false) {
    var ends: [Int32] = [0, 0]
    guard pipe(&ends) == 0 else { return nil }
    readEnd = ends[0]
    writeEnd = ends[1]
    let thread = Thread { [self] in
      write(pointCount: pointCount, cutInside: cutInside)
      done.signal()
    }
    thread.start()
  }

  private func write(pointCount: Int, cutInside: Bool) {
    put("<?xml version=\"1.0\"?>\n<gpx><trk><trkseg>\n")
    let block = 1000
    var start = 0
    while start < pointCount {
      var text = ""
      for index in start..<min(start + block, pointCount) {
        // One point a second: hours, minutes and seconds of one long day would not do, so the date moves too.
        let minute = index / 60
        text += "<trkpt lat=\"47.\(1_000_000 + index % 1_000_000)\" lon=\"19.25\"><ele>101.5</ele><time>2025-"
        text += "\(two(1 + minute / 1440 / 28 % 12))-\(two(1 + minute / 1440 % 28))T\(two(minute / 60 % 24)):"
        text += "\(two(minute % 60)):\(two(index % 60))Z</time></trkpt>\n"
      }
      put(text)
      start += block
      written.store(min(start, pointCount), ordering: .releasing)
    }
    put(cutInside ? "<trkpt lat=\"47.5\" lo" : "</trkseg></trk></gpx>\n")
    close(writeEnd)
  }

  private func two(_ value: Int) -> String { value < 10 ? "0\(value)" : "\(value)" }

  private func put(_ text: String) {
    Array(text.utf8).withUnsafeBytes { bytes in
      var start = 0
      while start < bytes.count {
        let count = Glibc.write(writeEnd, bytes.baseAddress! + start, bytes.count - start)
        if count <= 0 { return }
        start += count
      }
    }
  }

  /// Ends with the reading end closed and the thread done.
  func finish() {
    close(readEnd)
    done.wait()
  }
}

@Suite("Long tracks", .serialized)
struct LongTrackTests {
  /// 2,000,000 points where `CORELOCATION_PROOF=full` asks for the full size, else enough to be far beyond every buffer.
  static let pointCount = ProcessInfo.processInfo.environment["CORELOCATION_PROOF"] == "full" ? 2_000_000 : 100_000

  /// The most memory of this process since the last reset, in bytes.
  private func peakMemoryBytes() -> Int? {
    guard let status = try? String(contentsOfFile: "/proc/self/status", encoding: .utf8) else { return nil }
    let line = status.split(separator: "\n").first { $0.hasPrefix("VmHWM:") }
    return line?.split(whereSeparator: \.isWhitespace).dropFirst().first.flatMap { Int($0) }.map { $0 * 1024 }
  }

  @Test("the first point comes before the end is written, all points come, memory is flat (GX-06)")
  func streams() throws {
    // 5 resets the peak (proc(5), clear_refs); without the right to do so the growth is only measured larger.
    try? "5".write(toFile: "/proc/self/clear_refs", atomically: false, encoding: .utf8)
    let before = peakMemoryBytes() ?? 0
    let writer = try #require(PipeWriter(pointCount: Self.pointCount))
    defer { writer.finish() }
    let schedule = ReplaySchedule(try TrackReader(descriptor: writer.readEnd, name: "pipe"))
    let first = try schedule.next()
    #expect(first != nil)
    // The pipe holds 64 KiB and the reader one piece: the writer cannot be near its end.
    #expect(writer.writtenPoints < Self.pointCount / 10)
    var count = 1
    while try schedule.next() != nil { count += 1 }
    #expect(count == Self.pointCount)
    let growth = (peakMemoryBytes() ?? 0) - before
    print("GX-06: \(count) points, peak memory grew by \(growth / 1024) KiB")
    #expect(growth < 40_000_000)
  }

  @Test("a stream that is cut plays the points before the cut, then fails (GX-06)")
  func cut() throws {
    let writer = try #require(PipeWriter(pointCount: 20_000, cutInside: true))
    defer { writer.finish() }
    let reader = try TrackReader(descriptor: writer.readEnd, name: "pipe")
    var count = 0
    var failure: ReplayError?
    do throws(ReplayError) {
      while try reader.next() != nil { count += 1 }
    } catch {
      failure = error
    }
    #expect(count == 20_000)
    #expect(failure?.reason == .cutShort)
    // Two lines of head, a line a point, and the point that was cut.
    #expect(failure?.description == "pipe:20003: expected </gpx>, found the end of the file")
  }

  @Test("more waypoints than are held are left out and counted, and a track after them plays")
  func bounded() throws {
    let many = String(repeating: "<wpt lat=\"1\" lon=\"1\"/>", count: TrackReader.heldPointsMax + 3)
    let file = try TemporaryFile(TrackReaderTests.header + many + "</gpx>")
    let schedule = ReplaySchedule(try TrackReader(path: file.path))
    var count = 0
    while try schedule.next() != nil { count += 1 }
    #expect(count == TrackReader.heldPointsMax)
    #expect(schedule.notices.map(\.kind) == [.leftOut])
    #expect(schedule.notices.first?.sentence.hasPrefix("\(file.path): 3 points beyond") == true)
    let followed = try TemporaryFile(TrackReaderTests.header + many + TrackReaderTests.track + "</gpx>")
    #expect(TemporaryFile.play(followed.path).places == ["3.0/3.0"])
  }
}
