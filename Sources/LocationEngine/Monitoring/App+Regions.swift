import LocationModel

extension App {
  /// Shows a fix to every circle; what is news, by the region's position, which is mostly nothing.
  mutating func considerRegions(
    _ fix: WatchedFix, after previous: WatchedFix?, policy: Policy
  ) -> [(position: Int, change: RegionChange)] {
    var news: [(position: Int, change: RegionChange)] = []
    for position in regions.indices {
      if let change = regions[position].watch?.consider(fix, after: previous, policy: policy) {
        news.append((position, change))
      }
    }
    return news
  }

  /// What the app's circles need of the receivers after a fix; nil where it has no circle.
  func circlesNeed(after fix: WatchedFix?, rest: Rest, policy: Policy) -> ReceiverNeed? {
    var need = RegionNeed()
    var hasCircle = false
    for position in regions.indices where regions[position].watch != nil {
      hasCircle = true
      need.add(
        edgeMeters: regions[position].watch?.edgeMeters, isConfirming: regions[position].watch?.isConfirming == true)
    }
    return hasCircle ? need.receiverNeed(for: .regions, after: fix, rest: rest, policy: policy) : nil
  }
}
