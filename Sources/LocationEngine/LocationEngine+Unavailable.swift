import LocationModel

/// Services that this version does not have yet answer as Core Location does on hardware that lacks them: an error
/// where Apple has one for it, silence where it has none, and one line for the developer.
extension LocationEngine {
  mutating func answerUnavailable(
    _ request: Request, app index: Int, session position: Int, effects: inout [Effect]
  ) {
    let manager = apps[index].sessions[position].identifier
    switch request {
    case .startRanging(let constraint):
      effects.append(.deliver(.rangingFailed(constraint, .rangingUnavailable), to: manager))
      noteUnavailable("beacon ranging", app: index, effects: &effects)
    default:
      break
    }
  }

  /// Once for each service.
  mutating func noteUnavailable(_ service: String, app index: Int, effects: inout [Effect]) {
    guard !apps[index].servicesNotedAbsent.contains(service) else { return }
    apps[index].servicesNotedAbsent.append(service)
    effects.append(.note(.serviceUnavailable(apps[index].identifier, service: service)))
  }
}
