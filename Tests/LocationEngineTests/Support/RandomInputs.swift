import LocationEngine
import LocationModel

/// A random life of three apps with four processes between them.
struct RandomInputs {
  var generator: SeededGenerator
  let apps: [AppDescription]
  private(set) var seconds = 0.0
  private var nextCompletion: UInt64 = 1
  /// Prompts that the engine has shown; the newest are answered most.
  var shownPrompts: [PromptIdentifier] = []
  /// Where the device is for a while: at one of a few places, or nil for anywhere.
  private var spot: Coordinate?

  init(seed: UInt64) {
    generator = SeededGenerator(seed: seed)
    apps = ["a", "b", "c"].map { name in
      .complete {
        $0.identifier = AppIdentifier(name)
        $0.hasLocationBackgroundMode = name != "b"
        $0.prefersReducedAccuracy = name == "c"
        $0.isInstalled = name == "a"
      }
    }
  }

  static func policy(_ generator: inout SeededGenerator) -> Policy {
    .with(era: Era.allCases.randomElement(using: &generator) ?? .iOS18) {
      $0.suspendedFixesMax = 5
      $0.deferredFixesMax = 5
      $0.regionsPerAppMax = 3
      $0.regionEventsHeldMax = 3
      if generator.happens(oneIn: 3) { $0.alwaysEscalation = .becomesProvisional }
    }
  }

  private mutating func pick<Element>(_ choices: [Element]) -> Element {
    choices[Int.random(in: 0..<choices.count, using: &generator)]
  }

  /// Clients 1 and 2 are app a's, 3 is b's, 4 is c's.
  private mutating func client() -> ClientIdentifier { ClientIdentifier(UInt64.random(in: 1...4, using: &generator)) }

  private func app(of client: ClientIdentifier) -> AppDescription {
    apps[client.number <= 2 ? 0 : Int(client.number) - 2]
  }

  private mutating func manager() -> ManagerIdentifier {
    ManagerIdentifier(client: client(), number: UInt64.random(in: 1...3, using: &generator))
  }

  private mutating func grant() -> Grant {
    let level: Grant.Level = pick([.notDetermined, .notDetermined, .denied, .whenInUse, .always])
    return Grant(
      level: level, isProvisional: level == .always && generator.happens(oneIn: 2),
      isPrecise: !generator.happens(oneIn: 3), hasRequestedAlways: generator.happens(oneIn: 4),
      isRestricted: generator.happens(oneIn: 10))
  }

  mutating func fix() -> Fix {
    if generator.happens(oneIn: 12) { spot = pick([nil] + Self.spots.map(Optional.some)) }
    let anywhere = Coordinate(latitude: generator.number(in: -90...90), longitude: generator.number(in: -180...180))
    let place = spot.map {
      Coordinate(latitude: $0.latitude + generator.number(in: -2e-4...2e-4), longitude: $0.longitude)
    }
    return Fix(
      coordinate: place ?? anywhere, horizontalAccuracyMeters: pick([nil, 3, 10, 65, 2_000]),
      time: Fix.start.advanced(bySeconds: seconds))
  }

  /// Two of them 400 m apart.
  private static let spots = [
    Coordinate(latitude: 47.5, longitude: 19.2), Coordinate(latitude: 47.5036, longitude: 19.2),
    Coordinate(latitude: -33, longitude: 180),
  ]

  private mutating func region() -> Region {
    let identifier: String = pick(["r1", "r2", "r3", "r4", "r5"])
    if generator.happens(oneIn: 6) {
      var region = Region.beacons(identifier)
      region.notifiesEntryStateOnDisplay = generator.happens(oneIn: 2)
      return region
    }
    return Region(
      identifier: identifier,
      shape: .circle(center: pick(Self.spots), radiusMeters: pick([100, 150, 150, 150, 5_000, -1, .infinity])),
      notifiesOnEntry: !generator.happens(oneIn: 6), notifiesOnExit: !generator.happens(oneIn: 6),
      marginMeters: pick([nil, nil, nil, 60, -1]))
  }

  private mutating func constraint() -> BeaconConstraint { .uuid(1, major: pick([nil, 1])) }

