import FoundationEssentials
import LocationModel

extension Registrations {
  /// Makes the changes that lead from one to the other here too.
  mutating func take(changesFrom former: Registrations, to latter: Registrations) {
    let kept = Set(latter.regions.map(\.region.identifier))
    for gone in former.regions where !kept.contains(gone.region.identifier) {
      regions.removeAll { $0.region.identifier == gone.region.identifier }
    }
    for new in latter.regions where !former.regions.contains(new) {
      if let place = regions.firstIndex(where: { $0.region.identifier == new.region.identifier }) {
        regions[place] = new
      } else {
        regions.append(new)
      }
    }
    if latter.monitorsSignificantChanges != former.monitorsSignificantChanges {
      monitorsSignificantChanges = latter.monitorsSignificantChanges
    }
    if latter.monitorsVisits != former.monitorsVisits { monitorsVisits = latter.monitorsVisits }
    takeMonitors(changesFrom: former.monitors, to: latter.monitors)
  }

  /// A monitor is taken as a whole: its name is open in one process at a time.
  private mutating func takeMonitors(changesFrom former: [StoredMonitor], to latter: [StoredMonitor]) {
    for gone in former where !latter.contains(where: { $0.name == gone.name }) {
      monitors.removeAll { $0.name == gone.name }
    }
    for monitor in latter where !former.contains(monitor) {
      if let index = monitors.firstIndex(where: { $0.name == monitor.name }) {
        monitors[index] = monitor
      } else {
        monitors.append(monitor)
      }
    }
  }
}

extension StoredFile {
  /// Regions and services that an app has registered.
  struct StoredRegistrations: Codable {
    var regions: [StoredRegion]
    var monitorsSignificantChanges: Bool
    var monitorsVisits: Bool
    /// Absent where the app has no monitor.
    var monitors: [StoredMonitorPart]?

    init(_ registrations: Registrations) {
      regions = registrations.regions.map(StoredRegion.init)
      monitorsSignificantChanges = registrations.monitorsSignificantChanges
      monitorsVisits = registrations.monitorsVisits
      monitors = registrations.monitors.isEmpty ? nil : registrations.monitors.map(StoredMonitorPart.init)
    }

    /// Regions that are none are left out.
    var registrations: Registrations {
      var registrations = Registrations()
      registrations.regions = regions.compactMap(\.registered)
      registrations.monitorsSignificantChanges = monitorsSignificantChanges
      registrations.monitorsVisits = monitorsVisits
      registrations.monitors = (monitors ?? []).map(\.monitor)
      return registrations
    }
  }

  /// A circle or a neighbourhood of beacons: `uuid` tells which.
  struct StoredRegion: Codable {
    var identifier: String
    var latitude: Double?
    var longitude: Double?
    var radius: Double?
    var margin: Double?
    /// The two halves of the UUID, as hexadecimal digits.
    var uuid: [String]?
    var major: UInt16?
    var minor: UInt16?
    var notifiesOnEntry: Bool
    var notifiesOnExit: Bool
    var notifiesEntryStateOnDisplay: Bool
    var state: State

    enum State: String, Codable {
      case unknown, inside, outside
    }

    init(_ registered: RegisteredRegion) {
      let region = registered.region
      identifier = region.identifier
      margin = region.marginMeters.flatMap { $0.isFinite ? $0 : nil }
      notifiesOnEntry = region.notifiesOnEntry
      notifiesOnExit = region.notifiesOnExit
      notifiesEntryStateOnDisplay = region.notifiesEntryStateOnDisplay
      switch registered.state {
      case .unknown: state = .unknown
      case .inside: state = .inside
      case .outside: state = .outside
      }
      switch region.shape {
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

    var registered: RegisteredRegion? {
      guard let shape else { return nil }
      let region = Region(
        identifier: identifier, shape: shape, notifiesOnEntry: notifiesOnEntry, notifiesOnExit: notifiesOnExit,
        notifiesEntryStateOnDisplay: notifiesEntryStateOnDisplay, marginMeters: margin)
      switch state {
      case .unknown: return RegisteredRegion(region: region, state: .unknown)
      case .inside: return RegisteredRegion(region: region, state: .inside)
      case .outside: return RegisteredRegion(region: region, state: .outside)
      }
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
}
