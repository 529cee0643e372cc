import LinuxIO
import LocationEngine
import LocationModel
import LocationProviders

/// One journey under every accuracy and service, each played through the engine from its first fix.
struct JourneyComparison {
  struct Row: Sendable {
    var service: String
    /// Nil where the service takes none.
    var accuracy: String?
    var summary: JourneySummary
    var visitCount: Int
    var crossingCount: Int
    /// A pause lasts to the journey's end: nobody brings the app to the foreground.
    var pauseCount: Int
    var errors: JourneyErrors

    var name: String { accuracy.map { "\(service), \($0)" } ?? service }
  }

  static let accuracies: [(name: String, accuracy: DesiredAccuracy)] = [
    ("navigation", .bestForNavigation), ("best", .best), ("10m", .meters(10)), ("100m", .meters(100)),
    ("1km", .meters(1_000)), ("3km", .meters(3_000)),
  ]

  private let path: String
  private let track: JourneyTrack
  private let settings: SessionSettings
  private let beacons: JourneyPlay.Beacons

  /// - Parameters:
  ///   - path: a plain file, since it is read anew for each setting.
  ///   - settings: what all settings have in common; regions are monitored in a row of their own, and beacons in
  ///     another.
  ///   - beacons: those that stand along the journey.
  init(_ path: String, track: JourneyTrack, settings: SessionSettings, beacons: @escaping JourneyPlay.Beacons) {
    self.beacons = beacons
    self.path = path
    self.track = track
    self.settings = settings
  }

  static func refuseStream(_ path: String, for what: String) throws(CommandFailure) {
    guard path == "-" || !InputFile.isRegular(path: path) else { return }
    // What is not there, or a folder, is named as such where it is opened.
    if path != "-", (try? InputFile(path: path).isDirectory()) ?? true { return }
    throw .wrongUsage("\(what) plays the journey several times: expected a plain file, found \"\(path)\"")
  }

  /// - Parameter finished: is given each row as it is known.
  func rows(_ finished: (Row) -> Void = { _ in }) throws(CommandFailure) -> [Row] {
    var rows: [Row] = []
    func add(_ row: Row) {
      rows.append(row)
      finished(row)
    }
    for (name, accuracy) in Self.accuracies {
      add(try row("standard", accuracy: name) { $0.configuration.desiredAccuracy = accuracy })
    }
    add(try row("significant") { $0.services = [.significant] })
    add(try row("visits") { $0.services = [.visits] })
    let circles = settings.regions.filter { !$0.isOfBeacons }
    if !circles.isEmpty {
      add(
        try row("regions") {
          $0.services = []
          $0.regions = circles
        })
    }
    if !settings.rangedBeacons.isEmpty { add(try beaconRow()) }
    return rows
  }

  private func beaconRow() throws(CommandFailure) -> Row {
    try row("beacons", hearing: beacons) { [settings] in
      $0.services = []
      $0.regions = settings.regions.filter(\.isOfBeacons)
      $0.rangedBeacons = settings.rangedBeacons
    }
  }

  private func row(
    _ service: String, accuracy: String? = nil, hearing beacons: JourneyPlay.Beacons? = nil,
    _ change: (inout SessionSettings) -> Void
  ) throws(CommandFailure) -> Row {
    var settings = settings
    settings.regions = []
    settings.rangedBeacons = []
    settings.wantsHeadings = false
    settings.services = [.standard]
    change(&settings)
    let notes = JourneyNotes(start: track.start)
    let schedule = try ReplaySchedule.open(path, shortensGaps: false)
    var play = JourneyPlay(settings: settings, writer: .silent, notes: notes)
    play.hasPermission = SimulateCommand.sayIfWithheld
    if let beacons { play.beacons = beacons }
    let outcome = try play.run(schedule)
    if let failure = outcome.failure { throw .failed(failure.description) }
    let content = notes.content
    return Row(
      service: service, accuracy: accuracy, summary: outcome.summary, visitCount: content.visits.count,
      crossingCount: content.crossingCount, pauseCount: content.pauses.count { $0.isPaused },
      errors: JourneyErrors(
        track, deliveries: content.locations.map { .init(seconds: $0.seconds, place: $0.fix.coordinate) }))
  }
}

extension Region {
  var isOfBeacons: Bool {
    if case .beacons = shape { true } else { false }
  }
}
