import LocationEngine
import LocationProviders
import LocationRuntime

/// The person at a simulated device: answers questions, and decides in Settings.
public struct SimulatedPerson: Sendable {
  /// What may be answered to a question of the device's.
  public enum Answer: Sendable {
    case allowOnce
    case allowWhileUsing
    /// Before iOS 13: what was asked for.
    case allow
    case doNotAllow
    case keepWhileUsing
    case changeToAlways

    var choice: PromptChoice {
      switch self {
      case .allowOnce: .allowOnce
      case .allowWhileUsing: .allowWhileUsing
      case .allow: .allow
      case .doNotAllow: .doNotAllow
      case .keepWhileUsing: .keepWhileUsing
      case .changeToAlways: .changeToAlways
      }
    }
  }

  let device: SimulatedDevice
  package var scripted: ScriptedPerson { device.host.person }

  // MARK: Questions

  /// The next question without an answer gets this one, after a while of the device's time. One that does not offer it
  /// stays open, and the log says what it offers.
  public func willAnswer(_ answer: Answer, precise: Bool = true, after delay: Duration = .zero) {
    let seconds = TestMistake.refuseNegative(delay, "a person answers after")
    willAnswer(PromptAnswer(answer.choice, isPrecise: precise), afterSeconds: seconds)
  }

  /// Answers the oldest open question now, and what comes of it is handed over; false where nothing is asked, and where
  /// the question does not offer this answer: then it stays, and the log says what it offers.
  @discardableResult
  public func answers(_ answer: Answer, precise: Bool = true) -> Bool {
    let hasAnswered = self.answer(PromptAnswer(answer.choice, isPrecise: precise))
    device.settle()
    return hasAnswered
  }

  /// The texts of the questions on screen, the oldest first.
  public var openQuestions: [String] { openPrompts.map(\.usageText) }

  /// How many questions were ever shown.
  public var questionCount: Int { shownPrompts.count }

  // MARK: Settings

  /// Chooses in the app's entry; `notDetermined` is Ask Next Time.
  public func chooses(_ permission: SimulatedPermission) {
    let level: Grant.Level =
      switch permission {
      case .notDetermined: .notDetermined
      case .denied: .denied
      case .whenInUse: .whenInUse
      case .always: .always
      }
    device.chooseInSettings(level)
    device.settle()
  }

  /// What the app's entry says now. Where Always was asked for and While Using answered it says While Using, whatever
  /// the app reads (behaviour 1.13).
  public var permissionInSettings: SimulatedPermission {
    let grant = device.grantInSettings
    return switch grant.level {
    case .notDetermined: .notDetermined
    case .denied: .denied
    case .whenInUse: .whenInUse
    case .always: grant.isProvisional ? .whenInUse : .always
    }
  }

  public func setsPrecise(_ isPrecise: Bool) {
    device.setPrecise(isPrecise)
    device.settle()
  }

  public func switchesLocationServices(on isOn: Bool) {
    device.switchLocationServices(on: isOn)
    device.settle()
  }

  /// Wi-Fi, cell towers and Bluetooth are off while it is on; satellites, which send nothing, are heard on, unless the
  /// device was made with `hearsSatellitesInAirplaneMode: false`. No permission changes: where nothing is left that
  /// finds places the app hears `locationUnknown`, and it goes on by itself when the mode is over (behaviour 3.12).
  public func switchesAirplaneMode(on isOn: Bool) {
    device.noteSwitched("airplane mode", on: isOn)
    device.host.host.handle(.airplaneModeChanged(isOn: isOn))
    device.settle()
  }

  /// Background App Refresh, of this app or of all. Where it is restricted nothing changes, and the log says so.
  public func switchesBackgroundRefresh(on isOn: Bool, ofAllApps: Bool = false) {
    guard !device.simulatedLife.isRefreshRestricted else {
      return device.note("the person cannot switch Background App Refresh, which is restricted")
    }
    if ofAllApps { device.simulatedLife.isRefreshOnForAll = isOn }
    device.noteSwitched("Background App Refresh of \(ofAllApps ? "all apps" : "the app")", on: isOn)
    device.host.host.handle(
      .life(.backgroundRefreshSwitched(ofAllApps ? nil : device.app.identifier, isOn: isOn)))
    device.settle()
  }

  /// Parental controls, or whoever manages the device: Background App Refresh is off for all apps, and the person
  /// cannot switch it on. `UIApplication.backgroundRefreshStatus` is `restricted`, until it is lifted and what the
  /// person had chosen holds again.
  public func restrictsBackgroundRefresh(_ isRestricted: Bool = true) {
    guard isRestricted != device.simulatedLife.isRefreshRestricted else { return }
    device.restrictBackgroundRefresh(isRestricted)
  }

  // MARK: The device

  /// Looks at the device: its display turns on, and apps are told of regions of beacons with
  /// `notifyEntryStateOnDisplay` that they are inside (behaviour 6.4).
  public func turnsDisplayOn() { device.turnDisplayOn() }

  // MARK: As the engine has it

  package func willAnswer(_ answer: PromptAnswer, afterSeconds: Double) {
    scripted.willAnswer(answer, afterSeconds: afterSeconds)
  }

  @discardableResult
  package func answer(_ answer: PromptAnswer) -> Bool { scripted.answer(answer) }
  package var openPrompts: [Prompt] { scripted.openPrompts }
  package var shownPrompts: [Prompt] { scripted.shownPrompts }
  package var locationServicesAlerts: [AppIdentifier] { scripted.locationServicesAlerts }
}

extension ScriptedPerson.Event {
  /// As the log tells it.
  var words: String {
    switch self {
    case .isAsked(let prompt): "the person is asked \"\(prompt.usageText)\""
    case .answers(let prompt, let answer):
      "the person answers: \(answer.choice)"
        + (prompt.offersPreciseSwitch && !answer.isPrecise ? ", without Precise" : "")
    case .cannotAnswer(let prompt, let choice):
      "the person cannot answer \(choice) to \"\(prompt.usageText)\", which offers "
        + prompt.choices.map { "\($0)" }.joined(separator: ", ")
    case .isNoLongerAsked(let prompt): "the question \"\(prompt.usageText)\" is gone"
    case .isShownLocationServicesAlert: "the person reads that Location Services are off"
    }
  }
}
