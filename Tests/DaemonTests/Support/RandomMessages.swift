import LocationEngine
import LocationModel
import LocationRuntime
import LocationService

/// Messages of every kind with values of every kind, from a seed.
struct RandomMessages {
  private var generator: SplitMix
  init(seed: UInt64) { generator = SplitMix(state: seed) }

  struct SplitMix: RandomNumberGenerator {
    var state: UInt64
    mutating func next() -> UInt64 {
      state &+= 0x9E37_79B9_7F4A_7C15
      var z = state
      z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
      z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
      return z ^ (z >> 31)
    }
  }

  mutating func number(_ range: ClosedRange<Int>) -> Int { Int.random(in: range, using: &generator) }
  mutating func flag() -> Bool { Bool.random(using: &generator) }
  mutating func value() -> Double { Double.random(in: -1e6...1e6, using: &generator) }
  mutating func text() -> String {
    String(
      (0..<number(0...12)).map { _ in
        Character(["a", "é", "\u{7}", "漢", "🛰", "\"", " "].randomElement(using: &generator) ?? "b")
      })
  }
  mutating func maybe<Value>(_ make: (inout RandomMessages) -> Value) -> Value? { flag() ? make(&self) : nil }
  mutating func pick<Value>(_ values: [Value]) -> Value { values[number(0...(values.count - 1))] }

  mutating func coordinate() -> Coordinate {
    Coordinate(
      latitude: Double.random(in: -90...90, using: &generator),
      longitude: Double.random(in: -180...180, using: &generator))
  }

  mutating func fix() -> Fix {
    Fix(
      coordinate: coordinate(), horizontalAccuracyMeters: maybe { $0.value() },
      time: WallTime(nanosecondsSince1970: Int64(number(0...1_000_000_000_000))), altitudeMeters: maybe { $0.value() },
      ellipsoidalAltitudeMeters: maybe { $0.value() }, verticalAccuracyMeters: maybe { $0.value() },
      speedMetersPerSecond: maybe { $0.value() }, speedAccuracyMetersPerSecond: maybe { $0.value() },
      courseDegrees: maybe { $0.value() }, courseAccuracyDegrees: maybe { $0.value() },
      floor: maybe { $0.number(-3...90) }, isSimulated: flag(), isFromAccessory: flag(),
      source: pick([.recording, .satelliteReceiver, .network, .locationService]))
  }

  mutating func constraint() -> BeaconConstraint {
    BeaconConstraint(
      uuidHigh: generator.next(), uuidLow: generator.next(), major: maybe { UInt16($0.number(0...65_535)) },
      minor: maybe { UInt16($0.number(0...65_535)) })
  }

  mutating func region() -> Region {
    Region(
      identifier: text(),
      shape: flag() ? .circle(center: coordinate(), radiusMeters: value()) : .beacons(constraint()),
      notifiesOnEntry: flag(), notifiesOnExit: flag(), notifiesEntryStateOnDisplay: flag(),
      marginMeters: maybe { $0.value() })
  }

  mutating func authorization() -> Authorization {
    Authorization(
      status: pick([.notDetermined, .restricted, .denied, .authorizedAlways, .authorizedWhenInUse]),
      accuracy: pick([.full, .reduced]))
  }

  mutating func error() -> LocationError { LocationError(rawValue: number(0...19)) ?? .denied }

  mutating func conditionEvent() -> ConditionEvent {
    ConditionEvent(
      identifier: text(), state: pick([.unknown, .satisfied, .unsatisfied, .unmonitored]),
      time: maybe { $0.fix().time }, diagnostics: ServiceDiagnostics(rawValue: UInt16(number(0...4_095))),
      refinement: maybe { $0.constraint() })
  }

  mutating func condition() -> StoredCondition {
    StoredCondition(
      identifier: text(), shape: region().shape, record: conditionEvent(), pending: maybe { $0.conditionEvent() })
  }

  mutating func monitor() -> StoredMonitor {
    StoredMonitor(name: text(), conditions: (0..<number(0...3)).map { _ in condition() })
  }

  private mutating func sighting() -> BeaconSighting {
    BeaconSighting(
      beacon: BeaconIdentity(
        uuidHigh: generator.next(), uuidLow: generator.next(), major: UInt16(number(0...65_535)),
        minor: UInt16(number(0...65_535))),
      proximity: pick([.unknown, .immediate, .near, .far]), accuracyMeters: maybe { $0.value() },
      signalDecibels: maybe { -$0.number(0...127) }, time: fix().time)
  }

