import LocationModel

/// Headings: each manager has its own filter and orientation, and all share one sensor that runs while one of them may
/// be told (behaviour 7). They need no permission; true north needs a location that the app may see (7.1).
extension LocationEngine {
  // MARK: Requests

  /// Where there is no compass nothing happens (behaviour 7.6); the wish is kept, so that a compass that comes later is
  /// used. A repeated start changes nothing (7.8).
  mutating func startHeading(app index: Int, session position: Int, effects: inout [Effect]) {
    if !capabilities.hasHeading { noteUnavailable("heading", app: index, effects: &effects) }
    guard apps[index].sessions[position].heading == nil else { return }
    // A disturbance that goes on is news to this manager.
    let isCalm = compass.isCalm(at: now, policy: policy)
    apps[index].sessions[position].heading = HeadingUpdates(
      toldDisturbance: isCalm ? compass.disturbanceCount : compass.disturbanceCount - 1)
    demandIsStale = true
  }

  mutating func stopHeading(app index: Int, session position: Int, effects: inout [Effect]) {
    apps[index].sessions[position].heading = nil
    endCalibrationWithoutHeading(app: index, effects: &effects)
    demandIsStale = true
  }

  // MARK: What the sensor says

  mutating func changeHeadingAvailability(to isAvailable: Bool, effects: inout [Effect]) {
    if !isAvailable { compass.switchOff() }
    guard capabilities.hasHeading != isAvailable else { return }
    capabilities.hasHeading = isAvailable
    for index in apps.indices { effects.append(.snapshotChanged(apps[index].identifier)) }
  }

  mutating func receive(_ sample: HeadingSample, effects: inout [Effect]) {
    changeHeadingAvailability(to: true, effects: &effects)
    guard compass.sensorIsOn else { return }
    let field = compass.field(at: lastFix, time: sample.time)
    guard let reading = HeadingReading(sample, local: field, policy: policy) else { return }
    compass.add(reading, at: now, policy: policy)
    noteModelThatDoesNotHold(at: sample.time, effects: &effects)
    for index in apps.indices { tellHeading(app: index, effects: &effects) }
  }

  /// A fix may be what true north waited for, on a device that does not turn.
  mutating func considerPlaceForHeading(effects: inout [Effect]) {
    guard compass.sensorIsOn, let newest = compass.newest else { return }
    noteModelThatDoesNotHold(at: newest.sample.time, effects: &effects)
    for index in apps.indices where apps[index].state != .suspended {
      for position in apps[index].sessions.indices {
        guard let updates = apps[index].sessions[position].heading,
          updates.lastDelivered == nil || updates.lastDelivered?.trueDegrees == nil
        else { continue }
        deliverHeading(app: index, session: position, effects: &effects)
      }
    }
  }

  /// Once, where a place is known and only the date is beyond the model.
  private mutating func noteModelThatDoesNotHold(at time: WallTime, effects: inout [Effect]) {
    guard !compass.hasSaidModelDoesNotHold, lastFix != nil,
      !WorldMagneticModel.wmm2025.validYears.contains(time.decimalYear)
    else { return }
    compass.hasSaidModelDoesNotHold = true
    effects.append(.note(.magneticModelDoesNotHold))
  }

  // MARK: Who is told

  /// The sensor runs while one manager of an app that runs wants headings (behaviour 7.8).
  mutating func arbitrateHeadingSensor(effects: inout [Effect]) {
    let isWanted = apps.contains { app in
      app.state != .suspended && app.sessions.contains { $0.heading != nil }
    }
    if isWanted != compass.sensorIsOn {
      compass.sensorIsOn = isWanted
      if !isWanted { compass.switchOff() }
      effects.append(.setHeadingSensor(on: isWanted))
    }
    guard compass.newest != nil else { return }
    for index in apps.indices where apps[index].sessions.contains(where: { $0.heading?.isBehind == true }) {
      tellHeading(app: index, onlyThoseBehind: true, effects: &effects)
    }
  }

  private mutating func tellHeading(app index: Int, onlyThoseBehind: Bool = false, effects: inout [Effect]) {
    let isSuspended = apps[index].state == .suspended
    for position in apps[index].sessions.indices {
      guard let updates = apps[index].sessions[position].heading else { continue }
      apps[index].sessions[position].heading?.isBehind = isSuspended
      guard !isSuspended, updates.isBehind || !onlyThoseBehind else { continue }
      tellDisturbance(app: index, session: position, effects: &effects)
      deliverHeading(app: index, session: position, effects: &effects)
    }
    considerCalibration(app: index, effects: &effects)
  }

  /// Each disturbance once, when it begins (behaviour 7.6).
  private mutating func tellDisturbance(app index: Int, session position: Int, effects: inout [Effect]) {
    let count = compass.disturbanceCount
    guard compass.newest?.isDisturbed == true, apps[index].sessions[position].heading?.toldDisturbance != count
    else { return }
    apps[index].sessions[position].heading?.toldDisturbance = count
    effects.append(
      .deliver(.failed(.headingFailure, isAnswer: false), to: apps[index].sessions[position].identifier))
  }

  private mutating func deliverHeading(app index: Int, session position: Int, effects: inout [Effect]) {
    let session = apps[index].sessions[position]
    guard let updates = session.heading,
      let heading = heading(app: index, orientation: session.configuration.headingOrientation),
      updates.wants(heading, filterDegrees: session.configuration.headingFilterDegrees)
    else { return }
    apps[index].sessions[position].heading?.lastDelivered = heading
    effects.append(.deliver(.headingUpdated(heading), to: session.identifier))
  }

  // MARK: What is told

  /// The newest heading as an app may see it; nil where the source knows true north only and the declination is not
  /// known, or where the front points straight up or down.
  private mutating func heading(app index: Int, orientation: HeadingOrientation) -> Heading? {
    guard let newest = compass.newest, let direction = compass.directionDegrees(orientation, policy: policy) else {
      return nil
    }
    let time = newest.sample.time
    let visible = visibleLastFix(app: index)
    let visibleField = visible.flatMap { Self.usable(fieldSeen(at: $0, time: time)) }
    var heading = Heading(
      magneticDegrees: direction, trueDegrees: nil, accuracyDegrees: newest.accuracyDegrees,
      fieldMicroteslas: newest.fieldMicroteslas, time: time)
    if newest.isMagnetic {
      // What is disturbed points nowhere, however well the declination is known.
      guard newest.accuracyDegrees != nil, let visibleField else { return heading }
      heading.trueDegrees = CircleAngle.normalized(direction + visibleField.declinationDegrees)
    } else {
      guard let field = Self.usable(compass.field(at: lastFix, time: time)) else { return nil }
      heading.magneticDegrees = CircleAngle.normalized(direction - field.declinationDegrees)
      heading.trueDegrees = visible == nil ? nil : direction
    }
    return heading
  }

  /// An app without full accuracy gets true north of the coarse place.
  private mutating func fieldSeen(at fix: Fix, time: WallTime) -> MagneticField? {
    fix.coordinate == lastFix?.coordinate ? compass.field(at: fix, time: time) : Compass.field(at: fix, time: time)
  }

  /// Near the magnetic poles the declination says nothing (algorithms 4).
  private static func usable(_ field: MagneticField?) -> MagneticField? {
    field?.zone == .blackout ? nil : field
  }
}
