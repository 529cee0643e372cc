import Dispatch
import LinuxIO
import LocationEngine
import LocationModel
import LocationRuntime

/// Where a manager's events come in: registers the manager with the service, carries its events to its thread, and
/// turns them into delegate calls.
final class ManagerInbox: @unchecked Sendable {
  typealias Completion = ((any Error)?) -> Void

  private struct State {
    var nextCompletionNumber: UInt64 = 1
    /// Calls that wait for an answer; each holds its manager until then.
    var completions: [CompletionIdentifier: (CLLocationManager, Completion)] = [:]
    /// The initial status, kept until there is a delegate to hear it.
    var unheardStatus: ManagerEvent?
  }

  private(set) var identifier: ManagerIdentifier?
  private var mailbox: Mailbox?
  private weak var manager: CLLocationManager?
  private let state = Locked(State())

  func attach(to manager: CLLocationManager) {
    self.manager = manager
    let connection = manager.connection
    switch connection.delivery {
    case .host:
      identifier = connection.addManager { [weak self] event in
        self?.deliver(event)
        connection.didDeliver(1)
      }
    case .creatingThread:
      mailbox = Mailbox(
        deliver: { [weak self] in self?.deliver($0) },
        delivered: { connection.didDeliver($0) })
      if mailbox == nil { warnOfMissingRunLoop() }
      identifier = connection.addManager { [weak self] event in
        if let mailbox = self?.mailbox {
          mailbox.post(event)
        } else {
          self?.completeWithoutRunLoop(event)
          connection.didDeliver(1)
        }
      }
    }
  }

  func detach(from connection: any LocationConnection) {
    if let identifier { connection.removeManager(identifier) }
    mailbox?.close()
  }

  /// One line at creation, and then silence (behaviour 2.2).
  private func warnOfMissingRunLoop() {
    DiagnosticLog.write(
      "a CLLocationManager was made on a thread without a run loop (a dispatch worker or a task's pool thread); "
        + "its delegate will hear nothing. Make it on the main thread or on a thread that runs its run loop.")
  }

  /// A completion is always called, even where delegate calls have no thread to come to (behaviour 1.48).
  private func completeWithoutRunLoop(_ event: ManagerEvent) {
    guard case .temporaryFullAccuracyAnswered = event else { return }
    DispatchQueue.global().async { [weak self] in self?.deliver(event) }
  }

  // MARK: Delegate

  /// A status that nobody heard is told to the first delegate that comes, later and not from the setter.
  func delegateChanged(of manager: CLLocationManager) {
    guard manager.delegate != nil,
      let event = state.withLock({ state in
        defer { state.unheardStatus = nil }
        return state.unheardStatus
      })
    else { return }
    postOwn(event)
  }

  /// An event that does not come from the service, delivered like one.
  func postOwn(_ event: ManagerEvent) {
    guard let manager else { return }
    switch manager.connection.delivery {
    case .host: manager.connection.deliverLater { [weak self] in self?.deliver(event) }
    case .creatingThread:
      if let mailbox { mailbox.post(event, count: 0) } else { completeWithoutRunLoop(event) }
    }
  }

  private func deliver(_ event: ManagerEvent) {
    guard let manager else { return }
    switch event {
    case .authorizationChanged(_, _, let statusChanged):
      guard let delegate = manager.delegate else {
        state.withLock { $0.unheardStatus = event }
        return
      }
      // Put back afterwards, since a run loop nested in a callback may deliver inside it.
      let before = manager.isDeliveringAccuracyChangeAlone
      manager.isDeliveringAccuracyChangeAlone = !statusChanged
      delegate.locationManagerDidChangeAuthorization(manager)
      manager.isDeliveringAccuracyChangeAlone = before
    case .locationsUpdated(let fixes, let isAnswer):
      deliver(fixes, isAnswer: isAnswer, to: manager)
    case .failed(let error, let isAnswer):
      deliver(error, isAnswer: isAnswer, to: manager)
    case .headingUpdated(let heading):
      deliver(heading, to: manager)
    case .temporaryFullAccuracyAnswered(let completion, let error):
      complete(completion, with: error)
    case .kept(let number, let event):
      deliver(event)
      // The callback has returned: the app is done with it.
      if let identifier { manager.connection.send(.acknowledgeEvent(number), from: identifier) }
    default:
      deliverRare(event, to: manager)
    }
  }

