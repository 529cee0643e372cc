import LinuxIO
import LocationModel
import LocationProviders

/// The provider that a source specification asks for, as an app in this process gets it: recordings are stamped with
/// the machine's clock at delivery unless they say `time=file` (design 5).
struct InProcessSource {
  let provider: any LocationProvider
  /// Kept where the recording waits for its deliveries.
  let ledger: DeliveryLedger?

  init(specification: String?, clock: any SessionClock, log: @escaping @Sendable (String) -> Void) {
    do {
      let source = try SourceSpecification(specification ?? "auto")
      switch source {
      case .automatic:
        provider = AbsentProvider(
          advice: "this version finds no receivers yet: set CORELOCATION_SOURCE to gpx:PATH or fixed:LAT,LON.")
        ledger = nil
      case .fixed(let coordinate, let altitudeMeters):
        provider = FixedProvider(coordinate: coordinate, altitudeMeters: altitudeMeters, clock: clock)
        ledger = nil
      case .gpx(let path, let options):
        // Read by whichever thread has delivered last, which must not wait for a pipe.
        let readsAtOnce = options.pace == .maximum && InputFile.isRegular(path: path)
        let ledger = readsAtOnce ? DeliveryLedger() : nil
        provider = Self.replay(path: path, options: options, ledger: ledger, clock: clock, log: log)
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
  ) -> any LocationProvider {
    let shortensGaps = options.shortensGaps ?? true
    let pace: ReplayProvider.Pace
    switch (options.pace, ledger) {
    case (_, let ledger?): pace = .asDelivered(ledger)
    case (.times(let speed), nil): pace = .speed(speed)
    // A pipe: whatever comes is given at once.
    case (.maximum, nil): pace = .speed(1e6)
    case (nil, nil): pace = .speed(1)
    }
    return ReplayProvider(
      opening: { () throws(ReplayError) in
        ReplaySchedule(try TrackReader(path: path), shortensGaps: shortensGaps)
      },
      // A queue of its own: a pipe in which nothing comes may hold it, but not the deadlines of the engine.
      clock: clock is LiveClock ? LiveClock() : clock, pace: pace,
      stamping: options.stamps == .recorded ? .recording : .delivery,
      ended: { error in
        log(error.map { "\($0)" } ?? "\(path) has been played to its end.")
      })
  }
}
