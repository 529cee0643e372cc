import FoundationEssentials
import LocationModel

extension StoredFile {
  /// A monitor by its name, with its conditions and what the app knows of them.
  struct StoredMonitorPart: Codable {
    var name: String
    var conditions: [StoredConditionPart]

    init(_ monitor: StoredMonitor) {
      name = monitor.name
      conditions = monitor.conditions.map(StoredConditionPart.init)
    }

    /// Conditions that are none are left out.
    var monitor: StoredMonitor {
      StoredMonitor(name: name, conditions: conditions.compactMap(\.condition))
    }
  }

  /// A circle or the neighbourhood of beacons: `uuid` tells which.
  struct StoredConditionPart: Codable {
    var identifier: String
    var latitude: Double?
    var longitude: Double?
    var radius: Double?
    /// The two halves of the UUID, as hexadecimal digits.
    var uuid: [String]?
    var major: UInt16?
    var minor: UInt16?
    var record: StoredConditionEvent
    var pending: StoredConditionEvent?

    init(_ condition: StoredCondition) {
      identifier = condition.identifier
      record = StoredConditionEvent(condition.record)
      pending = condition.pending.map(StoredConditionEvent.init)
      switch condition.shape {
      case .circle(let center, let radiusMeters):
        latitude = center.latitude
        longitude = center.longitude
        radius = radiusMeters
      case .beacons(let beacons):
        uuid = [String(beacons.uuidHigh, radix: 16), String(beacons.uuidLow, radix: 16)]
        major = beacons.major
        minor = beacons.minor
      }
    }

    var condition: StoredCondition? {
      guard let shape else { return nil }
      return StoredCondition(
        identifier: identifier, shape: shape, record: record.event(of: identifier),
        pending: pending?.event(of: identifier))
    }

    private var shape: Region.Shape? {
      if let uuid {
        guard uuid.count == 2, let high = UInt64(uuid[0], radix: 16), let low = UInt64(uuid[1], radix: 16) else {
          return nil
        }
        return .beacons(BeaconConstraint(uuidHigh: high, uuidLow: low, major: major, minor: minor))
      }
      guard let latitude, let longitude, let radius, radius > 0, radius.isFinite else { return nil }
      let center = Coordinate(latitude: latitude, longitude: longitude)
      return center.isValid ? .circle(center: center, radiusMeters: radius) : nil
    }
  }

  /// Which beacons are meant, or which one it was.
  struct StoredBeacons: Codable {
    /// The two halves of the UUID, as hexadecimal digits.
    var uuid: [String]
    var major: UInt16?
    var minor: UInt16?

    init(_ constraint: BeaconConstraint) {
      uuid = [String(constraint.uuidHigh, radix: 16), String(constraint.uuidLow, radix: 16)]
      major = constraint.major
      minor = constraint.minor
    }

    var constraint: BeaconConstraint? {
      guard uuid.count == 2, let high = UInt64(uuid[0], radix: 16), let low = UInt64(uuid[1], radix: 16) else {
        return nil
      }
      return BeaconConstraint(uuidHigh: high, uuidLow: low, major: major, minor: minor)
    }
  }

  struct StoredConditionEvent: Codable {
    var state: State
    var timeNanoseconds: Int64?
    /// The flags as one number; 0 for none.
    var diagnostics: UInt16
    /// The beacon that satisfied it; absent where none did.
    var beacon: StoredBeacons?

    enum State: String, Codable {
      case unknown, satisfied, unsatisfied, unmonitored
    }

    init(_ event: ConditionEvent) {
      switch event.state {
      case .unknown: state = .unknown
      case .satisfied: state = .satisfied
      case .unsatisfied: state = .unsatisfied
      case .unmonitored: state = .unmonitored
      }
      timeNanoseconds = event.time?.nanosecondsSince1970
      diagnostics = event.diagnostics.rawValue
      beacon = event.refinement.map(StoredBeacons.init)
    }

    func event(of identifier: String) -> ConditionEvent {
      let time = timeNanoseconds.map { WallTime(nanosecondsSince1970: $0) }
      let diagnostics = ServiceDiagnostics(rawValue: diagnostics)
      let state: ConditionState =
        switch state {
        case .unknown: .unknown
        case .satisfied: .satisfied
        case .unsatisfied: .unsatisfied
        case .unmonitored: .unmonitored
        }
      return ConditionEvent(
        identifier: identifier, state: state, time: time, diagnostics: diagnostics, refinement: beacon?.constraint)
    }
  }
}