  mutating func event() -> ManagerEvent {
    switch number(0...21) {
    case 0: .authorizationChanged(authorization(), isInitial: flag(), statusChanged: flag())
    case 1: .locationsUpdated((0..<number(1...5)).map { _ in fix() }, isAnswer: flag())
    case 2: .failed(error(), isAnswer: flag())
    case 3: .temporaryFullAccuracyAnswered(CompletionIdentifier(generator.next()), maybe { $0.error() })
    case 4: .deferredUpdatesFinished(maybe { $0.error() })
    case 5: .updatesPaused
    case 6: .updatesResumed
    case 7: .monitoringStarted(region())
    case 8: .monitoringFailed(maybe { $0.region() }, error())
    case 9: .stateDetermined(pick([.unknown, .inside, .outside]), region())
    case 10: .regionEntered(region())
    case 11: .regionExited(region())
    case 12:
      .liveUpdated(
        LiveUpdate(fix: maybe { $0.fix() }, diagnostics: ServiceDiagnostics(rawValue: UInt16(number(0...511)))))
    case 13:
      .visited(
        Visit(
          coordinate: coordinate(), radiusMeters: value(), arrival: maybe { $0.fix().time },
          departure: maybe { $0.fix().time }))
    case 14:
      .headingUpdated(
        Heading(
          magneticDegrees: value(), trueDegrees: maybe { $0.value() }, accuracyDegrees: maybe { $0.value() },
          fieldMicroteslas: maybe { DeviceVector(x: $0.value(), y: $0.value(), z: $0.value()) }, time: fix().time))
    case 15: .headingCalibrationAsked
    case 16: .monitorOpened(maybe { $0.monitor() })
    case 17: .conditionChanged(conditionEvent())
    case 18: .sessionDiagnosed(ServiceDiagnostics(rawValue: UInt16(number(0...16_383))))
    case 19: .kept(generator.next(), pick([.regionEntered(region()), .regionExited(region()), .updatesPaused]))
    case 20: .beaconsRanged((0..<number(0...4)).map { _ in sighting() }, constraint())
    default: .rangingFailed(constraint(), error())
    }
  }

  mutating func request() -> Request {
    switch number(0...30) {
    case 0: return .requestWhenInUseAuthorization
    case 1: return .requestAlwaysAuthorization
    case 2: return .requestTemporaryFullAccuracy(purposeKey: text(), completion: CompletionIdentifier(generator.next()))
    case 3:
      var configuration = ManagerConfiguration()
      configuration.desiredAccuracy = pick([.bestForNavigation, .best, .meters(value()), .reduced])
      configuration.distanceFilterMeters = maybe { $0.value() }
      configuration.activityType = pick([.other, .automotiveNavigation, .fitness, .otherNavigation, .airborne])
      configuration.pausesAutomatically = flag()
      configuration.allowsBackgroundUpdates = flag()
      configuration.showsBackgroundIndicator = flag()
      configuration.headingFilterDegrees = maybe { $0.value() }
      configuration.headingOrientation = pick(HeadingOrientation.allCases)
      return .configure(configuration)
    case 4: return .startUpdatingLocation
    case 5: return .stopUpdatingLocation
    case 6: return .requestLocation
    case 7: return .allowDeferredUpdates(distanceMeters: value(), timeoutSeconds: value())
    case 8: return .disallowDeferredUpdates
    case 9: return .startMonitoringSignificantChanges
    case 10: return .stopMonitoringSignificantChanges
    case 11: return .startMonitoringVisits
    case 12: return .stopMonitoringVisits
    case 13: return .startMonitoring(region())
    case 14: return .stopMonitoring(regionIdentifier: text())
    case 15: return .requestState(region())
    case 16: return .startUpdatingHeading
    case 17: return .stopUpdatingHeading
    case 18: return .startRanging(constraint())
    case 19: return .startLiveUpdates(pick([.default, .automotiveNavigation, .otherNavigation, .fitness, .airborne]))
    case 27: return .showHeadingCalibration
    case 28: return .dismissHeadingCalibration
    case 20: return .openMonitor(text())
    case 21: return .addCondition(condition())
    case 22: return .removeCondition(text())
    case 23: return .iterateConditions
    case 24: return .settleCondition(conditionEvent())
    case 25: return .holdBackgroundActivity
    case 26:
      return .holdServiceSession(
        ServiceSessionGoal(
          authorization: pick([.none, .whenInUse, .always]), fullAccuracyPurposeKey: maybe { $0.text() }))
    case 29: return .acknowledgeEvent(generator.next())
    default: return .stopRanging(constraint())
    }
  }

