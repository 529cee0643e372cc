import LocationModel

/// Decides which of several sources is listened to, so that an app never sees two positions in turn.
///
/// The source in use stays in use as long as it gives fixes, unless another one is clearly better; to come back, the
/// first has to be clearly better in its turn. What is clear is the same both ways, so nothing zigzags.
struct SourceChoice {
  private var inUse: FixSource?
  private var accuracyMeters = Double.infinity
  private var heardAt = Instant.zero

  /// Whether a fix is of the source to listen to now.
  mutating func accepts(_ fix: Fix, at now: Instant, policy: Policy) -> Bool {
    let accuracy = fix.horizontalAccuracyMeters ?? .infinity
    let isOther = inUse != nil && inUse != fix.source
    let isSilent = now.seconds(since: heardAt) > policy.sourceSilenceSecondsMax
    let isClearlyBetter = accuracy < accuracyMeters * policy.sourceSwitchRatio
    guard !isOther || isSilent || isClearlyBetter else { return false }
    inUse = fix.source
    accuracyMeters = accuracy
    heardAt = now
    return true
  }
}
