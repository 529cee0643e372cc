import LocationEngine
import LocationModel

/// An event is a number and what belongs to it. Numbers are never used again for something else.
extension ManagerEvent: WireValue {
  package init(from reader: inout WireReader) throws(WireError) {
    let kind: UInt8 = try reader.getNumber()
    switch kind {
    case 0:
      self = .authorizationChanged(
        try reader.get(), isInitial: try reader.get(), statusChanged: try reader.get())
    case 1: self = .locationsUpdated(try reader.get(), isAnswer: try reader.get())
    case 2: self = .failed(try reader.get(), isAnswer: try reader.get())
    case 3: self = .temporaryFullAccuracyAnswered(try reader.get(), try reader.get())
    case 4: self = .deferredUpdatesFinished(try reader.get())
    case 5: self = .updatesPaused
    case 6: self = .updatesResumed
    case 7: self = .liveUpdated(try reader.get())
    case 8: self = .visited(try reader.get())
    case 9: self = .headingUpdated(try reader.get())
    case 10: self = .headingCalibrationAsked
    case 16: self = .monitoringStarted(try reader.get())
    case 17: self = .monitoringFailed(try reader.get(), try reader.get())
    case 18: self = .stateDetermined(try reader.get(), try reader.get())
    case 19: self = .regionEntered(try reader.get())
    case 20: self = .regionExited(try reader.get())
    case 21: self = .rangingFailed(try reader.get(), try reader.get())
    case 22: self = .monitorOpened(try reader.get())
    case 23: self = .conditionChanged(try reader.get())
    case 24: self = .sessionDiagnosed(try reader.get())
    case 25: self = .kept(try reader.getNumber(), try Self.ordinary(from: &reader))
    case 30: self = .beaconsRanged(try reader.get(), try reader.get())
    default: throw WireError("\(kind) is no event")
    }
  }

  /// One that is not kept itself, so that no bytes lead ever deeper.
  private static func ordinary(from reader: inout WireReader) throws(WireError) -> ManagerEvent {
    var ahead = reader
    guard try ahead.getNumber(UInt8.self) != 25 else { throw WireError("a kept event in a kept event") }
    return try reader.get()
  }

  package func write(to writer: inout WireWriter) {
    switch self {
    case .authorizationChanged(let authorization, let isInitial, let statusChanged):
      writer.putNumber(UInt8(0))
      writer.put(authorization)
      writer.put(isInitial)
      writer.put(statusChanged)
    case .locationsUpdated(let fixes, let isAnswer):
      writer.putNumber(UInt8(1))
      writer.put(fixes)
      writer.put(isAnswer)
    case .failed(let error, let isAnswer):
      writer.putNumber(UInt8(2))
      writer.put(error)
      writer.put(isAnswer)
    case .temporaryFullAccuracyAnswered(let completion, let error):
      writer.putNumber(UInt8(3))
      writer.put(completion)
      writer.put(error)
    case .deferredUpdatesFinished(let error):
      writer.putNumber(UInt8(4))
      writer.put(error)
    case .updatesPaused: writer.putNumber(UInt8(5))
    case .updatesResumed: writer.putNumber(UInt8(6))
    case .liveUpdated(let update):
      writer.putNumber(UInt8(7))
      writer.put(update)
    case .visited(let visit):
      writer.putNumber(UInt8(8))
      writer.put(visit)
    case .headingUpdated(let heading):
      writer.putNumber(UInt8(9))
      writer.put(heading)
    case .headingCalibrationAsked: writer.putNumber(UInt8(10))
    default: writeMonitoring(to: &writer)
    }
  }

  private func writeMonitoring(to writer: inout WireWriter) {
    switch self {
    case .monitoringStarted(let region):
      writer.putNumber(UInt8(16))
      writer.put(region)
    case .monitoringFailed(let region, let error):
      writer.putNumber(UInt8(17))
      writer.put(region)
      writer.put(error)
    case .stateDetermined(let state, let region):
      writer.putNumber(UInt8(18))
      writer.put(state)
      writer.put(region)
    case .regionEntered(let region):
      writer.putNumber(UInt8(19))
      writer.put(region)
    case .regionExited(let region):
      writer.putNumber(UInt8(20))
      writer.put(region)
    case .rangingFailed(let constraint, let error):
      writer.putNumber(UInt8(21))
      writer.put(constraint)
      writer.put(error)
    case .monitorOpened(let monitor):
      writer.putNumber(UInt8(22))
      writer.put(monitor)
    case .conditionChanged(let event):
      writer.putNumber(UInt8(23))
      writer.put(event)
    case .sessionDiagnosed(let diagnostics):
      writer.putNumber(UInt8(24))
      writer.put(diagnostics)
    case .kept(let number, let event):
      writer.putNumber(UInt8(25))
      writer.putNumber(number)
      writer.put(event)
    case .beaconsRanged(let beacons, let constraint):
      writer.putNumber(UInt8(30))
      writer.put(beacons)
      writer.put(constraint)
    default: preconditionFailure("written by the other half")
    }
  }
}
