import LinuxIO
import LocationModel

/// A place that never moves, given once a second while it is wanted: `fixed:LAT,LON[,ALT]`.
package final class FixedProvider: LocationProvider {
  private struct State {
    var events: (@Sendable (ProviderEvent) -> Void)?
    var alarm: (any Alarm)?
    var isWanted = false
  }

  private let fix: Fix
  private let clock: any SessionClock
  private let state = Locked(State())

  /// Accuracy 5 m, and 10 m for the altitude where one is given: those of a recording that names none.
  package init(coordinate: Coordinate, altitudeMeters: Double?, clock: any SessionClock) {
    fix = Fix(
      coordinate: coordinate, horizontalAccuracyMeters: 5, time: clock.wallTime,
      altitudeMeters: altitudeMeters, verticalAccuracyMeters: altitudeMeters.map { _ in 10 },
      isSimulated: true)
    self.clock = clock
  }

  package func connect(_ events: @escaping @Sendable (ProviderEvent) -> Void) {
    let alarm = clock.makeAlarm { [weak self] in self?.give() }
    state.withLock {
      $0.events = events
      $0.alarm = alarm
    }
  }

  package func setDemand(_ demand: ReceiverDemand?) {
    let alarm = state.withLock { state -> (any Alarm)? in
      let wasWanted = state.isWanted
      state.isWanted = demand != nil
      return wasWanted == state.isWanted ? nil : state.alarm
    }
    alarm?.set(demand == nil ? nil : clock.now)
  }

  private func give() {
    let (events, alarm) = state.withLock { ($0.isWanted ? $0.events : nil, $0.alarm) }
    guard let events else { return }
    alarm?.set(clock.now.advanced(bySeconds: 1))
    var stamped = fix
    stamped.time = clock.wallTime
    events(.fix(stamped))
  }
}
