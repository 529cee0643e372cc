import LocationEngine

/// What a person may tell the service to do (design 6). `user` is the number of the user whose app is meant; nil is
/// the one who asks.
package enum ServiceCommand: Hashable, Sendable {
  case apps
  case grant(app: String, GrantChange, user: UInt32?)
  /// Forgets what was decided: the app may ask again.
  case reset(app: String, user: UInt32?)
  case switchServices(isOn: Bool)
  case switchAirplaneMode(isOn: Bool)
  case status
  case top
  /// When which app used location; nil is every app.
  case log(app: String?)
  case regions(app: String?)
  /// How everything is, and what this app may have.
  case condition(app: String?)
  /// What becomes of an installed app, or of one that is to be.
  case app(BundleCommand)
}

/// A level, Precise, or both.
package struct GrantChange: Hashable, Sendable {
  package var level: Grant.Level?
  package var isPrecise: Bool?

  package init(level: Grant.Level? = nil, isPrecise: Bool? = nil) {
    self.level = level
    self.isPrecise = isPrecise
  }
}

/// What a command came to.
package enum CommandAnswer: Hashable, Sendable {
  /// Carried out and, where something is kept, stored.
  case done
  /// Not carried out: the sentence says why and what to do.
  case failed(String)
  case table(columns: [String], rows: [[String]])
  case sentences([String])
  case condition(ServiceCondition)
}

extension GrantChange: WireValue {
  package init(from reader: inout WireReader) throws(WireError) {
    self.init(level: try reader.get(), isPrecise: try reader.get())
  }

  package func write(to writer: inout WireWriter) {
    writer.put(level)
    writer.put(isPrecise)
  }
}

extension ServiceCommand: WireValue {
  package init(from reader: inout WireReader) throws(WireError) {
    let kind: UInt8 = try reader.getNumber()
    switch kind {
    case 0: self = .apps
    case 1: self = .grant(app: try reader.get(), try reader.get(), user: try reader.get())
    case 2: self = .reset(app: try reader.get(), user: try reader.get())
    case 3: self = .switchServices(isOn: try reader.get())
    case 4: self = .switchAirplaneMode(isOn: try reader.get())
    case 5: self = .status
    case 6: self = .top
    case 7: self = .log(app: try reader.get())
    case 8: self = .regions(app: try reader.get())
    case 9: self = .condition(app: try reader.get())
    case _ where BundleCommand.kinds.contains(kind): self = .app(try BundleCommand(kind: kind, from: &reader))
    default: throw WireError("\(kind) is no command")
    }
  }

  package func write(to writer: inout WireWriter) {
    switch self {
    case .apps: writer.putNumber(UInt8(0))
    case .grant(let app, let change, let user):
      writer.putNumber(UInt8(1))
      writer.put(app)
      writer.put(change)
      writer.put(user)
    case .reset(let app, let user):
      writer.putNumber(UInt8(2))
      writer.put(app)
      writer.put(user)
    case .switchServices(let isOn):
      writer.putNumber(UInt8(3))
      writer.put(isOn)
    case .switchAirplaneMode(let isOn):
      writer.putNumber(UInt8(4))
      writer.put(isOn)
    case .status: writer.putNumber(UInt8(5))
    case .top: writer.putNumber(UInt8(6))
    case .log(let app):
      writer.putNumber(UInt8(7))
      writer.put(app)
    case .regions(let app):
      writer.putNumber(UInt8(8))
      writer.put(app)
    case .condition(let app):
      writer.putNumber(UInt8(9))
      writer.put(app)
    case .app(let command): command.write(to: &writer)
    }
  }
}

extension CommandAnswer: WireValue {
  package init(from reader: inout WireReader) throws(WireError) {
    let kind: UInt8 = try reader.getNumber()
    switch kind {
    case 0: self = .done
    case 1: self = .failed(try reader.get())
    case 2: self = .table(columns: try reader.get(), rows: try reader.get())
    case 3: self = .sentences(try reader.get())
    case 4: self = .condition(try reader.get())
    default: throw WireError("\(kind) is no answer")
    }
  }

  package func write(to writer: inout WireWriter) {
    switch self {
    case .done: writer.putNumber(UInt8(0))
    case .failed(let reason):
      writer.putNumber(UInt8(1))
      writer.put(reason)
    case .table(let columns, let rows):
      writer.putNumber(UInt8(2))
      writer.put(columns)
      writer.put(rows)
    case .sentences(let sentences):
      writer.putNumber(UInt8(3))
      writer.put(sentences)
    case .condition(let condition):
      writer.putNumber(UInt8(4))
      writer.put(condition)
    }
  }
}
