import LinuxIO
import LocationModel
import LocationProviders

/// The provider that a source specification asks for, as an app in this process gets it: recordings are stamped with
/// the machine's clock at delivery unless they say `time=file` (design 5).
package struct InProcessSource {
  package let provider: any LocationProvider
  /// Kept where the recording waits for its deliveries.
  let ledger: DeliveryLedger?
  /// Of a recording: that of the device that is carried along it; nil where the machine's own is used.
  package private(set) var compass: TrackCompass?

  /// - Parameter app: the bundle identifier or the executable's path, for services that ask who is asking.
  package init(
    _ source: SourceSpecification, app: String, clock: any SessionClock, log: @escaping @Sendable (String) -> Void
  ) {
    if let receiver = LiveSource.provider(for: source, app: app, clock: clock) {
      provider = receiver
      ledger = nil
      return
    }
    switch source {
    case .fixed(let coordinate, let altitudeMeters):
      provider = FixedProvider(coordinate: coordinate, altitudeMeters: altitudeMeters, clock: clock)
      ledger = nil
    case .gpx(let path, let options):
      (provider, ledger, compass) = Self.replay(path, .gpx, options, clock: clock, log: log)
    case .nmea(let path, let options):
      (provider, ledger, compass) = Self.replay(path, .nmea, options, clock: clock, log: log)
    case .automatic, .gpsd, .tcp, .udp, .geoClue, .portal:
      preconditionFailure("receivers have been made above")
    }
  }

  /// The same, as it is written in CORELOCATION_SOURCE; what is not understood gives no location, and says so.
  init(specification: String?, app: String, clock: any SessionClock, log: @escaping @Sendable (String) -> Void) {
    do throws(SourceSpecification.Failure) {
      self.init(try SourceSpecification(specification ?? "auto"), app: app, clock: clock, log: log)
    } catch {
      self.init(provider: AbsentProvider(advice: "CORELOCATION_SOURCE gives no locations: \(error)"), ledger: nil)
    }
  }

  private init(provider: any LocationProvider, ledger: DeliveryLedger?) {
    self.provider = provider
    self.ledger = ledger
  }

  private static func replay(
    _ path: String, _ format: RecordingFormat, _ options: PlaybackOptions, clock: any SessionClock,
    log: @escaping @Sendable (String) -> Void
  ) -> (any LocationProvider, DeliveryLedger?, TrackCompass) {
    let shortensGaps = options.shortensGaps ?? true
    // Read by whichever thread has delivered last, which must not wait for a pipe.
    let readsAtOnce = options.pace == .maximum && InputFile.isRegular(path: path)
    let ledger = readsAtOnce ? DeliveryLedger() : nil
    let pace: ReplayProvider.Pace
    switch (options.pace, ledger) {
    case (_, let ledger?): pace = .asDelivered(ledger)
    case (.times(let speed), nil): pace = .speed(speed)
    // A pipe: whatever comes is given at once.
    case (.maximum, nil): pace = .speed(1e6)
    case (nil, nil): pace = .speed(1)
    }
    let provider = ReplayProvider(
      opening: { () throws(ReplayError) in
        try ReplaySchedule.open(path, format: format, shortensGaps: shortensGaps)
      },
      // A queue of its own: a pipe in which nothing comes may hold it, but not the deadlines of the engine.
      clock: clock is LiveClock ? LiveClock() : clock, pace: pace,
      stamping: options.stamps == .recorded ? .recording : .delivery,
      ended: { error in
        log(error.map { "\($0)" } ?? "\(path) has been played to its end.")
      })
    let compass = TrackCompass()
    return (CompassCarrier(provider, compass: compass), ledger, compass)
  }
}
