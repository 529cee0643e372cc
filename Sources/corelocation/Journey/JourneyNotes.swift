import LinuxIO
import LocationEngine
import LocationModel

/// What an app heard on a journey and what its receivers did, in order of time, for tables and reports.
final class JourneyNotes: Sendable {
  struct Content: Sendable {
    var locations: [(seconds: Double, fix: Fix)] = []
    var visits: [(seconds: Double, visit: Visit)] = []
    var regions: [(seconds: Double, region: Region, isInside: Bool, isCrossing: Bool)] = []
    var pauses: [(seconds: Double, isPaused: Bool)] = []
    /// When a receiver was switched on or off.
    var switches: [(seconds: Double, receiver: JourneyReceiver, isOn: Bool)] = []
    /// When satellites were looked for in vain again and again, and for what share of the time.
    var vainLooks: [(start: Double, end: Double, share: Double)] = []
    /// What the motion sensor felt, as long as it was on.
    var motions: [(seconds: Double, motion: DeviceMotion)] = []

    var crossingCount: Int { regions.count { $0.isCrossing } }
  }

  private let start: WallTime
  private let state = Locked(Content())

  init(start: WallTime) {
    self.start = start
  }

  var content: Content { state.withLock { $0 } }

  func heard(_ event: ManagerEvent, at time: WallTime) {
    let seconds = time.seconds(since: start)
    switch event {
    case .locationsUpdated(let fixes, _):
      state.withLock { state in state.locations += fixes.map { (seconds, $0) } }
    case .visited(let visit): state.withLock { $0.visits.append((seconds, visit)) }
    case .regionEntered(let region): state.withLock { $0.regions.append((seconds, region, true, true)) }
    case .regionExited(let region): state.withLock { $0.regions.append((seconds, region, false, true)) }
    case .stateDetermined(let regionState, let region):
      state.withLock { $0.regions.append((seconds, region, regionState == .inside, false)) }
    case .updatesPaused: state.withLock { $0.pauses.append((seconds, true)) }
    case .updatesResumed: state.withLock { $0.pauses.append((seconds, false)) }
    case .kept(_, let kept): heard(kept, at: time)
    default: break
    }
  }

  func receiversDid(_ change: JourneyReceivers.Change, at now: Instant) {
    let seconds = now.seconds(since: .zero)
    switch change {
    case .switched(let before, let after):
      for (receiver, isOn) in JourneyReceiver.switches(from: before, to: after) {
        state.withLock { $0.switches.append((seconds, receiver, isOn)) }
      }
    case .sensorSwitched(let isOn):
      state.withLock { state in
        state.switches.append((seconds, .motion, isOn))
        if !isOn { state.motions.append((seconds, .unknown)) }
      }
    case .beaconScanSwitched(let isOn): state.withLock { $0.switches.append((seconds, .bluetooth, isOn)) }
    case .lookedInVain(let since, let share):
      state.withLock { $0.vainLooks.append((since.seconds(since: .zero), seconds, share)) }
    case .felt(let motion): state.withLock { $0.motions.append((seconds, motion)) }
    }
  }
}
