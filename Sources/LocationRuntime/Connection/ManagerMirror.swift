import LocationEngine
import LocationModel

/// What one manager of this process has asked of a service in another process, so that it can be asked again when that
/// service comes back, and what its app has heard, so that nothing is heard twice.
struct ManagerMirror: Sendable {
  private var configuration: ManagerConfiguration?
  private(set) var isUpdating = false
  private(set) var awaitsAnswer = false
  private var runningServices: [Request] = []
  /// Asked, and not answered yet.
  private var openQuestions: [Request] = []
  /// The monitor that this manager has open.
  private var monitor: MonitorMirror?
  private var told: Authorization?
  private var lastFix: Fix?
  /// `locationUnknown` has been said and no fix has come since.
  private var hasReportedUnknown = false
  /// The service has come back: its first words repeat what it said before.
  private var isResuming = false
  private var kept = KeptEventMirror()

  init() {}

  /// Whether somebody waits for a fix.
  var wantsFixes: Bool { isUpdating || awaitsAnswer }

  // MARK: What the app asks

  mutating func note(_ request: Request) {
    switch request {
    case .configure(let configuration): self.configuration = configuration
    case .startUpdatingLocation:
      isUpdating = true
      awaitsAnswer = false
      hasReportedUnknown = false
    case .stopUpdatingLocation:
      isUpdating = false
      awaitsAnswer = false
      lastFix = nil
    case .requestLocation: if !isUpdating { awaitsAnswer = true }
    case .startMonitoringSignificantChanges, .startMonitoringVisits, .startUpdatingHeading, .startRanging,
      .startLiveUpdates, .holdBackgroundActivity, .holdServiceSession:
      if !runningServices.contains(request) { runningServices.append(request) }
    case .stopMonitoringSignificantChanges: runningServices.removeAll { $0 == .startMonitoringSignificantChanges }
    case .stopMonitoringVisits: runningServices.removeAll { $0 == .startMonitoringVisits }
    case .stopUpdatingHeading: runningServices.removeAll { $0 == .startUpdatingHeading }
    case .stopRanging(let constraint): runningServices.removeAll { $0 == .startRanging(constraint) }
    case .requestWhenInUseAuthorization, .requestAlwaysAuthorization:
      if !openQuestions.contains(request) { openQuestions.append(request) }
    case .requestTemporaryFullAccuracy, .requestState: openQuestions.append(request)
    case .startMonitoring(let region):
      removeOpenStarts(of: region.identifier)
      openQuestions.append(request)
    case .stopMonitoring(let identifier):
      removeOpenStarts(of: identifier)
      openQuestions.append(request)
    case .allowDeferredUpdates: openQuestions.append(request)
    case .disallowDeferredUpdates, .showHeadingCalibration, .dismissHeadingCalibration: break
    case .acknowledgeEvent(let number): kept.acknowledged(number)
    case .openMonitor(let name): monitor = MonitorMirror(name: name)
    case .addCondition, .removeCondition, .iterateConditions, .settleCondition: monitor?.note(request)
    }
  }

  private mutating func removeOpenStarts(of identifier: String) {
    openQuestions.removeAll {
      switch $0 {
      case .startMonitoring(let region): region.identifier == identifier
      case .stopMonitoring(let other): other == identifier
      default: false
      }
    }
  }

  // MARK: What the service says

