import LinuxIO
import LocationFormats
import LocationModel

/// The points of a GPX file that are to be played, one at a time, read while they are asked for.
///
/// Tracks are played. A file without track points plays its route points, and one without these its waypoints. Since
/// both may stand before the first track, up to `heldPointsMax` of each are held until a track point comes or the
/// file ends; a file that has more and no track plays those that were held, and `leftOutCount` says how many not.
///
/// Reads a path, a named pipe or standard input (`-`) in pieces: the first track point is there before the end of the
/// file has been read. Waits where the pipe is empty. Once `next()` has thrown it throws the same error again.
package final class TrackReader {
  /// 100,000 points are a day at 1 Hz and some more, and 18 MB.
  package static let heldPointsMax = 100_000

  /// The file as messages name it.
  package let name: String
  private let file: InputFile
  private let parser = GPXParser()
  private var points: [TrackPoint] = []
  private var position = 0
  private var routes: [TrackPoint] = []
  private var waypoints: [TrackPoint] = []
  private var routesLeftOut = 0
  private var waypointsLeftOut = 0
  private var hasTrackPoint = false
  private var isAtEnd = false
  private var isPlayingHeld = false
  private var failure: ReplayError?

  /// How many route points or waypoints a file without tracks has beyond those that are played.
  package private(set) var leftOutCount = 0
  package var complaints: GPXComplaints { parser.complaints }

  package init(path: String) throws(ReplayError) {
    name = ReplayError.fileName(path)
    do throws(SystemError) {
      file = try InputFile(path: path)
    } catch {
      throw ReplayError.cannotOpen(path, error)
    }
    try refuseDirectory()
  }

  /// Reads from an open descriptor that stays the caller's; `name` is for messages.
  package init(descriptor: Int32, name: String) throws(ReplayError) {
    self.name = name
    file = InputFile(descriptor: descriptor)
    try refuseDirectory()
  }

  /// The next point to be played; nil at the end of a file that had one.
  package func next() throws(ReplayError) -> TrackPoint? {
    var point = TrackPoint(coordinate: Coordinate(latitude: 0, longitude: 0))
    return try read(into: &point, patienceMilliseconds: nil) == .point ? point : nil
  }

  enum Outcome {
    case point
    case end
    /// Nothing came for as long as was waited; the next call goes on from there.
    case silence
  }

  /// As `next()`, into storage that is used again. With a patience it waits no longer for a pipe to go on.
  func read(into point: inout TrackPoint, patienceMilliseconds: Int32?) throws(ReplayError) -> Outcome {
    while true {
      while position < points.count {
        let index = position
        position += 1
        if isPlayingHeld || points[index].kind == .track {
          noteTrackPoint()
          point = points[index]
          return .point
        }
        hold(points[index])
      }
      if !isAtEnd {
        if let patienceMilliseconds, !file.hasInput(withinMilliseconds: patienceMilliseconds) { return .silence }
        readPiece()
      } else if isPlayingHeld || hasTrackPoint {
        if let failure { throw failure }
        return .end
      } else {
        try playHeld()
      }
    }
  }

  private func noteTrackPoint() {
    guard !hasTrackPoint && !isPlayingHeld else { return }
    hasTrackPoint = true
    routes = []
    waypoints = []
  }

  private func hold(_ point: TrackPoint) {
    guard !hasTrackPoint else { return }
    if point.kind == .route {
      if routes.count < Self.heldPointsMax { routes.append(point) } else { routesLeftOut += 1 }
    } else {
      if waypoints.count < Self.heldPointsMax { waypoints.append(point) } else { waypointsLeftOut += 1 }
    }
  }

  /// The file has ended, or broken off, without a track point.
  private func playHeld() throws(ReplayError) {
    leftOutCount = routes.isEmpty ? waypointsLeftOut : routesLeftOut
    points = routes.isEmpty ? waypoints : routes
    routes = []
    waypoints = []
    position = 0
    isPlayingHeld = true
    if points.isEmpty {
      let error = failure ?? nothingToPlay()
      failure = error
      throw error
    }
  }

  private func nothingToPlay() -> ReplayError {
    var explanation = "nothing to play: no track, route or waypoint has a point"
    if let skipped = parser.complaints.skippedPoints {
      explanation =
        "nothing to play: none of its \(skipped.count) point(s) has a readable place; expected degrees such as "
        + "lat=\"47.5\" lon=\"19.25\", found \(skipped.firstFound) on line \(skipped.firstLine)"
    }
    return ReplayError(reason: .nothingToPlay, file: name, explanation: explanation)
  }

  /// Reads and parses one piece. A fault is kept until the points before it have been given out.
  private func readPiece() {
    do throws(GPXError) {
      let room = try parser.buffer()
      var count = 0
      do throws(SystemError) {
        count = try file.read(into: room)
      } catch {
        failure = ReplayError(reason: .cannotRead, file: name, explanation: "cannot be read: \(error.text)")
        isAtEnd = true
        return
      }
      isAtEnd = count == 0
      try parser.parseBuffer(count: count, isLast: isAtEnd)
    } catch {
      isAtEnd = true
      failure = replayError(error)
    }
    parser.takePoints(into: &points)
    position = 0
  }

  private func refuseDirectory() throws(ReplayError) {
    var isDirectory = false
    do throws(SystemError) {
      isDirectory = try file.isDirectory()
    } catch {
      throw ReplayError(reason: .cannotOpen, file: name, explanation: "cannot be opened: \(error.text)")
    }
    if isDirectory {
      throw ReplayError(reason: .isDirectory, file: name, explanation: "is a directory; expected a GPX file")
    }
  }

  private func replayError(_ error: GPXError) -> ReplayError {
    let explanation = "expected \(error.expected), found \(error.found)"
    return switch error.reason {
    case .empty: ReplayError(reason: .isEmpty, file: name, explanation: "is empty; expected a GPX file")
    case .notGPX: ReplayError(reason: .notGPX, file: name, line: error.line, explanation: explanation)
    case .cutShort: ReplayError(reason: .cutShort, file: name, line: error.line, explanation: explanation)
    case .malformed, .beyondLimits:
      ReplayError(reason: .malformed, file: name, line: error.line, explanation: explanation)
    }
  }
}
