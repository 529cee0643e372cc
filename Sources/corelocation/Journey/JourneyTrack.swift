import LocationModel
import LocationProviders

/// Where a recording was, second by second: the truth that deliveries are held against.
struct JourneyTrack: Sendable {
  struct Point: Sendable {
    /// Since the recording's first fix.
    var seconds: Double
    var place: Coordinate
  }

  /// In order of time; never empty.
  let points: [Point]
  let start: WallTime

  /// Reads the whole recording.
  init(path: String) throws(CommandFailure) {
    let schedule = try ReplaySchedule.open(path, shortensGaps: false)
    start = try schedule.startTime()
    var points: [Point] = []
    do throws(ReplayError) {
      while let next = try schedule.next() {
        points.append(Point(seconds: Double(next.offsetNanoseconds) / 1e9, place: next.fix.coordinate))
      }
    } catch {
      throw .failed(error.description)
    }
    self.points = points
  }

  init(points: [Point], start: WallTime) {
    self.points = points
    self.start = start
  }

  var seconds: Double { points.last?.seconds ?? 0 }

  /// Along its fixes, jumps and noise included.
  var lengthMeters: Double {
    zip(points, points.dropFirst()).reduce(0) {
      $0 + Geodesic.distanceMeters(from: $1.0.place, to: $1.1.place)
    }
  }
}