  /// The event as the app is to hear it; nil for one that it has heard already.
  mutating func heard(_ event: ManagerEvent) -> ManagerEvent? {
    switch event {
    case .authorizationChanged(let authorization, let isInitial, _):
      let before = told
      told = authorization
      if authorization.status != .notDetermined {
        openQuestions.removeAll { $0 == .requestWhenInUseAuthorization || $0 == .requestAlwaysAuthorization }
      }
      guard isInitial, let before else { return event }
      // The service has come back. Only what has changed meanwhile is news (behaviour 1.26).
      guard before != authorization else { return nil }
      return .authorizationChanged(
        authorization, isInitial: false, statusChanged: before.status != authorization.status)
    case .locationsUpdated(let fixes, let isAnswer):
      return heard(fixes, isAnswer: isAnswer)
    case .failed(let error, let isAnswer):
      if isAnswer { awaitsAnswer = false }
      guard error == .locationUnknown, !isAnswer else { return event }
      return reportUnknown()
    case .temporaryFullAccuracyAnswered(let completion, _):
      openQuestions.removeAll {
        if case .requestTemporaryFullAccuracy(_, let asked) = $0 { asked == completion } else { false }
      }
    case .deferredUpdatesFinished:
      if let place = openQuestions.firstIndex(where: { if case .allowDeferredUpdates = $0 { true } else { false } }) {
        openQuestions.remove(at: place)
      }
    case .monitoringStarted(let region): removeOpenStarts(of: region.identifier)
    case .monitoringFailed(let region?, _): removeOpenStarts(of: region.identifier)
    case .stateDetermined(_, let region):
      let question = openQuestions.firstIndex {
        if case .requestState(let asked) = $0 { asked.identifier == region.identifier } else { false }
      }
      if let question { openQuestions.remove(at: question) }
    case .updatesPaused, .updatesResumed, .regionEntered, .regionExited, .rangingFailed, .beaconsRanged,
      .monitoringFailed(nil, _),
      .visited, .liveUpdated, .headingUpdated, .headingCalibrationAsked, .conditionChanged, .sessionDiagnosed:
      break
    case .monitorOpened(let stored):
      guard monitor?.hasOpened(stored) == true else { return nil }
    case .kept(let number, let inner):
      guard kept.isNews(number) else { return nil }
      // A place that is no news is kept no longer.
      guard let news = heard(inner) else {
        kept.acknowledged(number)
        return nil
      }
      return .kept(number, news)
    }
    return event
  }

  private mutating func heard(_ fixes: [Fix], isAnswer: Bool) -> ManagerEvent? {
    guard !isAnswer else {
      awaitsAnswer = false
      return .locationsUpdated(fixes, isAnswer: true)
    }
    var news = fixes
    if isResuming {
      // A service that has come back begins with its cached fix, which this app may have had from it before.
      if let lastFix { news.removeAll { $0.time <= lastFix.time } }
      isResuming = news.isEmpty
    }
    guard let last = news.last else { return nil }
    lastFix = last
    hasReportedUnknown = false
    return .locationsUpdated(news, isAnswer: false)
  }

  /// `locationUnknown`, said once until a fix has come (behaviour 2.13).
  private mutating func reportUnknown() -> ManagerEvent? {
    guard !hasReportedUnknown else { return nil }
    hasReportedUnknown = true
    return .failed(.locationUnknown, isAnswer: false)
  }

  /// Whether a kept event, of which the app is not to hear, is one that it is done with.
  func isDone(with event: ManagerEvent) -> Bool {
    if case .kept(let number, _) = event { kept.isDone(number) } else { false }
  }

  // MARK: The service goes and comes

  /// The service is away: what the app hears of it.
  mutating func serviceIsAway() -> ManagerEvent? {
    isUpdating ? reportUnknown() : nil
  }

  /// A request for one location that has waited long enough without a service (behaviour 2.32).
  mutating func giveUpAnswer() -> ManagerEvent? {
    guard awaitsAnswer else { return nil }
    awaitsAnswer = false
    return .failed(.locationUnknown, isAnswer: true)
  }

  /// All that has to be asked again of a service that knows nothing of this manager.
  mutating func resume() -> [Request] {
    isResuming = lastFix != nil
    var requests: [Request] = configuration.map { [.configure($0)] } ?? []
    requests += openQuestions
    requests += runningServices
    requests += monitor?.resume() ?? []
    if isUpdating { requests.append(.startUpdatingLocation) }
    if awaitsAnswer { requests.append(.requestLocation) }
    return requests
  }
}