  mutating func clientMessage() -> ClientMessage {
    switch number(0...15) {
    case 14: return .takesPipe
    case 13: return .promptShown(PromptIdentifier(generator.next()))
    case 0:
      var app = AppDescription(identifier: AppIdentifier(text(), userNumber: maybe { UInt32($0.number(0...9)) }))
      app.whenInUseUsage = maybe { $0.text() }
      app.alwaysUsage = maybe { $0.text() }
      app.alwaysAndWhenInUseUsage = maybe { $0.text() }
      app.temporaryUsages = (0..<number(0...3)).map { _ in .init(purposeKey: text(), text: text()) }
      app.prefersReducedAccuracy = flag()
      app.hasLocationBackgroundMode = flag()
      app.requiresExplicitServiceSession = flag()
      return .hello(version: UInt16(number(0...9)), .app(app))
    case 1: return .hello(version: 1, .tool)
    case 2: return .addManager(generator.next())
    case 3: return .removeManager(generator.next())
    case 4: return .request(request(), manager: generator.next())
    case 5: return .command(command(), number: UInt32(number(0...99)))
    case 6: return .becomeAgent
    case 7: return .putOffPrompt(PromptIdentifier(generator.next()))
    case 8: return .beginTask(generator.next(), name: text())
    case 9: return .endTask(generator.next())
    case 10: return .openSettings(generator.next())
    case 11: return .hello(version: 1, .supervisor)
    case 12: return .report(report())
    default:
      return .answerPrompt(
        PromptIdentifier(generator.next()),
        PromptAnswer(
          pick([
            .allowOnce, .allowWhileUsing, .allow, .doNotAllow, .keepWhileUsing, .changeToAlways,
            .settings(settingsChange()),
          ]),
          isPrecise: flag()))
    }
  }

  private mutating func settingsChange() -> SettingsChange {
    switch number(0...3) {
    case 0: .level(pick([.notDetermined, .denied, .whenInUse, .always]))
    case 1: .precise(flag())
    case 2: .backgroundRefresh(flag())
    default: .done
    }
  }

  private mutating func promptKind() -> Prompt.Kind {
    switch number(0...4) {
    case 0: .first
    case 1: .escalation
    case 2: .provisionalConfirmation
    case 3: .temporaryFullAccuracy(purposeKey: text())
    default:
      .settings(
        AppSettings(
          level: pick([.notDetermined, .denied, .whenInUse, .always]), isPrecise: flag(),
          allowsBackgroundRefresh: maybe { $0.flag() }))
    }
  }

  mutating func command() -> ServiceCommand {
    let user = maybe { UInt32($0.number(0...70_000)) }
    return switch number(0...10) {
    case 0: .apps
    case 1:
      .grant(
        app: text(),
        GrantChange(
          level: maybe { $0.pick([.notDetermined, .denied, .whenInUse, .always]) }, isPrecise: maybe { $0.flag() }),
        user: user)
    case 2: .reset(app: text(), user: user)
    case 3: .switchServices(isOn: flag())
    case 4: .switchAirplaneMode(isOn: flag())
    case 5: .status
    case 6: .top
    case 7: .log(app: maybe { $0.text() })
    case 8: .regions(app: maybe { $0.text() })
    case 9: .condition(app: maybe { $0.text() })
    default: .app(appCommand())
    }
  }

  private mutating func appCommand() -> BundleCommand {
    switch number(0...6) {
    case 0: .install(path: text(), assumes: (0..<number(0...2)).map { _ in text() })
    case 1: .uninstall(bundle: text())
    case 2: .launch(bundle: text(), arguments: (0..<number(0...2)).map { _ in text() })
    case 3: .foreground(bundle: text())
    case 4: .background(bundle: text())
    case 5: .switchBackgroundRefresh(isOn: flag(), bundle: maybe { $0.text() })
    default: .terminate(bundle: text(), isForced: flag())
    }
  }

  private mutating func order() -> SupervisorOrder {
    switch number(0...5) {
    case 0: .prepare(app: text())
    case 1:
      .launch(
        AppLaunch(
          app: text(), bundlePath: text(), executablePath: text(), reason: pick([.person, .location]), name: text(),
          arguments: (0..<number(0...2)).map { _ in text() }))
    case 2: .suspend(app: text())
    case 3: .resume(app: text())
    case 4: .terminate(app: text(), termination())
    default: .examine(processNumber: Int32(number(0...70_000)))
    }
  }

