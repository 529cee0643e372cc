import LocationEngine

// What an agent is shown and what it answers.

extension PromptIdentifier: WireValue {
  package init(from reader: inout WireReader) throws(WireError) {
    self.init(try reader.getNumber())
  }

  package func write(to writer: inout WireWriter) {
    writer.putNumber(number)
  }
}

extension Prompt.Kind: WireValue {
  package init(from reader: inout WireReader) throws(WireError) {
    let kind: UInt8 = try reader.getNumber()
    switch kind {
    case 0: self = .first
    case 1: self = .escalation
    case 2: self = .provisionalConfirmation
    case 3: self = .temporaryFullAccuracy(purposeKey: try reader.get())
    case 4: self = .settings(try reader.get())
    default: throw WireError("\(kind) is no kind of prompt")
    }
  }

  package func write(to writer: inout WireWriter) {
    switch self {
    case .first: writer.putNumber(UInt8(0))
    case .escalation: writer.putNumber(UInt8(1))
    case .provisionalConfirmation: writer.putNumber(UInt8(2))
    case .temporaryFullAccuracy(let purposeKey):
      writer.putNumber(UInt8(3))
      writer.put(purposeKey)
    case .settings(let settings):
      writer.putNumber(UInt8(4))
      writer.put(settings)
    }
  }
}

extension AppSettings: WireValue {
  package init(from reader: inout WireReader) throws(WireError) {
    self.init(
      level: try reader.get(), isPrecise: try reader.get(), allowsBackgroundRefresh: try reader.get())
  }

  package func write(to writer: inout WireWriter) {
    writer.put(level)
    writer.put(isPrecise)
    writer.put(allowsBackgroundRefresh)
  }
}

extension PromptChoice: WireValue {
  /// Each at its number; those of an entry in Settings begin at 6.
  private static let numbered: [PromptChoice] = [
    .allowOnce, .allowWhileUsing, .allow, .doNotAllow, .keepWhileUsing, .changeToAlways,
    .settings(.level(.notDetermined)), .settings(.level(.denied)), .settings(.level(.whenInUse)),
    .settings(.level(.always)), .settings(.precise(false)), .settings(.precise(true)),
    .settings(.backgroundRefresh(false)), .settings(.backgroundRefresh(true)), .settings(.done),
  ]

  package init(from reader: inout WireReader) throws(WireError) {
    let number = Int(try reader.getNumber(UInt8.self))
    guard Self.numbered.indices.contains(number) else { throw WireError("\(number) is no choice") }
    self = Self.numbered[number]
  }

  package func write(to writer: inout WireWriter) {
    let number: UInt8 =
      switch self {
      case .allowOnce: 0
      case .allowWhileUsing: 1
      case .allow: 2
      case .doNotAllow: 3
      case .keepWhileUsing: 4
      case .changeToAlways: 5
      case .settings(.level(let level)): 6 + UInt8(truncatingIfNeeded: level.rawValue)
      case .settings(.precise(let isOn)): isOn ? 11 : 10
      case .settings(.backgroundRefresh(let isOn)): isOn ? 13 : 12
      case .settings(.done): 14
      }
    writer.putNumber(number)
  }
}

extension PromptAnswer: WireValue {
  package init(from reader: inout WireReader) throws(WireError) {
    self.init(try reader.get(), isPrecise: try reader.get())
  }

  package func write(to writer: inout WireWriter) {
    writer.put(choice)
    writer.put(isPrecise)
  }
}

extension Prompt: WireValue {
  package init(from reader: inout WireReader) throws(WireError) {
    self.init(
      identifier: try reader.get(), app: try reader.get(), kind: try reader.get(), usageText: try reader.get(),
      choices: try reader.get(), offersPreciseSwitch: try reader.get())
  }

  package func write(to writer: inout WireWriter) {
    writer.put(identifier)
    writer.put(app)
    writer.put(kind)
    writer.put(usageText)
    writer.put(choices)
    writer.put(offersPreciseSwitch)
  }
}
