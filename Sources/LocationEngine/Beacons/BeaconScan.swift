import LocationModel

/// When the radio listens for beacons, and what it has heard.
///
/// Without a break while somebody ranges, and for regions of an app in the foreground; else for `beaconScanSeconds` in
/// every `beaconScanIntervalSeconds`, and longer only where a region that was inside has not been heard yet.
struct BeaconScan {
  var radio = BeaconRadio.absent
  /// Something changed that may change who is listened for.
  var isStale = false
  /// What was asked of the radio last.
  var wanted: [BeaconConstraint]?
  /// Whether the screen is watched for the sake of regions that are told when it turns on.
  var watchesDisplay = false
  /// Since when the radio has listened without a break; nil while it does not.
  var listeningSince: Instant?
  var ranged = HeardBeacons()

  /// Since when it listens for the sake of regions in the background; nil between two such looks.
  private var lookSince: Instant?
  private(set) var nextLook: Instant?

  /// Works out whether it is time to look; nobody needs more.
  mutating func looks(at now: Instant, isLookOpen: Bool, policy: Policy) -> Bool {
    if lookSince == nil, nextLook.map({ $0 <= now }) ?? true {
      lookSince = now
      nextLook = now.advanced(bySeconds: policy.beaconScanIntervalSeconds)
    }
    guard let lookSince else { return false }
    if now.seconds(since: lookSince) >= policy.beaconScanSeconds, !isLookOpen { self.lookSince = nil }
    return self.lookSince != nil
  }

  /// The next look comes at once.
  mutating func lookSoon() {
    nextLook = nil
    isStale = true
  }

  mutating func endLooks() {
    lookSince = nil
    nextLook = nil
  }

  /// When the scan is to be worked out anew; nil where only packets and silence change it.
  func due(policy: Policy, after now: Instant) -> Instant? {
    guard let lookSince else { return nextLook }
    let ends = lookSince.advanced(bySeconds: policy.beaconScanSeconds)
    // A look that goes on beyond its end ends with a packet or with silence.
    return ends > now ? ends : nil
  }

  func isDue(at now: Instant, policy: Policy) -> Bool {
    if let lookSince { return now.seconds(since: lookSince) >= policy.beaconScanSeconds }
    return nextLook.map { $0 <= now } ?? false
  }
}
