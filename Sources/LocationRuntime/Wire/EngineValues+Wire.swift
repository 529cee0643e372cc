import LocationEngine
import LocationModel

// The values of LocationEngine that a client and the service say to each other.

extension AppState: WireValue {}
extension Grant.Level: WireValue {}
extension AccuracyAuthorization: WireValue {}

extension AuthorizationStatus: WireValue {
  package init(from reader: inout WireReader) throws(WireError) {
    let byte: UInt8 = try reader.getNumber()
    guard let status = Self(rawValue: Int32(byte)) else { throw WireError("\(byte) is no authorization status") }
    self = status
  }

  package func write(to writer: inout WireWriter) {
    writer.putNumber(UInt8(rawValue))
  }
}

extension Authorization: WireValue {
  package init(from reader: inout WireReader) throws(WireError) {
    self.init(status: try reader.get(), accuracy: try reader.get())
  }

  package func write(to writer: inout WireWriter) {
    writer.put(status)
    writer.put(accuracy)
  }
}

extension Grant: WireValue {
  package init(from reader: inout WireReader) throws(WireError) {
    self.init(
      level: try reader.get(), isProvisional: try reader.get(), isPrecise: try reader.get(),
      hasRequestedAlways: try reader.get(), isRestricted: try reader.get())
  }

  package func write(to writer: inout WireWriter) {
    writer.put(level)
    writer.put(isProvisional)
    writer.put(isPrecise)
    writer.put(hasRequestedAlways)
    writer.put(isRestricted)
  }
}

extension Capabilities: WireValue {
  package init(from reader: inout WireReader) throws(WireError) {
    self.init()
    monitorsCircularRegions = try reader.get()
    monitorsBeaconRegions = try reader.get()
    rangesBeacons = try reader.get()
    monitorsSignificantChanges = try reader.get()
    monitorsVisits = try reader.get()
    hasHeading = try reader.get()
    defersUpdates = try reader.get()
    maximumRegionRadiusMeters = try reader.get()
  }

  package func write(to writer: inout WireWriter) {
    writer.put(monitorsCircularRegions)
    writer.put(monitorsBeaconRegions)
    writer.put(rangesBeacons)
    writer.put(monitorsSignificantChanges)
    writer.put(monitorsVisits)
    writer.put(hasHeading)
    writer.put(defersUpdates)
    writer.put(maximumRegionRadiusMeters)
  }
}

extension ClientSnapshot: WireValue {
  package init(from reader: inout WireReader) throws(WireError) {
    self.init(
      authorization: try reader.get(), locationServicesEnabled: try reader.get(), capabilities: try reader.get(),
      lastFix: try reader.get(), monitoredRegions: try reader.get())
  }

  package func write(to writer: inout WireWriter) {
    writer.put(authorization)
    writer.put(locationServicesEnabled)
    writer.put(capabilities)
    writer.put(lastFix)
    writer.put(monitoredRegions)
  }
}

extension AppIdentifier: WireValue {
  package init(from reader: inout WireReader) throws(WireError) {
    self.init(try reader.get(), userNumber: try reader.get())
  }

  package func write(to writer: inout WireWriter) {
    writer.put(name)
    writer.put(userNumber)
  }
}

extension AppDescription.TemporaryUsage: WireValue {
  package init(from reader: inout WireReader) throws(WireError) {
    self.init(purposeKey: try reader.get(), text: try reader.get())
  }

  package func write(to writer: inout WireWriter) {
    writer.put(purposeKey)
    writer.put(text)
  }
}

extension LiveUpdateConfiguration: WireValue {}
extension ServiceSessionGoal.Requirement: WireValue {}

extension ServiceSessionGoal: WireValue {
  package init(from reader: inout WireReader) throws(WireError) {
    self.init(authorization: try reader.get(), fullAccuracyPurposeKey: try reader.get())
  }

  package func write(to writer: inout WireWriter) {
    writer.put(authorization)
    writer.put(fullAccuracyPurposeKey)
  }
}

extension LiveUpdate: WireValue {
  package init(from reader: inout WireReader) throws(WireError) {
    self.init(fix: try reader.get(), diagnostics: try reader.get())
  }

  package func write(to writer: inout WireWriter) {
    writer.put(fix)
    writer.put(diagnostics)
  }
}

/// What an app says of itself. That it is installed is not for it to say.
extension AppDescription: WireValue {
  package init(from reader: inout WireReader) throws(WireError) {
    self.init(identifier: try reader.get())
    whenInUseUsage = try reader.get()
    alwaysAndWhenInUseUsage = try reader.get()
    alwaysUsage = try reader.get()
    temporaryUsages = try reader.get()
    prefersReducedAccuracy = try reader.get()
    hasLocationBackgroundMode = try reader.get()
    requiresExplicitServiceSession = try reader.get()
  }

  package func write(to writer: inout WireWriter) {
    writer.put(identifier)
    writer.put(whenInUseUsage)
    writer.put(alwaysAndWhenInUseUsage)
    writer.put(alwaysUsage)
    writer.put(temporaryUsages)
    writer.put(prefersReducedAccuracy)
    writer.put(hasLocationBackgroundMode)
    writer.put(requiresExplicitServiceSession)
  }
}

extension ManagerConfiguration: WireValue {
  package init(from reader: inout WireReader) throws(WireError) {
    self.init()
    desiredAccuracy = try reader.get()
    distanceFilterMeters = try reader.get()
    activityType = try reader.get()
    pausesAutomatically = try reader.get()
    allowsBackgroundUpdates = try reader.get()
    showsBackgroundIndicator = try reader.get()
    headingFilterDegrees = try reader.get()
    headingOrientation = try reader.get()
  }

  package func write(to writer: inout WireWriter) {
    writer.put(desiredAccuracy)
    writer.put(distanceFilterMeters)
    writer.put(activityType)
    writer.put(pausesAutomatically)
    writer.put(allowsBackgroundUpdates)
    writer.put(showsBackgroundIndicator)
    writer.put(headingFilterDegrees)
    writer.put(headingOrientation)
  }
}

extension CompletionIdentifier: WireValue {
  package init(from reader: inout WireReader) throws(WireError) {
    self.init(try reader.getNumber())
  }

  package func write(to writer: inout WireWriter) {
    writer.putNumber(number)
  }
}
