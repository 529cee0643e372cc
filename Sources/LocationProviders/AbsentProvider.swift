import LinuxIO
import LocationModel

/// No source of location at all: what is wanted is answered with "unavailable" and one sentence of advice.
package final class AbsentProvider: LocationProvider {
  private let advice: String
  private let state = Locked((events: (@Sendable (ProviderEvent) -> Void)?.none, hasAdvised: false))

  package init(advice: String) {
    self.advice = advice
  }

  package func connect(_ events: @escaping @Sendable (ProviderEvent) -> Void) {
    state.withLock { $0.events = events }
  }

  package func setDemand(_ demand: ReceiverDemand?) {
    guard demand != nil else { return }
    let (events, advises) = state.withLock { state in
      defer { state.hasAdvised = true }
      return (state.events, !state.hasAdvised)
    }
    if advises { events?(.notice(advice)) }
    events?(.state(.unavailable))
  }
}
