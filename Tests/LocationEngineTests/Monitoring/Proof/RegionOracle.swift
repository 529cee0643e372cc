import LocationModel

/// What an app was told of one circle, and when.
struct ToldEvent {
  enum Kind {
    case determined(RegionState)
    case entered
    case exited
  }

  var kind: Kind
  var second: Int
  /// Of the fix that came with it.
  var accuracyMeters: Double
  /// Of the vaguest fix of the minute before it.
  var vaguestMeters: Double
}

/// Knows the whole way beforehand, and judges what was told by the published policy alone (docs/monitoring.md). Written
/// apart from the engine: nothing here is called by it or copied from it.
struct RegionOracle {
  /// Exact distances from the centre, a second each.
  private let distances: [Double]
  private let radius: Double
  /// How far from the edge: a tenth of the radius, 20 m at least and 100 m at most; inside a quarter of it at most.
  private let outerCushion: Double
  private let innerCushion: Double

  init(_ circle: RandomJourney.Circle, along places: [Coordinate]) {
    distances = places.map { Geodesic.distanceMeters(from: circle.center, to: $0) }
    radius = circle.radiusMeters
    outerCushion = min(100, max(20, radius / 10))
    innerCushion = min(outerCushion, radius / 4)
  }

  // MARK: Stays

  struct Stay {
    var isInside: Bool
    var first: Int
    /// The second after its last.
    var end: Int
  }

  /// The times for which a side is promised: beyond the cushion, or beyond what leaves no doubt of the side where that
  /// is more, by as much as fixes may be wrong: twice their accuracy. A normal error leaves less than 15 % beyond 1.29
  /// accuracies inside a circle (√(-2 ln 0.15) / 1.515), and beyond 0.69 outside of it (1.0364 / 1.515).
  func stays(accuracyMeters: Double) -> [Stay] {
    let inner = radius - max(innerCushion, 1.29 * accuracyMeters) - 2 * accuracyMeters
    let outer = radius + max(outerCushion, 0.69 * accuracyMeters) + 2 * accuracyMeters
    var stays: [Stay] = []
    for (second, distance) in distances.enumerated() {
      let side: Bool? = distance <= inner ? true : distance >= outer ? false : nil
      guard let side else { continue }
      if let last = stays.last, last.end == second, last.isInside == side {
        stays[stays.count - 1].end = second + 1
      } else {
        stays.append(Stay(isInside: side, first: second, end: second + 1))
      }
    }
    return stays
  }

  // MARK: The verdict

  /// What is wrong with what was told; nothing if all is well. `latenesses` takes the seconds from the beginning of a
  /// promised stay to the event that told of it.
  func faults(
    _ told: [ToldEvent], accuracyMeters: Double, latenessSecondsMax: Int, blindFrom: [Range<Int>] = [],
    latenesses: inout [Int]
  ) -> [String] {
    var faults = orderFaults(told) + told.indices.compactMap { falsehood(told, at: $0, gaps: blindFrom) }
    for stay in stays(accuracyMeters: accuracyMeters) where stay.end - stay.first >= 60 {
      // Where no receiver gave anything nothing can be promised.
      let margin = latenessSecondsMax + 10
      if blindFrom.contains(where: { $0.lowerBound < stay.end + margin && $0.upperBound + margin > stay.first }) {
        continue
      }
      faults += lateness(told, in: stay, max: latenessSecondsMax, &latenesses)
    }
    return faults
  }

  /// From the end of the bound to the end of the stay the app knows the side, and the side does not change.
  private func lateness(_ told: [ToldEvent], in stay: Stay, max bound: Int, _ latenesses: inout [Int]) -> [String] {
    let side = stay.isInside ? "inside" : "outside"
    let due = stay.first + bound
    guard due < stay.end else { return [] }
    let before = told.last { $0.second <= due }
    if before?.isInside != stay.isInside {
      return ["\(side) from \(stay.first) to \(stay.end), not told by \(due)"]
    }
    if let turn = told.first(where: { $0.second > due && $0.second < stay.end && $0.isInside != stay.isInside }) {
      return ["\(side) from \(stay.first) to \(stay.end), told otherwise at \(turn.second)"]
    }
    if let event = before, event.second >= stay.first, event.isCrossing { latenesses.append(event.second - stay.first) }
    return []
  }

  /// The first is no crossing, and crossings take turns.
  private func orderFaults(_ told: [ToldEvent]) -> [String] {
    zip(told, told.dropFirst()).compactMap { before, after in
      guard after.isCrossing, before.isInside != after.isInside else { return "told twice at \(after.second)" }
      return nil
    } + (told.first?.isCrossing == true ? ["a crossing before the first state"] : [])
  }

  /// An event is true if the device was beyond the cushion on that side when it came, as far as its fix may be wrong; a
  /// way through that was told with the exit, if the device was inside since the event before.
  private func falsehood(_ told: [ToldEvent], at index: Int, gaps: [Range<Int>]) -> String? {
    let event = told[index]
    let error = 2 * event.accuracyMeters
    let distance = distances[event.second]
    switch event.kind {
    case .determined(.inside): return distance <= radius + error ? nil : "said to be inside at \(event.second)"
    case .determined: return distance >= radius - error ? nil : "said to be outside at \(event.second)"
    case .exited:
      guard distance >= radius + outerCushion - error else { return "a false exit at \(event.second)" }
      return wasHeld(event, gaps) { $0 >= radius + outerCushion - 2 * event.vaguestMeters }
        ? nil : "a hasty exit at \(event.second)"
    case .entered:
      if index + 1 < told.count, told[index + 1].second == event.second {
        let since = index > 0 ? told[index - 1].second : 0
        let wasInside = distances[since...event.second].contains { $0 <= radius }
        return wasInside ? nil : "a false way through at \(event.second)"
      }
      guard distance <= radius - innerCushion + error else { return "a false entry at \(event.second)" }
      return wasHeld(event, gaps) { $0 <= radius - innerCushion + 2 * event.vaguestMeters }
        ? nil : "a hasty entry at \(event.second)"
    }
  }

  /// A crossing is told 20 seconds after the first fix that said so, at the earliest; that may have come before a time
  /// without fixes.
  private func wasHeld(_ event: ToldEvent, _ gaps: [Range<Int>], _ isBeyond: (Double) -> Bool) -> Bool {
    guard event.second >= 20 else { return false }
    var first = event.second - 60
    for gap in gaps.reversed() where gap.upperBound > first && gap.lowerBound < event.second {
      first = gap.lowerBound - 60
    }
    return distances[max(0, first)...(event.second - 20)].contains(where: isBeyond)
  }
}

extension ToldEvent {
  var isInside: Bool {
    switch kind {
    case .determined(let state): state == .inside
    case .entered: true
    case .exited: false
    }
  }

  var isCrossing: Bool {
    if case .determined = kind { false } else { true }
  }
}
