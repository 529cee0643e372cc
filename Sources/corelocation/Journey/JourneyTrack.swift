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

/// How far the last location that an app was told was from where the recording was, each second.
struct JourneyErrors: Sendable {
  /// Seconds before the first location came.
  var secondsWithout = 0.0
  /// Nil where no location came at all.
  var medianMeters: Double?
  var percentile95Meters: Double?

  /// A day has 86,400 seconds; longer journeys are looked at in longer, equal steps.
  static let samplesMax = 100_000.0

  /// - Parameter deliveries: when each location was told, in order of time, and which.
  init(_ track: JourneyTrack, deliveries: [JourneyTrack.Point]) {
    let step = max(1, (track.seconds / Self.samplesMax).rounded(.up))
    var distances: [Double] = []
    var told = -1
    var next = 0
    for second in stride(from: 0, through: track.seconds, by: step) {
      while told + 1 < deliveries.count, deliveries[told + 1].seconds <= second { told += 1 }
      while next < track.points.count, track.points[next].seconds <= second { next += 1 }
      guard told >= 0 else {
        secondsWithout += step
        continue
      }
      let place = Self.place(at: second, before: next, in: track.points)
      distances.append(Geodesic.distanceMeters(from: place, to: deliveries[told].place))
    }
    distances.sort()
    medianMeters = Self.quantile(0.5, of: distances)
    percentile95Meters = Self.quantile(0.95, of: distances)
  }

  /// Evenly from fix to fix.
  private static func place(at second: Double, before next: Int, in points: [JourneyTrack.Point]) -> Coordinate {
    let last = points[max(0, next - 1)]
    guard next > 0, next < points.count else { return last.place }
    let share = (second - last.seconds) / (points[next].seconds - last.seconds)
    let plane = LocalPlane(origin: last.place)
    let way = plane.meters(to: points[next].place)
    return plane.place(eastMeters: way.east * share, northMeters: way.north * share)
  }

  /// The least of the sorted values that at least such a share of them does not exceed.
  private static func quantile(_ share: Double, of sorted: [Double]) -> Double? {
    guard !sorted.isEmpty else { return nil }
    return sorted[max(0, Int((Double(sorted.count) * share).rounded(.up)) - 1)]
  }
}
