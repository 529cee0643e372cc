import LocationModel
import LocationProviders

/// The provider that a source specification asks for, as an app in this process gets it: recordings are stamped with
/// the machine's clock at delivery unless they say `time=file` (design 5).
struct InProcessSource {
  let provider: any LocationProvider
  /// Kept where the recording waits for its deliveries.
  let ledger: DeliveryLedger?

  /// - Parameter app: the bundle identifier or the executable's path, for services that ask who is asking.
  init(specification: String?, app: String, clock: any SessionClock, log: @escaping @Sendable (String) -> Void) {
    do {
      let source = try SourceSpecification(specification ?? "auto")
      switch source {
      case .automatic:
        provider = AbsentProvider(
          advice: "this version finds no receivers yet: set CORELOCATION_SOURCE to gpx:PATH or fixed:LAT,LON.")
        ledger = nil
      case .geoClue:
        provider = LocationServiceProvider(.ofThisMachine(for: app), clock: clock)
        ledger = nil
      case .portal:
        provider = LocationServiceProvider(.portal, clock: clock)
        ledger = nil
      case .fixed(let coordinate, let altitudeMeters):
        provider = FixedProvider(coordinate: coordinate, altitudeMeters: altitudeMeters, clock: clock)
        ledger = nil
      case .gpx(let path, let options):
        let ledger = options.pace == .maximum ? DeliveryLedger() : nil
        provider = try Self.replay(path: path, options: options, ledger: ledger, clock: clock, log: log)
        self.ledger = ledger
      }
    } catch {
      provider = AbsentProvider(advice: "CORELOCATION_SOURCE gives no locations: \(error)")
      ledger = nil
    }
  }

  private static func replay(
    path: String, options: PlaybackOptions, ledger: DeliveryLedger?, clock: any SessionClock,
    log: @escaping @Sendable (String) -> Void
  ) throws -> any LocationProvider {
    let schedule = ReplaySchedule(
      try TrackReader(path: path), shortensGaps: options.shortensGaps ?? true)
    let pace: ReplayProvider.Pace
    switch (options.pace, ledger) {
    case (_, let ledger?): pace = .asDelivered(ledger)
    case (.times(let speed), nil): pace = .speed(speed)
    case (.maximum, nil), (nil, nil): pace = .speed(1)
    }
    return ReplayProvider(
      schedule: schedule, clock: clock, pace: pace,
      stamping: options.stamps == .recorded ? .recording : .delivery,
      ended: { error in
        log(error.map { "\($0)" } ?? "\(path) has been played to its end.")
      })
  }
}
