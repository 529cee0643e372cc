import LocationModel

/// One fix an epoch out of the one, two or more TPV that gpsd sends for it.
///
/// Until gpsd has learned where the receiver's cycle ends it reports after each sentence: first what RMC says, then the
/// same moment again with what GGA adds. Once it has learned that, it reports once. So:
///
/// - The number of reports of the last epoch is what the next is expected to have; the last of them is given at once,
///   with nothing of the earlier ones lost.
/// - An earlier one, and the very first of all, waits `holdSeconds` for its successor and is given then: no fix is held
///   longer. What gpsd wrote together arrives together, so that this is long enough on a fast line.
/// - On a slow line the successor comes later. Where it adds a height or an accuracy that the given fix lacked, it is
///   given too, with the same time; where it adds nothing it is dropped.
/// - A position without a time, such as gpsd's first ones, is mostly the same fix as the timed one beside it: within
///   `timelessHoldSeconds` of one it is dropped. Where none comes it is given after so long, and those that follow it
///   at once: that receiver tells no time (case NM-08).
package struct GPSDEpochs: Sendable {
  package static let holdSeconds = 0.004
  /// Half a second: a receiver at 4800 baud needs so long from the sentence with the place to the one with the time.
  package static let timelessHoldSeconds = 0.5

  private struct Epoch: Sendable {
    var position: GPSDPosition
    var count = 1
    var given: GPSDPosition?
  }

  private var current: Epoch?
  /// Of the epoch before; nil before the first.
  private var expectedCount: Int?
  /// When the held report is to be given without its successor; nil where none is held.
  private var heldUntil: Instant?
  /// A position without a time, and when it is given.
  private var timeless: (position: GPSDPosition, until: Instant)?
  private var timedAt: Instant?
  /// The receiver was heard to tell no time.
  private var isTimeless = false

  /// When `expire` has something to give; nil where nothing is held.
  package var deadline: Instant? {
    Instant.earlier(heldUntil, timeless?.until)
  }

  package init() {}

  /// Takes a report and gives those that are now complete, in order: a held one of the epoch before, this one.
  package mutating func take(_ position: GPSDPosition, at now: Instant) -> [GPSDPosition] {
    guard let time = position.time else { return takeTimeless(position, at: now) }
    timedAt = now
    timeless = nil
    isTimeless = false
    var complete: [GPSDPosition] = []
    if var epoch = current, epoch.position.time == time {
      epoch.position = position.completed(by: epoch.position)
      epoch.count += 1
      current = epoch
    } else {
      complete = finishEpoch()
      current = Epoch(position: position)
    }
    return complete + giveIfComplete(at: now)
  }

  /// Gives the held report when its time has come.
  package mutating func expire(at now: Instant) -> GPSDPosition? {
    if let heldUntil, heldUntil <= now, let held = giveHeld() { return held }
    guard let timeless, timeless.until <= now else { return nil }
    isTimeless = true
    self.timeless = nil
    return timeless.position
  }

  /// What has no time belongs to no epoch.
  private mutating func takeTimeless(_ position: GPSDPosition, at now: Instant) -> [GPSDPosition] {
    let isPlaced = position.mode ?? 0 >= 2
    if isPlaced, let timedAt, now.seconds(since: timedAt) < Self.timelessHoldSeconds { return [] }
    var complete = finishEpoch()
    if let timeless {
      complete.append(timeless.position)
      self.timeless = nil
      isTimeless = true
    }
    if isPlaced && !isTimeless {
      timeless = (position, now.advanced(bySeconds: Self.timelessHoldSeconds))
    } else {
      complete.append(position)
    }
    return complete
  }

  private mutating func giveIfComplete(at now: Instant) -> [GPSDPosition] {
    guard let epoch = current else { return [] }
    if let given = epoch.given {
      guard epoch.position.adds(to: given) else { return [] }
      current?.given = epoch.position
      return [epoch.position]
    }
    if let expectedCount, epoch.count >= expectedCount { return giveHeld().map { [$0] } ?? [] }
    if heldUntil == nil { heldUntil = now.advanced(bySeconds: Self.holdSeconds) }
    return []
  }

  private mutating func giveHeld() -> GPSDPosition? {
    heldUntil = nil
    guard let epoch = current, epoch.given == nil else { return nil }
    current?.given = epoch.position
    return epoch.position
  }

  private mutating func finishEpoch() -> [GPSDPosition] {
    let held = giveHeld()
    if let current { expectedCount = current.count }
    current = nil
    return held.map { [$0] } ?? []
  }
}

extension GPSDPosition {
  fileprivate func adds(to given: GPSDPosition) -> Bool {
    let addsHeight = mode == 3 && given.mode != 3
    let addsAccuracy = horizontalErrorMeters != nil && given.horizontalErrorMeters == nil
    return addsHeight || addsAccuracy
  }

  /// This report, with what only the earlier one of the same moment says.
  fileprivate func completed(by earlier: GPSDPosition) -> GPSDPosition {
    guard mode ?? 0 >= 2 else { return self }
    var position = self
    position.latitude = latitude ?? earlier.latitude
    position.longitude = longitude ?? earlier.longitude
    position.speedMetersPerSecond = speedMetersPerSecond ?? earlier.speedMetersPerSecond
    position.trackDegrees = trackDegrees ?? earlier.trackDegrees
    position.horizontalErrorMeters = horizontalErrorMeters ?? earlier.horizontalErrorMeters
    position.eastErrorMeters = eastErrorMeters ?? earlier.eastErrorMeters
    position.northErrorMeters = northErrorMeters ?? earlier.northErrorMeters
    position.speedErrorMetersPerSecond = speedErrorMetersPerSecond ?? earlier.speedErrorMetersPerSecond
    position.trackErrorDegrees = trackErrorDegrees ?? earlier.trackErrorDegrees
    position.isSimulated = isSimulated || earlier.isSimulated
    return position
  }
}
