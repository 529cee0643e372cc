import Dispatch
import LinuxIO
import LocationEngine
import LocationModel
import LocationRuntime

/// The service's store as its engine's host uses it. Decisions are on the disk before anybody hears of them; what may
/// be lost with the power (who was seen, who used location, the last fix) is written later, on a queue of its own, so
/// that no client waits for a disk.
final class ServiceStore: AppStateStore, @unchecked Sendable {
  let file: LocationStore
  private let clock: @Sendable () -> WallTime
  private let log: @Sendable (String) -> Void
  /// The device's newest fix, whoever may see it; set once.
  private let deviceFix = Locked<DeviceFix?>(nil)
  private let queue = DispatchQueue(label: "corelocationd.store")

  private struct DeviceFix {
    let read: @Sendable () -> Fix?
  }

  // MARK: On the queue

  private struct Use {
    var number: Int64?
    var clientCount: Int
  }
  private var uses: [AppIdentifier: Use] = [:]
  private var lastFixStoredAt: WallTime?

  init(_ file: LocationStore, clock: @escaping @Sendable () -> WallTime, log: @escaping @Sendable (String) -> Void) {
    self.file = file
    self.clock = clock
    self.log = log
  }

  func setDeviceFix(_ read: @escaping @Sendable () -> Fix?) {
    deviceFix.withLock { $0 = DeviceFix(read: read) }
  }

  private func tell(_ body: () throws(StoreError) -> Void) {
    do throws(StoreError) { try body() } catch { log(error.description) }
  }

  // MARK: AppStateStore

  func load(_ app: AppIdentifier) -> StoredAppState {
    do throws(StoreError) {
      return StoredAppState(
        grant: try file.app(app)?.grant ?? Grant(), lastFix: try file.lastFix(),
        registrations: try numbered(try registrations(of: app), of: app),
        life: try file.life(of: app))
    } catch {
      log(error.description)
      // What was decided is unknown, so that nothing is given.
      return StoredAppState()
    }
  }

  func store(_ grant: Grant, for app: AppIdentifier) {
    tell { () throws(StoreError) in try file.store(grant, decidedAt: clock(), for: app) }
  }

  func store(_ registrations: Registrations, for app: AppIdentifier) {
    tell { () throws(StoreError) in try keep(registrations, of: app) }
  }

  /// What an app has noted as done counts, also where the service that told it was killed before it knew.
  func settle(_ acknowledged: [UInt64], of app: AppIdentifier) throws(StoreError) {
    guard !acknowledged.isEmpty else { return }
    var registrations = try registrations(of: app)
    registrations.events.removeAll { acknowledged.contains($0.number) }
    try keep(registrations, of: app)
  }

  /// The number of an installed app's first event: the time, since no number may come again. What a process of the app
  /// has noted as done can outlive all that is stored here of the app, in the hands of a supervisor too: until it was
  /// uninstalled, say, or the store was lost.
  private func numbered(
    _ registrations: Registrations, of app: AppIdentifier
  ) throws(StoreError) -> Registrations {
    guard registrations.nextEventNumber == Registrations().nextEventNumber, try file.bundle(of: app) != nil else {
      return registrations
    }
    var numbered = registrations
    numbered.nextEventNumber = UInt64(max(1, clock().nanosecondsSince1970))
    return numbered
  }

  private func registrations(of app: AppIdentifier) throws(StoreError) -> Registrations {
    var registrations = try file.registrations(of: app).registrations
    registrations.events = try file.pendingEvents(of: app).compactMap { StoredEngineState.event($0.bytes) }
    return registrations
  }

  /// An event and the state that it came of are on the disk together, or neither is.
  private func keep(_ registrations: Registrations, of app: AppIdentifier) throws(StoreError) {
    try file.store(
      StoredRegistrations(registrations), waiting: registrations.events.map(StoredEngineState.bytes), for: app)
  }

  func store(_ life: StoredAppLife, for app: AppIdentifier) {
    tell { () throws(StoreError) in try file.store(life, for: app) }
  }

  /// The device's own, since what an app with reduced accuracy saw is no good to others.
  func store(_ lastFix: Fix, for app: AppIdentifier) {
    queue.async { [self] in
      guard let fix = deviceFix.withLock({ $0 })?.read() else { return }
      let now = clock()
      if let lastFixStoredAt, abs(now.seconds(since: lastFixStoredAt)) < 59 { return }
      lastFixStoredAt = now
      tell { () throws(StoreError) in try file.store(lastFix: fix) }
    }
  }

  /// Why nothing can be kept just now; nil where a write was tried and came through.
  func obstacle() -> String? {
    do throws(StoreError) {
      try file.verifyWritable()
      return nil
    } catch {
      return error.description
    }
  }

  // MARK: Later

  /// Who was seen, and what the app says of itself. Written only where it is news.
  func remember(_ identity: PeerIdentity, _ description: AppDescription) {
    queue.async { [self] in
      tell { () throws(StoreError) in
        let known = try file.app(identity.app)
        let kind = identity.isUnprotected ? "\(identity.kind.rawValue), unprotected" : identity.kind.rawValue
        guard
          known?.kind != kind || known?.executablePath != identity.executablePath || known?.description != description
        else { return }
        try file.storeSighting(
          of: identity.app, kind: kind, executablePath: identity.executablePath, description: description)
      }
    }
  }

  /// A client of an app begins to be told locations. One row stands for all clients of an app that overlap.
  func beginUse(of app: AppIdentifier, isPrecise: Bool) {
    let now = clock()
    queue.async { [self] in
      if uses[app] != nil {
        uses[app]?.clientCount += 1
        return
      }
      var use = Use(number: nil, clientCount: 1)
      tell { () throws(StoreError) in
        use.number = try file.beginAccess(by: app, service: .standardUpdates, isPrecise: isPrecise, at: now)
      }
      uses[app] = use
    }
  }

  func endUse(of app: AppIdentifier) {
    let now = clock()
    queue.async { [self] in
      uses[app]?.clientCount -= 1
      guard let use = uses[app], use.clientCount <= 0 else { return }
      uses[app] = nil
      guard let number = use.number else { return }
      tell { () throws(StoreError) in _ = try file.endAccess(number, at: now) }
    }
  }

  /// Everything that waits is written.
  func finish() {
    queue.sync {
      let now = clock()
      for (_, use) in uses {
        if let number = use.number { tell { () throws(StoreError) in _ = try file.endAccess(number, at: now) } }
      }
      uses = [:]
      if let fix = deviceFix.withLock({ $0 })?.read() { tell { () throws(StoreError) in try file.store(lastFix: fix) } }
      tell { () throws(StoreError) in try file.checkpoint() }
    }
  }
}
