import LocationEngine
import LocationModel

/// How the service is, as far as the person who asks may know; what `corelocation doctor` concludes from.
package struct ServiceCondition: Hashable, Sendable {
  /// One for all users of the machine; else the person's own.
  package var isSystemWide: Bool
  package var areServicesOn: Bool
  package var isInAirplaneMode: Bool
  package var receivers: ReceiverState
  /// How many apps, of all users, want locations; with none the receivers are off.
  package var wishCount: UInt32
  /// Of this person: questions without an answer.
  package var promptCount: UInt32
  /// Of this person: agents that could show them.
  package var agentCount: UInt32
  /// Of this person: who starts the installed apps.
  package var supervision: Supervision
  /// Of this person: apps that an event waits for until there is a supervisor.
  package var awaitingAppCount: UInt32
  /// The app that was asked about; nil where the service knows none of that name.
  package var app: App?

  package enum Supervision: Int, Hashable, Sendable {
    /// The service itself does, or no app is installed.
    case notNeeded = 0
    /// A supervisor of this person does, for the system's service.
    case connected = 1
    case missing = 2
  }

  package struct App: Hashable, Sendable {
    package var name: String
    package var grant: Grant

    package init(name: String, grant: Grant) {
      self.name = name
      self.grant = grant
    }
  }

  package init(
    isSystemWide: Bool, areServicesOn: Bool = true, isInAirplaneMode: Bool = false,
    receivers: ReceiverState = .searching, wishCount: UInt32 = 0, promptCount: UInt32 = 0, agentCount: UInt32 = 0,
    supervision: Supervision = .notNeeded, awaitingAppCount: UInt32 = 0, app: App? = nil
  ) {
    self.isSystemWide = isSystemWide
    self.areServicesOn = areServicesOn
    self.isInAirplaneMode = isInAirplaneMode
    self.receivers = receivers
    self.wishCount = wishCount
    self.promptCount = promptCount
    self.agentCount = agentCount
    self.supervision = supervision
    self.awaitingAppCount = awaitingAppCount
    self.app = app
  }
}

extension ServiceCondition.App: WireValue {
  package init(from reader: inout WireReader) throws(WireError) {
    self.init(name: try reader.get(), grant: try reader.get())
  }

  package func write(to writer: inout WireWriter) {
    writer.put(name)
    writer.put(grant)
  }
}

extension ServiceCondition.Supervision: WireValue {}

extension ReceiverState: WireValue {
  package init(from reader: inout WireReader) throws(WireError) {
    let number: UInt8 = try reader.getNumber()
    switch number {
    case 0: self = .searching
    case 1: self = .fixing
    case 2: self = .unavailable
    case 3: self = .refused
    default: throw WireError("\(number) is no state of receivers")
    }
  }

  package func write(to writer: inout WireWriter) {
    let number: UInt8 =
      switch self {
      case .searching: 0
      case .fixing: 1
      case .unavailable: 2
      case .refused: 3
      }
    writer.putNumber(number)
  }
}

extension ServiceCondition: WireValue {
  package init(from reader: inout WireReader) throws(WireError) {
    self.init(
      isSystemWide: try reader.get(), areServicesOn: try reader.get(), isInAirplaneMode: try reader.get(),
      receivers: try reader.get(), wishCount: try reader.getNumber(), promptCount: try reader.getNumber(),
      agentCount: try reader.getNumber(), supervision: try reader.get(),
      awaitingAppCount: try reader.getNumber(), app: try reader.get())
  }

  package func write(to writer: inout WireWriter) {
    writer.put(isSystemWide)
    writer.put(areServicesOn)
    writer.put(isInAirplaneMode)
    writer.put(receivers)
    writer.putNumber(wishCount)
    writer.putNumber(promptCount)
    writer.putNumber(agentCount)
    writer.put(supervision)
    writer.putNumber(awaitingAppCount)
    writer.put(app)
  }
}
