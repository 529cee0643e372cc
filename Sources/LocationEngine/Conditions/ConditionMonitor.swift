import LocationModel

/// A monitor of an app by its name (behaviour 9.30).
struct ConditionMonitor {
  let name: String
  var conditions: [WatchedCondition]
  /// Who has it open; nil while nobody has.
  var opener: ManagerIdentifier?
  /// Its events are being iterated, which counts as a session (behaviour 9.22).
  var isIterated = false
  /// The person was asked for it, or could not be.
  var hasAsked = false

  init(name: String) {
    self.name = name
    conditions = []
  }

  init(_ stored: StoredMonitor, policy: Policy) {
    name = stored.name
    conditions = stored.conditions.map { WatchedCondition($0, policy: policy) }
  }

  var stored: StoredMonitor { StoredMonitor(name: name, conditions: conditions.map(\.stored)) }

  func index(of identifier: String) -> Int? {
    conditions.firstIndex { $0.stored.identifier == identifier }
  }

  /// Letters and digits, with underscores inside (behaviour 9.30).
  static func isName(_ name: String) -> Bool {
    !name.isEmpty && name.utf8.count <= 200 && name.first != "_"
      && name.allSatisfy { $0.isLetter || $0.isNumber || $0 == "_" || $0 == "." || $0 == "-" }
  }
}

struct WatchedCondition {
  var stored: StoredCondition
  /// Nil for beacons.
  var watch: RegionWatch?
  /// Nil for a circle.
  var beacons: BeaconWatch?

  init(_ stored: StoredCondition, policy: Policy) {
    self.stored = stored
    switch stored.shape {
    case .circle(let center, let radiusMeters): watch = RegionWatch(center: center, radiusMeters: radiusMeters)
    case .beacons(let constraint): beacons = BeaconWatch(constraint)
    }
  }

  /// What is not watched is not known.
  mutating func forgetState() {
    watch?.assume(.unknown)
    beacons?.assume(.unknown)
  }

  /// What the app was told last, whether or not it has handled it.
  var newest: ConditionEvent { stored.pending ?? stored.record }
}

extension Region.Shape {
  /// A circle that can be watched, or beacons.
  func isCondition(policy: Policy) -> Bool {
    guard case .circle(let center, let radiusMeters) = self else { return true }
    return center.isValid && radiusMeters > 0 && radiusMeters <= policy.regionRadiusMetersMax
  }
}