  private mutating func request() -> Request {
    switch Int.random(in: 0..<31, using: &generator) {
    case 0, 1: return .requestWhenInUseAuthorization
    case 2, 3: return .requestAlwaysAuthorization
    case 4, 5:
      nextCompletion += 1
      return .requestTemporaryFullAccuracy(
        purposeKey: pick(["turn", "turn", "meet", "unknown"]), completion: CompletionIdentifier(nextCompletion))
    case 6, 7, 8: return .startUpdatingLocation
    case 9: return .stopUpdatingLocation
    case 10, 11, 12: return .requestLocation
    case 13: return .allowDeferredUpdates(distanceMeters: pick([10, 1e300]), timeoutSeconds: pick([10, 1e300]))
    case 14, 15, 16, 17: return .startMonitoring(region())
    case 18: return .stopMonitoring(regionIdentifier: region().identifier)
    case 19: return .requestState(region())
    case 20: return .disallowDeferredUpdates
    case 21: return .startMonitoringSignificantChanges
    case 22: return pick([.startMonitoringVisits, .stopMonitoringVisits])
    case 23: return .stopMonitoringSignificantChanges
    case 24: return .holdServiceSession(ServiceSessionGoal(authorization: pick([.none, .whenInUse])))
    case 25: return .startRanging(constraint())
    case 26: return .stopRanging(constraint())
    default:
      var configuration = ManagerConfiguration()
      configuration.desiredAccuracy = pick([.best, .bestForNavigation, .meters(100), .reduced])
      configuration.distanceFilterMeters = pick([nil, nil, 50])
      configuration.allowsBackgroundUpdates = pick([true, false])
      return .configure(configuration)
    }
  }

  private mutating func answer() -> Input {
    let prompt = shownPrompts.last.map { generator.happens(oneIn: 8) ? PromptIdentifier(1) : $0 }
    return .promptAnswered(
      prompt ?? PromptIdentifier(1),
      PromptAnswer(
        pick([.allowOnce, .allowWhileUsing, .allow, .doNotAllow, .keepWhileUsing, .changeToAlways]),
        isPrecise: generator.happens(oneIn: 2)))
  }

  /// The next input and its second.
  mutating func next() -> (input: Input, seconds: Double) {
    seconds += pick([0, 0.25, 1, 1, 3, 6, 12])
    if generator.happens(oneIn: 60) { seconds += 4_000 }
    let app = pick(apps).identifier
    let input: Input =
      switch Int.random(in: 0..<44, using: &generator) {
      case 0, 1: connection()
      case 2: generator.happens(oneIn: 3) ? .clientDisconnected(client()) : .timePassed
      case 3, 4: .managerCreated(manager())
      case 5: generator.happens(oneIn: 4) ? .appForgotten(app) : .managerReleased(manager())
      case 6...18: .requested(request(), by: manager())
      case 19...22: .appStateChanged(app, pick([.foreground, .foreground, .background, .suspended, .notRunning]))
      case 23...26: answer()
      case 27: .grantChanged(app, pick([.notDetermined, .denied, .whenInUse, .always]))
      case 28: .preciseChanged(app, generator.happens(oneIn: 2))
      case 29: generator.happens(oneIn: 3) ? .restrictionChanged(app, generator.happens(oneIn: 3)) : .timePassed
      case 30: generator.happens(oneIn: 2) ? .locationServicesSwitched(on: !generator.happens(oneIn: 4)) : .timePassed
      case 31:
        generator.happens(oneIn: 2)
          ? .receiversChanged(pick([.searching, .fixing, .unavailable, .refused]))
          : .headingSampled(.magnetic(generator.number(in: 0...359.9), at: seconds))
      case 32: generator.happens(oneIn: 2) ? .airplaneModeChanged(isOn: generator.happens(oneIn: 2)) : .timePassed
      case 33...35:
        .beaconHeard(
          .of(
            pick([1, 1, 2]), major: pick([1, 2]), signal: -Int.random(in: 30...99, using: &generator), at: seconds))
      case 36:
        generator.happens(oneIn: 2)
          ? .displayTurnedOn : .beaconRadioChanged(pick([.absent, .starting, .off, .failing, .on, .on]))
      default: .fixReceived(fix())
      }
    return (input, seconds)
  }

  private mutating func connection() -> Input {
    let client = client()
    return .clientConnected(client, app(of: client), grant: grant(), lastFix: generator.happens(oneIn: 3) ? fix() : nil)
  }
}
