import LinuxIO

extension SupervisorOrder: WireValue {
  package init(from reader: inout WireReader) throws(WireError) {
    let kind: UInt8 = try reader.getNumber()
    switch kind {
    case 0: self = .prepare(app: try reader.get())
    case 1: self = .launch(try reader.get())
    case 2: self = .suspend(app: try reader.get())
    case 3: self = .resume(app: try reader.get())
    case 4: self = .terminate(app: try reader.get(), try reader.get())
    case 5: self = .examine(processNumber: try reader.getNumber())
    case 6:
      var launch: AppLaunch = try reader.get()
      launch.arguments = try reader.get()
      self = .launch(launch)
    default: throw WireError("\(kind) is no order to a supervisor")
    }
  }

  package func write(to writer: inout WireWriter) {
    switch self {
    case .prepare(let app): Self.put(0, app, to: &writer)
    case .launch(let launch):
      // A supervisor that knows of no arguments understands the first.
      writer.putNumber(UInt8(launch.arguments.isEmpty ? 1 : 6))
      writer.put(launch)
      if !launch.arguments.isEmpty { writer.put(launch.arguments) }
    case .suspend(let app): Self.put(2, app, to: &writer)
    case .resume(let app): Self.put(3, app, to: &writer)
    case .terminate(let app, let termination):
      Self.put(4, app, to: &writer)
      writer.put(termination)
    case .examine(let number):
      writer.putNumber(UInt8(5))
      writer.putNumber(number)
    }
  }

  private static func put(_ kind: UInt8, _ app: String, to writer: inout WireWriter) {
    writer.putNumber(kind)
    writer.put(app)
  }
}

/// Without its arguments, which follow where there are some.
extension AppLaunch: WireValue {
  package init(from reader: inout WireReader) throws(WireError) {
    self.init(
      app: try reader.get(), bundlePath: try reader.get(), executablePath: try reader.get(),
      reason: try reader.get(), name: try reader.get())
  }

  package func write(to writer: inout WireWriter) {
    writer.put(app)
    writer.put(bundlePath)
    writer.put(executablePath)
    writer.put(reason)
    writer.put(name)
  }
}

extension LaunchReason: WireValue {
  package init(from reader: inout WireReader) throws(WireError) {
    let byte: UInt8 = try reader.getNumber()
    switch byte {
    case 0: self = .person
    case 1: self = .location
    default: throw WireError("\(byte) is no reason of a launch")
    }
  }

  package func write(to writer: inout WireWriter) {
    writer.putNumber(UInt8(self == .person ? 0 : 1))
  }
}

extension Termination: WireValue {
  package init(from reader: inout WireReader) throws(WireError) {
    let kind: UInt8 = try reader.getNumber()
    switch kind {
    case 0: self = .asked
    case 1: self = .forceQuit
    case 2: self = .overrun(try reader.get())
    default: throw WireError("\(kind) is no way to end an app")
    }
  }

  package func write(to writer: inout WireWriter) {
    switch self {
    case .asked: writer.putNumber(UInt8(0))
    case .forceQuit: writer.putNumber(UInt8(1))
    case .overrun(let why):
      writer.putNumber(UInt8(2))
      writer.put(why)
    }
  }
}

extension SupervisorReport: WireValue {
  package init(from reader: inout WireReader) throws(WireError) {
    let kind: UInt8 = try reader.getNumber()
    switch kind {
    case 0: self = .ready
    case 1: self = .prepared(app: try reader.get(), acknowledged: try reader.get())
    case 2: self = .started(launch: try reader.get(), processNumber: try reader.getNumber())
    case 3: self = .startFailed(launch: try reader.get(), try reader.get())
    case 4: self = .ended(launch: try reader.get(), try reader.get())
    case 5: self = .examined(processNumber: try reader.getNumber(), isLeftover: try reader.get())
    default: throw WireError("\(kind) is no report of a supervisor")
    }
  }

  package func write(to writer: inout WireWriter) {
    switch self {
    case .ready: writer.putNumber(UInt8(0))
    case .prepared(let app, let acknowledged):
      writer.putNumber(UInt8(1))
      writer.put(app)
      writer.put(acknowledged)
    case .started(let launch, let number):
      writer.putNumber(UInt8(2))
      writer.put(launch)
      writer.putNumber(number)
    case .startFailed(let launch, let reason):
      writer.putNumber(UInt8(3))
      writer.put(launch)
      writer.put(reason)
    case .ended(let launch, let end):
      writer.putNumber(UInt8(4))
      writer.put(launch)
      writer.put(end)
    case .examined(let number, let isLeftover):
      writer.putNumber(UInt8(5))
      writer.putNumber(number)
      writer.put(isLeftover)
    }
  }
}

extension AppEnd: WireValue {
  package init(from reader: inout WireReader) throws(WireError) {
    self.init(processNumber: try reader.getNumber(), end: try reader.get(), termination: try reader.get())
  }

  package func write(to writer: inout WireWriter) {
    writer.putNumber(processNumber)
    writer.put(end)
    writer.put(termination)
  }
}

extension ProcessEnd: WireValue {
  package init(from reader: inout WireReader) throws(WireError) {
    let kind: UInt8 = try reader.getNumber()
    switch kind {
    case 0: self = .exited(status: try reader.getNumber())
    case 1: self = .killed(signal: try reader.getNumber())
    case 2: self = .unknown
    default: throw WireError("\(kind) is no end of a process")
    }
  }

  package func write(to writer: inout WireWriter) {
    switch self {
    case .exited(let status):
      writer.putNumber(UInt8(0))
      writer.putNumber(status)
    case .killed(let signal):
      writer.putNumber(UInt8(1))
      writer.putNumber(signal)
    case .unknown: writer.putNumber(UInt8(2))
    }
  }
}
