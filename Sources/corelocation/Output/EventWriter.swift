import LocationEngine
import LocationModel

/// Events as JSON, one object a line, with the names of the contract (design 6).
enum EventWriter {
  /// Appends the line of an event; nothing for events that no request of this program can cause.
  static func append(
    _ event: ManagerEvent, of service: SessionSettings.Service? = nil, at time: WallTime, to bytes: inout [UInt8]
  ) {
    switch event {
    case .locationsUpdated(let fixes, _):
      begin("didUpdateLocations", at: time, &bytes)
      append(service, to: &bytes)
      append(fixes, to: &bytes)
    case .failed(let error, _):
      begin("didFailWithError", at: time, &bytes)
      append(service, to: &bytes)
      append(error, to: &bytes)
    case .authorizationChanged(let authorization, _, _):
      begin("didChangeAuthorization", at: time, &bytes)
      append(field: "status", authorization.status.name, to: &bytes)
      append(field: "accuracy", authorization.accuracy.name, to: &bytes)
    case .kept(_, let event): return append(event, at: time, to: &bytes)
    case .updatesPaused: begin("didPauseLocationUpdates", at: time, &bytes)
    case .updatesResumed: begin("didResumeLocationUpdates", at: time, &bytes)
    case .visited(let visit):
      begin("didVisit", at: time, &bytes)
      append(visit, to: &bytes)
    case .headingUpdated(let heading):
      begin("didUpdateHeading", at: heading.time, &bytes)
      append(heading, to: &bytes)
    case .monitoringStarted(let region): append("didStartMonitoring", region, at: time, to: &bytes)
    case .regionEntered(let region): append("didEnterRegion", region, at: time, to: &bytes)
    case .regionExited(let region): append("didExitRegion", region, at: time, to: &bytes)
    case .stateDetermined(let state, let region):
      append("didDetermineState", region, at: time, to: &bytes)
      append(field: "state", state.name, to: &bytes)
    case .monitoringFailed(let region, let error):
      append("monitoringDidFail", region, at: time, to: &bytes)
      append(error, to: &bytes)
    case .beaconsRanged(let beacons, let constraint):
      begin("didRange", at: time, &bytes)
      append(constraint, to: &bytes)
      append(beacons, to: &bytes)
    case .rangingFailed(let constraint, let error):
      begin("didFailRanging", at: time, &bytes)
      append(constraint, to: &bytes)
      append(error, to: &bytes)
    case .temporaryFullAccuracyAnswered, .deferredUpdatesFinished, .liveUpdated, .monitorOpened,
      .conditionChanged, .sessionDiagnosed, .headingCalibrationAsked:
      return
    }
    bytes.append(text: "}\n")
  }

  static func append(_ summary: JourneySummary, to bytes: inout [UInt8]) {
    bytes.append(text: "{\"event\":\"summary\",\"fixesIn\":\(summary.fixCount)")
    bytes.append(text: ",\"locationsDelivered\":\(summary.deliveredCount),\"virtualSeconds\":")
    bytes.append(number: summary.virtualSeconds)
    bytes.append(text: ",\"energyJoules\":{\"gnss\":")
    bytes.append(number: inMicrojoules(summary.joules.satellite))
    append(",\"wifi\":", receiver: summary.joules.wireless, to: &bytes)
    append(",\"cell\":", receiver: summary.joules.cell, to: &bytes)
    append(",\"bluetooth\":", receiver: summary.joules.beacon, to: &bytes)
    append(",\"motion\":", receiver: summary.joules.motion, to: &bytes)
    bytes.append(text: ",\"total\":")
    bytes.append(number: inMicrojoules(summary.joules.total))
    bytes.append(text: "}}\n")
  }

  /// What a device does not have uses a plain nothing.
  private static func append(_ name: StaticString, receiver joules: Double, to bytes: inout [UInt8]) {
    bytes.append(text: name)
    if joules == 0 { bytes.append(text: "0") } else { bytes.append(number: inMicrojoules(joules)) }
  }

  /// A sum of many parts, without the digits that only the adding has made.
  private static func inMicrojoules(_ joules: Double) -> Double {
    let micro = (joules * 1e6).rounded() / 1e6
    return micro.isFinite ? micro : joules
  }

  // MARK: Parts

  private static func begin(_ name: StaticString, at time: WallTime, _ bytes: inout [UInt8]) {
    bytes.append(text: "{\"time\":")
    bytes.append(time: time)
    append(field: "event", name, to: &bytes)
  }

  private static func append(_ service: SessionSettings.Service?, to bytes: inout [UInt8]) {
    guard let service else { return }
    bytes.append(text: ",\"service\":")
    bytes.append(string: service.rawValue)
  }

  private static func append(
    _ name: StaticString, _ region: Region?, at time: WallTime, to bytes: inout [UInt8]
  ) {
    begin(name, at: time, &bytes)
    bytes.append(text: ",\"region\":")
    if let region { bytes.append(string: region.identifier) } else { bytes.append(text: "null") }
  }

