import LocationEngine
import LocationModel

/// The version of the protocol that both sides must speak. It changes with every change of meaning (docs/protocol.md).
package let wireProtocolVersion: UInt16 = 1

/// What a client says to the service.
package enum ClientMessage: Hashable, Sendable {
  /// The first message: who speaks how. Nothing in it is believed but what an app may say of itself.
  case hello(version: UInt16, ClientRole)
  case addManager(UInt64)
  case removeManager(UInt64)
  case request(Request, manager: UInt64)
  /// A person's command; the answer bears its number.
  case command(ServiceCommand, number: UInt32)
  /// From now on prompts of this user's apps may be shown here.
  case becomeAgent
  case answerPrompt(PromptIdentifier, PromptAnswer)
  /// A prompt is before the person's eyes here.
  case promptShown(PromptIdentifier)
  /// The person has closed a prompt without an answer.
  case putOffPrompt(PromptIdentifier)
  /// `beginBackgroundTask` of a supervised app, which numbers its tasks.
  case beginTask(UInt64, name: String)
  case endTask(UInt64)
  /// An app asks its person's agent to show its entry in Settings; the answer bears its number.
  case openSettings(UInt64)
  /// A person's supervisor tells what became of the apps.
  case report(SupervisorReport)
  /// What the service says to this app may come through a pipe, which comes with `ServerMessage.pipe`.
  case takesPipe
}

/// What a connection is for.
package enum ClientRole: Hashable, Sendable {
  /// An app and what its Info.plist says. Its identifier is not read: who the app is, the kernel says.
  case app(AppDescription)
  /// A person's tool: it sends commands, or shows prompts.
  case tool
  /// A person's supervisor of apps: it carries out what the system's service decides for this user's apps.
  case supervisor
}

extension ClientRole: WireValue {
  package init(from reader: inout WireReader) throws(WireError) {
    let kind: UInt8 = try reader.getNumber()
    switch kind {
    case 0: self = .app(try reader.get())
    case 1: self = .tool
    case 2: self = .supervisor
    default: throw WireError("expected a role 0 to 2, found \(kind)")
    }
  }

  package func write(to writer: inout WireWriter) {
    switch self {
    case .app(let description):
      writer.putNumber(UInt8(0))
      writer.put(description)
    case .tool: writer.putNumber(UInt8(1))
    case .supervisor: writer.putNumber(UInt8(2))
    }
  }
}

extension ClientMessage: WireValue {
  package init(from reader: inout WireReader) throws(WireError) {
    let kind: UInt8 = try reader.getNumber()
    switch kind {
    case 0: self = .hello(version: try reader.getNumber(), try reader.get())
    case 1: self = .addManager(try reader.getNumber())
    case 2: self = .removeManager(try reader.getNumber())
    case 3:
      let manager: UInt64 = try reader.getNumber()
      self = .request(try reader.get(), manager: manager)
    case 4:
      let number: UInt32 = try reader.getNumber()
      self = .command(try reader.get(), number: number)
    case 5: self = .becomeAgent
    case 6: self = .answerPrompt(try reader.get(), try reader.get())
    case 7: self = .putOffPrompt(try reader.get())
    case 8: self = .beginTask(try reader.getNumber(), name: try reader.get())
    case 9: self = .endTask(try reader.getNumber())
    case 10: self = .openSettings(try reader.getNumber())
    case 11: self = .report(try reader.get())
    case 12: self = .promptShown(try reader.get())
    case 13: self = .takesPipe
    default: throw WireError("\(kind) is no message of a client")
    }
  }

  package func write(to writer: inout WireWriter) {
    switch self {
    case .hello(let version, let role):
      writer.putNumber(UInt8(0))
      writer.putNumber(version)
      writer.put(role)
    case .addManager(let manager):
      writer.putNumber(UInt8(1))
      writer.putNumber(manager)
    case .removeManager(let manager):
      writer.putNumber(UInt8(2))
      writer.putNumber(manager)
    case .request(let request, let manager):
      writer.putNumber(UInt8(3))
      writer.putNumber(manager)
      writer.put(request)
    case .command(let command, let number):
      writer.putNumber(UInt8(4))
      writer.putNumber(number)
      writer.put(command)
    case .becomeAgent: writer.putNumber(UInt8(5))
    case .answerPrompt(let prompt, let answer):
      writer.putNumber(UInt8(6))
      writer.put(prompt)
      writer.put(answer)
    case .putOffPrompt(let prompt):
      writer.putNumber(UInt8(7))
      writer.put(prompt)
    case .beginTask(let number, let name):
      writer.putNumber(UInt8(8))
      writer.putNumber(number)
      writer.put(name)
    case .endTask(let number):
      writer.putNumber(UInt8(9))
      writer.putNumber(number)
    case .openSettings(let number):
      writer.putNumber(UInt8(10))
      writer.putNumber(number)
    case .report(let report):
      writer.putNumber(UInt8(11))
      writer.put(report)
    case .promptShown(let prompt):
      writer.putNumber(UInt8(12))
      writer.put(prompt)
    case .takesPipe: writer.putNumber(UInt8(13))
    }
  }
}