  private func deliver(_ fixes: [Fix], isAnswer: Bool, to manager: CLLocationManager) {
    let locations = fixes.map(CLLocation.init)
    let accepts = manager.settings.withLock { settings -> Bool in
      guard isAnswer ? settings.acceptsAnswer : settings.acceptsLocations else { return false }
      manager.previousLocationForLegacyDelegates = settings.lastLocation
      settings.lastLocation = locations.last
      if isAnswer { settings.acceptsAnswer = false }
      return true
    }
    guard accepts, let delegate = manager.delegate else { return }
    let before = manager.isDeliveringAnswer
    manager.isDeliveringAnswer = isAnswer
    delegate.locationManager(manager, didUpdateLocations: locations)
    manager.isDeliveringAnswer = before
  }

  private func deliver(_ error: LocationError, isAnswer: Bool, to manager: CLLocationManager) {
    let accepts = manager.settings.withLock { settings -> Bool in
      guard isAnswer else {
        return switch error {
        case .locationUnknown: settings.acceptsUpdates
        case .headingFailure: settings.acceptsHeadings
        default: true
        }
      }
      defer { settings.acceptsAnswer = false }
      return settings.acceptsAnswer
    }
    guard accepts, let delegate = manager.delegate else { return }
    let before = manager.isDeliveringAnswer
    manager.isDeliveringAnswer = isAnswer
    delegate.locationManager(manager, didFailWithError: CLError(error))
    manager.isDeliveringAnswer = before
  }

  private func deliver(_ heading: Heading, to manager: CLLocationManager) {
    let told = CLHeading(heading)
    let accepts = manager.settings.withLock { settings -> Bool in
      if settings.acceptsHeadings { settings.lastHeading = told }
      return settings.acceptsHeadings
    }
    if accepts { manager.delegate?.locationManager(manager, didUpdateHeading: told) }
  }

  private func deliver(_ beacons: [BeaconSighting], of constraint: BeaconConstraint, to manager: CLLocationManager) {
    guard manager.settings.withLock({ $0.ranges(constraint) }) else { return }
    manager.delegate?.locationManager(
      manager, didRange: beacons.map(CLBeacon.init), satisfying: CLBeaconIdentityConstraint(constraint))
  }

  private func deliverRare(_ event: ManagerEvent, to manager: CLLocationManager) {
    guard let delegate = manager.delegate else { return }
    switch event {
    case .deferredUpdatesFinished(let error):
      delegate.locationManager(manager, didFinishDeferredUpdatesWithError: error.map(CLError.init))
    case .updatesPaused:
      delegate.locationManagerDidPauseLocationUpdates(manager)
    case .updatesResumed:
      delegate.locationManagerDidResumeLocationUpdates(manager)
    case .headingCalibrationAsked:
      guard delegate.locationManagerShouldDisplayHeadingCalibration(manager) else { return }
      manager.send(.showHeadingCalibration)
    case .visited(let visit):
      delegate.locationManager(manager, didVisit: CLVisit(visit))
    case .monitoringStarted(let region):
      delegate.locationManager(manager, didStartMonitoringFor: CLRegion.make(region))
    case .monitoringFailed(let region, let error):
      delegate.locationManager(
        manager, monitoringDidFailFor: region.map(CLRegion.make), withError: CLError(error))
    case .stateDetermined(let regionState, let region):
      delegate.locationManager(
        manager, didDetermineState: CLRegionState(rawValue: regionState.rawValue) ?? .unknown,
        for: CLRegion.make(region))
    case .regionEntered(let region):
      delegate.locationManager(manager, didEnterRegion: CLRegion.make(region))
    case .regionExited(let region):
      delegate.locationManager(manager, didExitRegion: CLRegion.make(region))
    case .beaconsRanged(let beacons, let constraint):
      deliver(beacons, of: constraint, to: manager)
    case .rangingFailed(let constraint, let error):
      guard manager.settings.withLock({ $0.ranges(constraint) }) else { return }
      delegate.locationManager(
        manager, didFailRangingFor: CLBeaconIdentityConstraint(constraint), error: CLError(error))
    case .authorizationChanged, .locationsUpdated, .failed, .temporaryFullAccuracyAnswered, .liveUpdated,
      .headingUpdated, .monitorOpened, .conditionChanged, .sessionDiagnosed, .kept:
      break
    }
  }

  // MARK: Completions

  /// Remembers a call until its answer comes.
  func await(_ manager: CLLocationManager, _ completion: @escaping Completion) -> CompletionIdentifier {
    state.withLock { state in
      let identifier = CompletionIdentifier(state.nextCompletionNumber)
      state.nextCompletionNumber += 1
      state.completions[identifier] = (manager, completion)
      return identifier
    }
  }

  private func complete(_ identifier: CompletionIdentifier, with error: LocationError?) {
    let waiting = state.withLock { $0.completions.removeValue(forKey: identifier) }
    waiting?.1(error.map(CLError.init))
  }
}

/// Lines for the app's developer on standard error. They never hold a location.
enum DiagnosticLog {
  static func write(_ sentence: String) {
    InProcessService.log(sentence)
  }
}
