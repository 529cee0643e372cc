import LocationEngine
import LocationFormats
import LocationModel
import LocationProviders
import LocationRuntime

/// `corelocation simulate TRACK`: a journey through the engine, on a virtual clock.
enum SimulateCommand {
  static let command = Command(
    name: "simulate", operands: "TRACK", operandCount: 1,
    summary: "Plays a journey on a virtual clock and tells what an app would hear, and the energy of it",
    options: [
      .init("service", "S,...", "standard, significant, visits, or several; none only counts (standard)"),
      CommandLineArguments.accuracyOption, CommandLineArguments.distanceFilterOption,
      .init("activity", "T", "other, automotive, fitness, navigation or airborne (other)"),
      .init("no-pause", nil, "do not pause updates where the journey rests; a pause lasts to the end"),
      .init("policy", "FILE", "rules that differ from the default, as JSON"),
      .init("region", "ID:LAT,LON,RADIUS", "monitors a circle; may stand several times"),
      .init("regions", "FILE", "monitors the circles of a GeoJSON file: Points with an id and a radius"),
      .init("compass", nil, "updates headings, too: the device points where the journey goes"),
      .init("beacons", "FILE", "ranges the beacons of a GeoJSON file: Points with a uuid, major, minor and power"),
      .init("beacon-seed", "N", "which fading their signals have (1)"),
      .init(
        "report", "FILE",
        "also writes a page with map, timeline, energy and other settings (HTML); a new file, or an earlier page"),
      .init("explain", nil, "also tells whenever receivers go on or off, for which service and why"),
    ] + CommandLineArguments.profileOptions + [CommandLineArguments.jsonOption],
    notes: [
      "TRACK is a GPX file or an NMEA recording, or - for GPX on standard input.",
      "The clock begins at its first time and keeps its gaps.",
      "Of several services one story is told, in time order; where both standard updates and significant changes tell",
      "locations, each line says which.",
      "The app is in the foreground and allowed; CORELOCATION_AUTHORIZATION says otherwise. What it then withholds is",
      "told as an app would hear it, and ends with status 0.",
      "Points without time in a stream wait at most half a second of silence for a time to count from.",
    ],
    run: { (arguments) throws(CommandFailure) in try run(arguments) })

  private static func run(_ arguments: CommandLineArguments) throws(CommandFailure) -> ExitStatus {
    let settings = try settings(arguments)
    let path = arguments.operands[0]
    let report = try ReportMaker(arguments, path: path, settings: settings)
    let schedule = try ReplaySchedule.open(path, shortensGaps: false)
    let writer = ResultWriter(arguments, flushes: false)
    StandardOutput.shared.handOverRegularly()
    var play = JourneyPlay(
      settings: settings, writer: writer, notes: report?.notes, explains: arguments.has("explain"),
      stepSeconds: report?.stepSeconds, hasPermission: sayIfWithheld)
    play.beacons = { clock throws(CommandFailure) in try arguments.beaconsOnTheWay(clock: clock) }
    let outcome = try play.run(schedule)
    writer.write(outcome.summary)
    if let failure = outcome.failure { throw .failed(failure.description) }
    try report?.write(outcome)
    return .done
  }

  /// That an app is told nothing is a result here, and yet rarely what was meant.
  static func sayIfWithheld(_ status: AuthorizationStatus) {
    guard !status.isAuthorized else { return }
    Messages.sayOnce("CORELOCATION_AUTHORIZATION=\(status.name): this app is given no location, as any app would be")
  }

  /// One list or several, in the order of their names here, whatever order they were written in.
  private static func services(_ arguments: CommandLineArguments) throws(CommandFailure) -> [SessionSettings.Service] {
    let texts = arguments.all("service")
    guard !texts.isEmpty else { return [.standard] }
    var wanted: Set<SessionSettings.Service> = []
    let names = texts.flatMap { $0.split(separator: ",", omittingEmptySubsequences: false) }
    for name in names where name != "none" {
      guard let service = SessionSettings.Service.lasting.first(where: { $0.rawValue == name }) else {
        let expected = SessionSettings.Service.lasting.map(\.rawValue).joined(separator: ", ")
        throw .wrongUsage(
          "option --service: expected \(expected), several of them with commas between, or none, found \"\(name)\"")
      }
      wanted.insert(service)
    }
    if names.contains("none"), names.count > 1 {
      throw .wrongUsage("option --service: none stands alone, found \"\(texts.joined(separator: ","))\"")
    }
    return SessionSettings.Service.lasting.filter(wanted.contains)
  }

  static func settings(_ arguments: CommandLineArguments) throws(CommandFailure) -> SessionSettings {
    var configuration = ManagerConfiguration()
    configuration.desiredAccuracy = try arguments.accuracy() ?? .best
    configuration.distanceFilterMeters = try arguments.distanceFilterMeters()
    configuration.activityType = try arguments.activity() ?? .other
    configuration.pausesAutomatically = !arguments.has("no-pause")
    if arguments.value("policy")?.isEmpty == true {
      throw .wrongUsage("option --policy: expected a file, found \"\"")
    }
    var settings = try SessionSettings(environment: .current(), policyPath: arguments.value("policy"))
    settings.configuration = configuration
    settings.regions = try arguments.regions()
    settings.services = try services(arguments)
    settings.wantsHeadings = arguments.has("compass")
    let beacons = try arguments.placedBeacons()
    settings.rangedBeacons = beacons.uuids
    settings.regions += beacons.regions
    settings.profile = try arguments.profile()
    settings.seed = try arguments.seed()
    return settings
  }
}
