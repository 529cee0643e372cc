import LocationModel

/// How far the last location that an app was told was from where the recording was, each second.
struct JourneyErrors: Sendable {
  /// Seconds before the first location came.
  var secondsWithout = 0.0
  /// Nil where no location came at all.
  var medianMeters: Double?
  var percentile95Meters: Double?

  /// A day has 86,400 seconds; longer journeys are looked at in longer, equal steps.
  static let samplesMax = 100_000.0
  /// More looks than these, while one location holds and the recording goes straight, are reckoned from so many.
  private static let intervalsMax = 64

  /// - Parameter deliveries: when each location was told, in order of time, and which.
  init(_ track: JourneyTrack, deliveries: [JourneyTrack.Point]) {
    let step = max(1, (track.seconds / Self.samplesMax).rounded(.up))
    let sampleCount = Int(track.seconds / step) + 1
    var distances: [Double] = []
    distances.reserveCapacity(sampleCount)
    var told = -1
    var next = 0
    var sample = 0
    while sample < sampleCount {
      let second = Double(sample) * step
      while told + 1 < deliveries.count, deliveries[told + 1].seconds <= second { told += 1 }
      while next < track.points.count, track.points[next].seconds <= second { next += 1 }
      var end = Double.infinity
      if told + 1 < deliveries.count { end = deliveries[told + 1].seconds }
      if next < track.points.count { end = min(end, track.points[next].seconds) }
      // All looks before something changes, this one at least.
      let samplesEnd = end < track.seconds ? max(sample + 1, Int((end / step).rounded(.up))) : sampleCount
      if told < 0 {
        secondsWithout += step * Double(samplesEnd - sample)
      } else {
        let leg = Leg(before: next, in: track.points)
        Self.append(sample..<samplesEnd, step: step, leg, to: deliveries[told].place, &distances)
      }
      sample = samplesEnd
    }
    distances.sort()
    medianMeters = Self.quantile(0.5, of: distances)
    percentile95Meters = Self.quantile(0.95, of: distances)
  }

  /// The distances of a straight leg from one place, a look each step.
  private static func append(
    _ samples: Range<Int>, step: Double, _ leg: Leg, to place: Coordinate, _ distances: inout [Double]
  ) {
    func distance(_ sample: Double) -> Double {
      Geodesic.distanceMeters(from: leg.place(at: sample * step), to: place)
    }
    if leg.isRest {
      let rest = distance(Double(samples.lowerBound))
      for _ in samples { distances.append(rest) }
      return
    }
    guard samples.count > intervalsMax else {
      for sample in samples { distances.append(distance(Double(sample))) }
      return
    }
    // The square of the distance from a straight way is a parabola, and on a round Earth very nearly one.
    let width = Double(samples.count - 1) / Double(intervalsMax)
    let squares = (0...intervalsMax).map { index in
      let meters = distance(Double(samples.lowerBound) + Double(index) * width)
      return meters * meters
    }
    for index in 0..<samples.count {
      let position = Double(index) / width
      let middle = min(intervalsMax - 1, max(1, Int(position.rounded())))
      let offset = position - Double(middle)
      let (before, here, after) = (squares[middle - 1], squares[middle], squares[middle + 1])
      let square = here + offset * ((after - before) / 2 + offset * ((after + before) / 2 - here))
      distances.append(max(0, square).squareRoot())
    }
  }

  /// The least of the sorted values that at least such a share of them does not exceed.
  private static func quantile(_ share: Double, of sorted: [Double]) -> Double? {
    guard !sorted.isEmpty else { return nil }
    return sorted[max(0, Int((Double(sorted.count) * share).rounded(.up)) - 1)]
  }
}

/// From one fix of the recording to the next: evenly, on the shortest way.
private struct Leg {
  private let start: JourneyTrack.Point
  private let seconds: Double
  private let distanceMeters: Double
  private let azimuthDegrees: Double

  /// - Parameter next: the first fix that is still to come; beyond the last one the recording rests.
  init(before next: Int, in points: [JourneyTrack.Point]) {
    start = points[max(0, next - 1)]
    guard next > 0, next < points.count else {
      (seconds, distanceMeters, azimuthDegrees) = (0, 0, 0)
      return
    }
    seconds = points[next].seconds - start.seconds
    (distanceMeters, azimuthDegrees) = Geodesic.way(from: start.place, to: points[next].place)
  }

  var isRest: Bool { distanceMeters == 0 }

  func place(at second: Double) -> Coordinate {
    guard distanceMeters > 0, second > start.seconds else { return start.place }
    return Geodesic.destination(
      from: start.place, azimuthDegrees: azimuthDegrees,
      distanceMeters: distanceMeters * (second - start.seconds) / seconds)
  }
}
