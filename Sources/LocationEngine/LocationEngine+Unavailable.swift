import LocationModel

/// Services that this machine cannot give answer as Core Location does on hardware that lacks them: an error where
/// Apple has one for it, silence where it has none, and one line for the developer.
extension LocationEngine {
  /// Once for each service.
  mutating func noteUnavailable(_ service: String, app index: Int, effects: inout [Effect]) {
    guard !apps[index].servicesNotedAbsent.contains(service) else { return }
    apps[index].servicesNotedAbsent.append(service)
    effects.append(.note(.serviceUnavailable(apps[index].identifier, service: service)))
  }
}
