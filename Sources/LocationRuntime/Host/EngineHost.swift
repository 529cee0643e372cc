import Dispatch
import Glibc
import LinuxIO
import LocationEngine
import LocationModel
import LocationProviders

/// Runs one engine: feeds it what happens, carries out its effects in order, and wakes it at its deadlines.
///
/// A step is taken under a lock and its effects go to one ordered outbox, which is emptied after the lock is released
/// by one thread at a time. So a delegate may call straight back in, and two racing steps cannot change the order of
/// anybody's callbacks.
package final class EngineHost: Sendable {
  package typealias Deliver = @Sendable (ManagerEvent) -> Void

  private struct State {
    var engine: LocationEngine
    var alarm: (any Alarm)?
    var outbox: [Effect] = []
    /// What the emptying thread works on; kept, so that a stream of fixes allocates nothing.
    var spare: [Effect] = []
    var isEmptying = false
    var deliveries: [ManagerIdentifier: Delivery] = [:]
    /// Of the emptying thread.
    var route = DeliveryRoute()
    /// Whose deliveries these are, so that a client's end costs no look at those of all others.
    var managersByClient: [ClientIdentifier: Set<UInt64>] = [:]
    var nextClientNumber: UInt64 = 1
    var compasses = Compasses()
    /// Said once for each time that airplane mode keeps the provider off.
    var hasSaidAirplaneMode = false
  }

  private struct Compasses {
    var sensorIsThere = false
    var receiverHasOne = false

    var isAny: Bool { sensorIsThere || receiverHasOne }
  }

  package let clock: any SessionClock
  private let provider: any LocationProvider
  private let headingSensor: (any HeadingSensor)?
  private let beaconReceiver: (any BeaconReceiver)?
  private let motionSensor: (any MotionSensor)?
  private let displaySensor: (any DisplaySensor)?
  private let ports: HostPorts
  private let state: Locked<State>

  package init(
    engine: LocationEngine, clock: any SessionClock, provider: any LocationProvider,
    headingSensor: (any HeadingSensor)? = nil, beaconReceiver: (any BeaconReceiver)? = nil,
    motionSensor: (any MotionSensor)? = nil, displaySensor: (any DisplaySensor)? = nil, ports: HostPorts
  ) {
    self.clock = clock
    self.provider = provider
    self.headingSensor = headingSensor
    self.beaconReceiver = beaconReceiver
    self.motionSensor = motionSensor
    self.displaySensor = displaySensor
    self.ports = ports
    state = Locked(State(engine: engine))
    let alarm = clock.makeAlarm { [weak self] in self?.handle(.timePassed) }
    state.withLock { $0.alarm = alarm }
    provider.connect { [weak self] event in self?.received(event) }
    headingSensor?.connect { [weak self] event in self?.receivedFromSensor(event) }
    beaconReceiver?.connect { [weak self] event in self?.received(event) }
    motionSensor?.connect { [weak self] motion in self?.handle(.motionChanged(motion)) }
    displaySensor?.connect { [weak self] in self?.handle(.displayTurnedOn) }
  }

  /// Tells the engine what happened, now.
  package func handle(_ input: Input) {
    let empties = state.withLock { state -> Bool in
      state.engine.handle(input, at: clock.now, effects: &state.outbox)
      // Set under the lock, so that two racing steps cannot leave an older deadline behind.
      state.alarm?.set(state.engine.nextDeadline)
      let empties = !state.isEmptying && !state.outbox.isEmpty
      if empties { state.isEmptying = true }
      return empties
    }
    if empties { emptyOutbox() }
  }

  /// Looks at the engine without changing it.
  package func read<Result>(_ body: (LocationEngine) -> Result) -> Result {
    state.withLock { body($0.engine) }
  }

  /// Waits until what was decided has been carried out, no longer than so many seconds: for a process that ends while
  /// another of its threads is about to store a grant.
  package func waitUntilCarriedOut(secondsMax: Double) {
    let end = DispatchTime.now().uptimeNanoseconds + UInt64(max(0, secondsMax) * 1e9)
    while state.withLock({ $0.isEmptying }), DispatchTime.now().uptimeNanoseconds < end {
      usleep(500)
    }
  }

  // MARK: Clients

  /// Connects one process of an app; what is stored of the app comes with it.
  package func connect(_ app: AppDescription) -> ClientIdentifier {
    let stored = ports.store.load(app.identifier)
    let client = state.withLock { state -> ClientIdentifier in
      defer { state.nextClientNumber += 1 }
      return ClientIdentifier(state.nextClientNumber)
    }
    if !stored.registrations.isEmpty {
      handle(.appRestored(app, grant: stored.grant, registrations: stored.registrations))
    }
    handle(.clientConnected(client, app, grant: stored.grant, lastFix: stored.lastFix))
    return client
  }

  /// Makes what is stored of an installed app known: it is watched for from now on, also while it does not run. One
  /// that is known already gets its newest description.
  package func restore(_ app: AppDescription) {
    let stored = ports.store.load(app.identifier)
    // What the engine has decided since counts, also where it is not on the disk yet.
    let life = read { $0.storedLife(of: app.identifier) } ?? stored.life
    if !stored.registrations.isEmpty {
      handle(.appRestored(app, grant: stored.grant, registrations: stored.registrations))
    }
    handle(.life(.restored(app, grant: stored.grant, life)))
  }

  /// A supervisor has started a process of an installed app, of which all that is stored is made known first.
  package func launched(_ app: AppDescription, because cause: LaunchCause) {
    restore(app)
    let grant = read { $0.grant(of: app.identifier) } ?? Grant()
    handle(.life(.launched(app, grant: grant, cause)))
  }

  package func addManager(_ manager: ManagerIdentifier, deliver: @escaping Deliver) {
    state.withLock { state in
      state.deliveries[manager] = Delivery(to: manager, deliver)
      state.managersByClient[manager.client, default: []].insert(manager.number)
    }
    handle(.managerCreated(manager))
  }

  package func removeManager(_ manager: ManagerIdentifier) {
    handle(.managerReleased(manager))
    state.withLock { state in
      state.deliveries.removeValue(forKey: manager)?.end()
      state.managersByClient[manager.client]?.remove(manager.number)
      if state.managersByClient[manager.client]?.isEmpty == true { state.managersByClient[manager.client] = nil }
    }
  }

  /// The process of a client ended: nothing reaches it any more.
  package func disconnect(_ client: ClientIdentifier) {
    handle(.clientDisconnected(client))
    state.withLock { state in
      for number in state.managersByClient.removeValue(forKey: client) ?? [] {
        state.deliveries.removeValue(forKey: ManagerIdentifier(client: client, number: number))?.end()
      }
    }
  }

  /// Keeps no room for steps as large as those before. For a host whose clients have all left.
  package func giveBackMemory() {
    state.withLock { state in
      if state.outbox.isEmpty { state.outbox = [] }
      state.spare = []
      state.route = DeliveryRoute()
    }
  }

  // MARK: Effects

  private func received(_ event: ProviderEvent) {
    switch event {
    case .fix(let fix): handle(.fixReceived(fix))
    case .state(let state):
      handle(.receiversChanged(state))
      if state == .unavailable { noteCompass { $0.receiverHasOne = false } }
    case .heading(let sample):
      noteCompass { $0.receiverHasOne = true }
      handle(.headingSampled(sample))
    case .headingAvailable(let isAvailable): noteCompass { $0.receiverHasOne = isAvailable }
    case .notice(let sentence): ports.log(sentence)
    }
  }

  private func receivedFromSensor(_ event: ProviderEvent) {
    switch event {
    case .heading(let sample): handle(.headingSampled(sample))
    case .headingAvailable(let isAvailable): noteCompass { $0.sensorIsThere = isAvailable }
    case .notice(let sentence): ports.log(sentence)
    case .fix, .state: break
    }
  }

  private func received(_ event: BeaconEvent) {
    switch event {
    case .packet(let packet): handle(.beaconHeard(packet))
    case .radio(let radio): handle(.beaconRadioChanged(radio))
    case .notice(let sentence): ports.log(sentence)
    }
  }

  /// There is a compass while the sensor is there, or a receiver that has told a heading is not lost.
  private func noteCompass(_ change: (inout Compasses) -> Void) {
    let (before, now) = state.withLock { state -> (Bool, Bool) in
      let before = state.compasses.isAny
      change(&state.compasses)
      return (before, state.compasses.isAny)
    }
    if before != now { handle(.headingAvailabilityChanged(now)) }
  }

  private func emptyOutbox() {
    while true {
      let effects = state.withLock { state -> [Effect]? in
        guard !state.outbox.isEmpty else {
          state.isEmptying = false
          return nil
        }
        let effects = state.outbox
        state.outbox = state.spare
        state.spare = []
        return effects
      }
      guard var effects else { return }
      carryOut(effects)
      effects.removeAll(keepingCapacity: true)
      state.withLock { $0.spare = effects }
    }
  }

  /// A provider of which airplane mode allows nothing is away, and nobody waits for it (behaviour 3.12).
  private func setReceivers(_ demand: ReceiverDemand?) {
    let isKeptOff = demand?.kinds.isDisjoint(with: provider.kinds) == true
    provider.setDemand(isKeptOff ? nil : demand)
    let says = state.withLock { state -> Bool in
      defer { if demand != nil { state.hasSaidAirplaneMode = isKeptOff } }
      return isKeptOff && !state.hasSaidAirplaneMode
    }
    if says { ports.log("Airplane mode is on, so that no location comes.") }
    guard isKeptOff else { return }
    handle(.receiversChanged(.unavailable))
  }

  /// Deliveries that follow one another make a row.
  private func carryOut(_ effects: [Effect]) {
    var route = state.withLock { state in
      let route = state.route
      state.route = DeliveryRoute()
      return route
    }
    var count = 0
    for effect in effects {
      if case .deliver(let event, let manager) = effect {
        route.deliver(event, to: manager, at: count) { state.withLock { $0.deliveries[manager] } }
        count += 1
      } else {
        if count > 0 { ports.delivered() }
        count = 0
        carryOut(effect)
      }
    }
    if count > 0 { ports.delivered() }
    state.withLock { $0.route = route }
  }

  private func carryOut(_ effect: Effect) {
    switch effect {
    case .deliver: break
    case .snapshotChanged(let app):
      ports.snapshotChanged(app)
    case .showPrompt(let prompt):
      ports.prompter.show(prompt) { [weak self] answer in
        self?.handle(.promptAnswered(prompt.identifier, answer))
      }
    case .withdrawPrompt(let prompt):
      ports.prompter.withdraw(prompt)
    case .showLocationServicesAlert(let app):
      ports.prompter.showLocationServicesAlert(for: app)
    case .storeGrant(let grant, let app):
      ports.store.store(grant, for: app)
    case .storeLastFix(let fix, let app):
      ports.store.store(fix, for: app)
    case .storeRegistrations(let registrations, let app):
      ports.store.store(registrations, for: app)
    case .launch(let app, _):
      ports.launch(app)
    case .life(let effect):
      ports.life(effect)
    case .setReceivers(let demand):
      setReceivers(demand)
    case .setMotionSensor(let isOn):
      motionSensor?.setMotionWanted(isOn)
    case .setHeadingSensor(let isOn):
      headingSensor?.setWanted(isOn)
    case .setBeaconScan(let constraints):
      beaconReceiver?.listen(for: constraints)
    case .setDisplayWatch(let isOn):
      displaySensor?.setWanted(isOn)
    case .showHeadingCalibration(let app):
      ports.headingCalibration(app, true)
    case .hideHeadingCalibration(let app):
      ports.headingCalibration(app, false)
    case .note(let notice):
      ports.log(notice.sentence)
    }
  }
}