  private mutating func termination() -> Termination { pick([.asked, .forceQuit, .overrun(text())]) }

  private mutating func report() -> SupervisorReport {
    switch number(0...5) {
    case 0: .ready
    case 5: .examined(processNumber: Int32(number(0...70_000)), isLeftover: flag())
    case 1: .prepared(app: text(), acknowledged: (0..<number(0...4)).map { _ in generator.next() })
    case 2: .started(launch: text(), processNumber: Int32(number(0...70_000)))
    case 3: .startFailed(launch: text(), text())
    default:
      .ended(
        launch: text(),
        AppEnd(
          processNumber: Int32(number(0...70_000)),
          end: pick([.exited(status: Int32(number(0...255))), .killed(signal: Int32(number(1...64))), .unknown]),
          termination: maybe { $0.termination() }))
    }
  }

  mutating func condition() -> ServiceCondition {
    ServiceCondition(
      isSystemWide: flag(), areServicesOn: flag(), isInAirplaneMode: flag(),
      receivers: pick([.searching, .fixing, .unavailable, .refused]), wishCount: UInt32(number(0...9)),
      promptCount: UInt32(number(0...9)), agentCount: UInt32(number(0...9)),
      supervision: pick([.notNeeded, .connected, .missing]), awaitingAppCount: UInt32(number(0...9)),
      app: maybe {
        ServiceCondition.App(
          name: $0.text(), grant: Grant(level: $0.pick([.notDetermined, .always]), isPrecise: $0.flag()))
      })
  }

  mutating func snapshot() -> ClientSnapshot {
    var capabilities = Capabilities()
    capabilities.monitorsCircularRegions = flag()
    capabilities.hasHeading = flag()
    capabilities.maximumRegionRadiusMeters = maybe { $0.value() }
    return ClientSnapshot(
      authorization: authorization(), locationServicesEnabled: flag(), capabilities: capabilities,
      lastFix: maybe { $0.fix() }, monitoredRegions: (0..<number(0...3)).map { _ in region() })
  }

  mutating func lifeEvent() -> LifeEvent {
    let ends = maybe { Instant(nanoseconds: Int64($0.number(0...1_000_000_000))) }
    return switch number(0...7) {
    case 0:
      .began(
        LifeStanding(
          state: pick([.notRunning, .suspended, .background, .foreground]), cause: pick([.person, .event]),
          backgroundTimeEnds: ends, allowsBackgroundRefresh: flag()))
    case 1: .enteredForeground
    case 2: .enteredBackground
    case 3: .willBeSuspended
    case 4: .willTerminate
    case 5: .backgroundTaskExpired(generator.next())
    case 6: .backgroundTimeChanged(ends: ends)
    default: .backgroundRefreshChanged(isOn: flag())
    }
  }

  mutating func serverMessage() -> ServerMessage {
    switch number(0...14) {
    case 13: .pipe
    case 0: .greeting(AppIdentifier(text()), snapshot())
    case 1: .toolGreeting
    case 2: .refusal(text())
    case 3, 4: .event(event(), manager: generator.next())
    case 5: .snapshot(snapshot())
    case 6: .locationsDropped(UInt32(number(0...9)))
    case 7:
      .answer(
        pick([
          .done, .failed(text()), .sentences([text(), text()]),
          .table(columns: [text()], rows: [[text(), text()], []]), .condition(condition()),
        ]), number: 1)
    case 8:
      .prompt(
        Prompt(
          identifier: PromptIdentifier(generator.next()), app: AppIdentifier(text()),
          kind: promptKind(), usageText: text(), choices: [.allowOnce, .doNotAllow, .settings(settingsChange())],
          offersPreciseSwitch: flag()))
    case 9: .promptWithdrawn(PromptIdentifier(generator.next()))
    case 10: .life(lifeEvent())
    case 11: .settingsOpened(generator.next(), flag())
    case 12: .order(order())
    default: pick([.servicesAlert(AppIdentifier(text())), .promptAnswerRefused(PromptIdentifier(1), text())])
    }
  }

  mutating func bytes(_ count: Int) -> [UInt8] { (0..<count).map { _ in UInt8(number(0...255)) } }
}
