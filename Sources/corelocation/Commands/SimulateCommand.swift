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
      .init("report", "FILE", "not in this version"),
      CommandLineArguments.jsonOption,
    ],
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
    let schedule = try ReplaySchedule.open(arguments.operands[0], shortensGaps: false)
    let start = try schedule.startTime()
    let writer = ResultWriter(arguments, flushes: false)
    StandardOutput.shared.handOverRegularly()
    let clock = VirtualClock(wallStart: start)
    let listener = Listener(writer, clock: clock)
    let replay = ReplayProvider(
      schedule: schedule, clock: clock, pace: .speed(1), stamping: .recording
    ) { listener.end(.recordingEnded($0)) }
    let progress = JourneyProgress()
    let compass = settings.compassOfRecording
    let beacons = try arguments.beaconsOnTheWay(clock: clock)
    let provider = WatchedProvider(replay, modelledBy: clock, compass: compass, beacons: beacons) {
      progress.reached($0.time)
    }
    let simulated = SimulatedHost(
      clock: clock, provider: provider, headingSensor: compass, beaconReceiver: beacons, policy: settings.policy,
      store: settings.ownFileStore, log: Messages.log)
    provider.onFixTaken { [weak simulated] in simulated?.settle() }
    let connection = simulated.connect(SessionSettings.app)
    sayIfWithheld(connection.snapshot.authorization.status)
    connection.begin(settings, host: simulated.host, listener: listener)
    simulated.settle()
    provider.start()
    simulated.run(until: Instant(nanoseconds: .max)) { listener.ending != nil }
    progress.end()
    writer.write(
      JourneySummary(
        fixCount: provider.fixCount, deliveredCount: listener.deliveredCount,
        virtualSeconds: clock.now.seconds(since: .zero), receiverSeconds: provider.measured.onSeconds(at: clock.now),
        gnssJoules: provider.measured.joules(at: clock.now)))
    if case .recordingEnded(let failure?) = listener.ending { throw .failed(failure.description) }
    return .done
  }

  /// That an app is told nothing is a result here, and yet rarely what was meant.
  private static func sayIfWithheld(_ status: AuthorizationStatus) {
    guard !status.isAuthorized else { return }
    Messages.say("CORELOCATION_AUTHORIZATION=\(status.name): this app is given no location, as any app would be")
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

  private static func settings(_ arguments: CommandLineArguments) throws(CommandFailure) -> SessionSettings {
    var configuration = ManagerConfiguration()
    configuration.desiredAccuracy = try arguments.accuracy() ?? .best
    configuration.distanceFilterMeters = try arguments.distanceFilterMeters()
    configuration.activityType = try arguments.activity() ?? .other
    configuration.pausesAutomatically = !arguments.has("no-pause")
    if arguments.has("report") { throw .notAvailable("option --report") }
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
    return settings
  }
}
