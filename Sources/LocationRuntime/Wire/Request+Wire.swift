import LocationEngine
import LocationModel

/// A request is a number and what belongs to it. Numbers are never used again for something else.
extension Request: WireValue {
  package init(from reader: inout WireReader) throws(WireError) {
    let kind: UInt8 = try reader.getNumber()
    switch kind {
    case 0: self = .requestWhenInUseAuthorization
    case 1: self = .requestAlwaysAuthorization
    case 2: self = .requestTemporaryFullAccuracy(purposeKey: try reader.get(), completion: try reader.get())
    case 3: self = .configure(try reader.get())
    case 4: self = .startUpdatingLocation
    case 5: self = .stopUpdatingLocation
    case 6: self = .requestLocation
    case 7: self = .allowDeferredUpdates(distanceMeters: try reader.get(), timeoutSeconds: try reader.get())
    case 8: self = .disallowDeferredUpdates
    case 9: self = .startLiveUpdates(try reader.get())
    default: self = try Self.monitoring(kind, from: &reader)
    }
  }

  private static func monitoring(_ kind: UInt8, from reader: inout WireReader) throws(WireError) -> Request {
    switch kind {
    case 16: return .startMonitoringSignificantChanges
    case 17: return .stopMonitoringSignificantChanges
    case 18: return .startMonitoringVisits
    case 19: return .stopMonitoringVisits
    case 20: return .startMonitoring(try reader.get())
    case 21: return .stopMonitoring(regionIdentifier: try reader.get())
    case 22: return .requestState(try reader.get())
    case 23: return .startUpdatingHeading
    case 24: return .stopUpdatingHeading
    case 25: return .startRanging(try reader.get())
    case 26: return .stopRanging(try reader.get())
    case 27: return .showHeadingCalibration
    case 28: return .dismissHeadingCalibration
    default: return try conditions(kind, from: &reader)
    }
  }

  private static func conditions(_ kind: UInt8, from reader: inout WireReader) throws(WireError) -> Request {
    switch kind {
    case 32: return .openMonitor(try reader.get())
    case 33: return .addCondition(try reader.get())
    case 34: return .removeCondition(try reader.get())
    case 35: return .iterateConditions
    case 36: return .settleCondition(try reader.get())
    case 40: return .holdBackgroundActivity
    case 41: return .holdServiceSession(try reader.get())
    case 42: return .acknowledgeEvent(try reader.getNumber())
    default: throw WireError("\(kind) is no request")
    }
  }

  package func write(to writer: inout WireWriter) {
    switch self {
    case .requestWhenInUseAuthorization: writer.putNumber(UInt8(0))
    case .requestAlwaysAuthorization: writer.putNumber(UInt8(1))
    case .requestTemporaryFullAccuracy(let purposeKey, let completion):
      writer.putNumber(UInt8(2))
      writer.put(purposeKey)
      writer.put(completion)
    case .configure(let configuration):
      writer.putNumber(UInt8(3))
      writer.put(configuration)
    case .startUpdatingLocation: writer.putNumber(UInt8(4))
    case .stopUpdatingLocation: writer.putNumber(UInt8(5))
    case .requestLocation: writer.putNumber(UInt8(6))
    case .allowDeferredUpdates(let distanceMeters, let timeoutSeconds):
      writer.putNumber(UInt8(7))
      writer.put(distanceMeters)
      writer.put(timeoutSeconds)
    case .disallowDeferredUpdates: writer.putNumber(UInt8(8))
    case .startLiveUpdates(let configuration):
      writer.putNumber(UInt8(9))
      writer.put(configuration)
    default: writeMonitoring(to: &writer)
    }
  }

  private func writeMonitoring(to writer: inout WireWriter) {
    switch self {
    case .startMonitoringSignificantChanges: writer.putNumber(UInt8(16))
    case .stopMonitoringSignificantChanges: writer.putNumber(UInt8(17))
    case .startMonitoringVisits: writer.putNumber(UInt8(18))
    case .stopMonitoringVisits: writer.putNumber(UInt8(19))
    case .startMonitoring(let region):
      writer.putNumber(UInt8(20))
      writer.put(region)
    case .stopMonitoring(let identifier):
      writer.putNumber(UInt8(21))
      writer.put(identifier)
    case .requestState(let region):
      writer.putNumber(UInt8(22))
      writer.put(region)
    case .startUpdatingHeading: writer.putNumber(UInt8(23))
    case .stopUpdatingHeading: writer.putNumber(UInt8(24))
    case .showHeadingCalibration: writer.putNumber(UInt8(27))
    case .dismissHeadingCalibration: writer.putNumber(UInt8(28))
    case .startRanging(let constraint):
      writer.putNumber(UInt8(25))
      writer.put(constraint)
    case .stopRanging(let constraint):
      writer.putNumber(UInt8(26))
      writer.put(constraint)
    default: writeConditions(to: &writer)
    }
  }

  private func writeConditions(to writer: inout WireWriter) {
    switch self {
    case .openMonitor(let name):
      writer.putNumber(UInt8(32))
      writer.put(name)
    case .addCondition(let condition):
      writer.putNumber(UInt8(33))
      writer.put(condition)
    case .removeCondition(let identifier):
      writer.putNumber(UInt8(34))
      writer.put(identifier)
    case .iterateConditions: writer.putNumber(UInt8(35))
    case .settleCondition(let event):
      writer.putNumber(UInt8(36))
      writer.put(event)
    case .holdBackgroundActivity: writer.putNumber(UInt8(40))
    case .holdServiceSession(let goal):
      writer.putNumber(UInt8(41))
      writer.put(goal)
    case .acknowledgeEvent(let number):
      writer.putNumber(UInt8(42))
      writer.putNumber(number)
    default: preconditionFailure("written by the other half")
    }
  }
}
