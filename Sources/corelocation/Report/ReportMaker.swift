import LocationRuntime

/// `simulate --report FILE`: collects what a report needs while the journey plays, and writes it afterwards.
struct ReportMaker {
  let notes: JourneyNotes
  let stepSeconds: Double
  private let file: ReportFile
  private let path: String
  private let setting: String
  private let track: JourneyTrack
  private let settings: SessionSettings
  private let beacons: JourneyPlay.Beacons

  /// Nil where no report is wanted.
  init?(_ arguments: CommandLineArguments, path: String, settings: SessionSettings) throws(CommandFailure) {
    guard let file = arguments.value("report") else { return nil }
    guard !file.isEmpty else { throw .wrongUsage("option --report: expected a file, found \"\"") }
    try JourneyComparison.refuseStream(path, for: "--report")
    self.file = try ReportFile(path: file, inputs: [("TRACK", path)] + arguments.namedInputs)
    self.path = path
    self.settings = settings
    beacons = { clock throws(CommandFailure) in try arguments.beaconsOnTheWay(clock: clock) }
    setting = Self.words(arguments, settings.profile.name)
    track = try JourneyTrack(path: path)
    notes = JourneyNotes(start: track.start)
    stepSeconds = EnergyChart.stepSeconds(of: track.seconds)
  }

  func write(_ outcome: JourneyPlay.Outcome) throws(CommandFailure) {
    let rows = try JourneyComparison(path, track: track, settings: settings, beacons: beacons).rows()
    let report = JourneyReport(
      name: path.split(separator: "/").last.map(String.init) ?? path, setting: setting, track: track,
      regions: settings.regions, notes: notes.content, outcome: outcome, stepSeconds: stepSeconds, rows: rows)
    try file.write(report.page)
  }

  private static func words(_ arguments: CommandLineArguments, _ profile: String) -> String {
    let services = arguments.all("service").joined(separator: ",").split(separator: ",").joined(separator: ", ")
    var words = "Services: \(services.isEmpty ? "standard" : services)"
    words += ", accuracy: \(arguments.value("accuracy") ?? "best")"
    if let filter = arguments.value("distance-filter") { words += ", distance filter: \(filter) m" }
    if let activity = arguments.value("activity") { words += ", activity: \(activity)" }
    if arguments.has("no-pause") { words += ", no pauses" }
    if arguments.has("beacons") { words += ", beacons ranged" }
    if arguments.has("profile") { words += ", device: \(profile)" }
    return words + "."
  }
}

extension CommandLineArguments {
  /// What a simulation reads besides its track.
  fileprivate var namedInputs: [ReportFile.Input] {
    var inputs: [ReportFile.Input] = []
    for name in ["regions", "beacons", "profile", "policy"] {
      inputs += all(name).map { ("--\(name)", $0) }
    }
    if !has("policy"), let path = PolicyFile.pathInForce(.current()) { inputs.append(("the policy in force", path)) }
    return inputs
  }
}
