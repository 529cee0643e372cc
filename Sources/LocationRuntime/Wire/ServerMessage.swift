import LocationEngine
import LocationModel

/// What the service says to a client.
package enum ServerMessage: Hashable, Sendable {
  /// The answer to an app's hello: who it is to the service, and all it may know at once.
  case greeting(AppIdentifier, ClientSnapshot)
  /// The answer to a tool's hello, and to a supervisor's.
  case toolGreeting
  /// Why the connection ends; nothing follows.
  case refusal(String)
  case event(ManagerEvent, manager: UInt64)
  case snapshot(ClientSnapshot)
  /// So many locations were left out because this client did not read; the next one is newer than all of them.
  case locationsDropped(UInt32)
  case answer(CommandAnswer, number: UInt32)
  case prompt(Prompt)
  case promptWithdrawn(PromptIdentifier)
  /// "Turn On Location Services?" (behaviour 1.31)
  case servicesAlert(AppIdentifier)
  /// An agent's answer does not count, and why.
  case promptAnswerRefused(PromptIdentifier, String)
  /// To a process of a supervised app.
  case life(LifeEvent)
  /// Whether an agent shows the app's entry in Settings, which the app has asked for under this number.
  case settingsOpened(UInt64, Bool)
  /// To a person's supervisor.
  case order(SupervisorOrder)
  /// The last message through the socket: all others come through the pipe that comes along (decision 0014).
  case pipe
}

extension ServerMessage: WireValue {
  package init(from reader: inout WireReader) throws(WireError) {
    let kind: UInt8 = try reader.getNumber()
    switch kind {
    case 0: self = .greeting(try reader.get(), try reader.get())
    case 1: self = .toolGreeting
    case 2: self = .refusal(try reader.get())
    case 3:
      let manager: UInt64 = try reader.getNumber()
      self = .event(try reader.get(), manager: manager)
    case 4: self = .snapshot(try reader.get())
    case 5: self = .locationsDropped(try reader.getNumber())
    case 6:
      let number: UInt32 = try reader.getNumber()
      self = .answer(try reader.get(), number: number)
    case 7: self = .prompt(try reader.get())
    case 8: self = .promptWithdrawn(try reader.get())
    case 9: self = .servicesAlert(try reader.get())
    case 10: self = .promptAnswerRefused(try reader.get(), try reader.get())
    case 11: self = .life(try reader.get())
    case 12: self = .settingsOpened(try reader.getNumber(), try reader.get())
    case 13: self = .order(try reader.get())
    case 14: self = .pipe
    default: throw WireError("\(kind) is no message of the service")
    }
  }

  package func write(to writer: inout WireWriter) {
    switch self {
    case .greeting(let app, let snapshot):
      writer.putNumber(UInt8(0))
      writer.put(app)
      writer.put(snapshot)
    case .toolGreeting: writer.putNumber(UInt8(1))
    case .refusal(let reason):
      writer.putNumber(UInt8(2))
      writer.put(reason)
    case .event(let event, let manager):
      writer.putNumber(UInt8(3))
      writer.putNumber(manager)
      writer.put(event)
    case .snapshot(let snapshot):
      writer.putNumber(UInt8(4))
      writer.put(snapshot)
    case .locationsDropped(let count):
      writer.putNumber(UInt8(5))
      writer.putNumber(count)
    case .life(let event):
      writer.putNumber(UInt8(11))
      writer.put(event)
    case .settingsOpened(let number, let isShown):
      writer.putNumber(UInt8(12))
      writer.putNumber(number)
      writer.put(isShown)
    case .pipe: writer.putNumber(UInt8(14))
    default: writeForTools(to: &writer)
    }
  }

  private func writeForTools(to writer: inout WireWriter) {
    switch self {
    case .answer(let answer, let number):
      writer.putNumber(UInt8(6))
      writer.putNumber(number)
      writer.put(answer)
    case .prompt(let prompt):
      writer.putNumber(UInt8(7))
      writer.put(prompt)
    case .promptWithdrawn(let prompt):
      writer.putNumber(UInt8(8))
      writer.put(prompt)
    case .servicesAlert(let app):
      writer.putNumber(UInt8(9))
      writer.put(app)
    case .order(let order):
      writer.putNumber(UInt8(13))
      writer.put(order)
    case .promptAnswerRefused(let prompt, let reason):
      writer.putNumber(UInt8(10))
      writer.put(prompt)
      writer.put(reason)
    default: preconditionFailure("written by the other half")
    }
  }
}
