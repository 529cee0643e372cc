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

  /// - Parameters:
  ///   - path: a plain file, since it is read anew for each setting.
  ///   - settings: what all settings have in common; regions are monitored in a row of their own.
  init(_ path: String, track: JourneyTrack, settings: SessionSettings) {
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
    if !settings.regions.isEmpty {
      add(
        try row("regions") { [regions = settings.regions] in
          $0.services = []
          $0.regions = regions
        })
    }
    return rows
  }

  private func row(
    _ service: String, accuracy: String? = nil, _ change: (inout SessionSettings) -> Void
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