  /// Only for values that need no escape.
  private static func append(field name: StaticString, _ value: StaticString, to bytes: inout [UInt8]) {
    bytes.append(text: ",\"")
    bytes.append(text: name)
    bytes.append(text: "\":\"")
    bytes.append(text: value)
    bytes.append(text: "\"")
  }

  private static func append(_ error: LocationError, to bytes: inout [UInt8]) {
    bytes.append(text: ",\"code\":\(error.rawValue),\"name\":")
    bytes.append(string: error.name)
  }

  private static func append(_ visit: Visit, to bytes: inout [UInt8]) {
    append(",\"latitude\":", visit.coordinate.latitude, to: &bytes)
    append(",\"longitude\":", visit.coordinate.longitude, to: &bytes)
    append(",\"horizontalAccuracy\":", visit.radiusMeters, to: &bytes)
    append(",\"arrivalDate\":", visit.arrival, to: &bytes)
    append(",\"departureDate\":", visit.departure, to: &bytes)
  }

  /// With Core Location's sentinels; the field in microtesla only where it is measured.
  private static func append(_ heading: Heading, to bytes: inout [UInt8]) {
    append(",\"magneticHeading\":", heading.magneticDegrees, to: &bytes)
    append(",\"trueHeading\":", heading.trueDegrees ?? -1, to: &bytes)
    append(",\"headingAccuracy\":", heading.accuracyDegrees ?? -1, to: &bytes)
    guard let field = heading.fieldMicroteslas else { return }
    append(",\"x\":", field.x, to: &bytes)
    append(",\"y\":", field.y, to: &bytes)
    append(",\"z\":", field.z, to: &bytes)
  }

  /// Numbers that stand for any are null.
  private static func append(_ constraint: BeaconConstraint, to bytes: inout [UInt8]) {
    bytes.append(text: ",\"uuid\":\"\(constraint.uuidText)\"")
    bytes.append(text: ",\"major\":\(constraint.major.map { "\($0)" } ?? "null")")
    bytes.append(text: ",\"minor\":\(constraint.minor.map { "\($0)" } ?? "null")")
  }

  /// With Core Location's sentinels.
  private static func append(_ beacons: [BeaconSighting], to bytes: inout [UInt8]) {
    bytes.append(text: ",\"beacons\":[")
    for (index, sighting) in beacons.enumerated() {
      let constraint = BeaconConstraint(sighting.beacon)
      bytes.append(text: "\(index > 0 ? "," : ""){\"uuid\":\"\(constraint.uuidText)\"")
      bytes.append(text: ",\"major\":\(sighting.beacon.major),\"minor\":\(sighting.beacon.minor)")
      append(field: "proximity", sighting.proximity.name, to: &bytes)
      append(",\"accuracy\":", sighting.accuracyMeters ?? -1, to: &bytes)
      bytes.append(text: ",\"rssi\":\(sighting.signalDecibels ?? 0),\"timestamp\":")
      bytes.append(time: sighting.time)
      bytes.append(UInt8(ascii: "}"))
    }
    bytes.append(UInt8(ascii: "]"))
  }

  /// Apple's distant past and distant future are null.
  private static func append(_ name: StaticString, _ time: WallTime?, to bytes: inout [UInt8]) {
    bytes.append(text: name)
    if let time { bytes.append(time: time) } else { bytes.append(text: "null") }
  }

  private static func append(_ fixes: [Fix], to bytes: inout [UInt8]) {
    bytes.append(text: ",\"locations\":[")
    for (index, fix) in fixes.enumerated() {
      if index > 0 { bytes.append(UInt8(ascii: ",")) }
      append(fix, to: &bytes)
    }
    bytes.append(UInt8(ascii: "]"))
  }

  private static func append(_ fix: Fix, to bytes: inout [UInt8]) {
    let values = LocationValues(fix)
    append("{\"latitude\":", fix.coordinate.latitude, to: &bytes)
    append(",\"longitude\":", fix.coordinate.longitude, to: &bytes)
    append(",\"altitude\":", values.altitude, to: &bytes)
    append(",\"ellipsoidalAltitude\":", values.ellipsoidalAltitude, to: &bytes)
    append(",\"horizontalAccuracy\":", values.horizontalAccuracy, to: &bytes)
    append(",\"verticalAccuracy\":", values.verticalAccuracy, to: &bytes)
    append(",\"speed\":", values.speed, to: &bytes)
    append(",\"speedAccuracy\":", values.speedAccuracy, to: &bytes)
    append(",\"course\":", values.course, to: &bytes)
    append(",\"courseAccuracy\":", values.courseAccuracy, to: &bytes)
    bytes.append(text: ",\"timestamp\":")
    bytes.append(time: fix.time)
    bytes.append(text: fix.isSimulated ? ",\"isSimulatedBySoftware\":true}" : ",\"isSimulatedBySoftware\":false}")
  }

  private static func append(_ name: StaticString, _ value: Double, to bytes: inout [UInt8]) {
    bytes.append(text: name)
    bytes.append(number: value)
  }
}
