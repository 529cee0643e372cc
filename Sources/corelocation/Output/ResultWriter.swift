import LocationEngine
import LocationModel
import LocationProviders
import LocationRuntime

/// What a journey came to.
struct JourneySummary {
  var fixCount: Int
  var deliveredCount: Int
  var virtualSeconds: Double
  /// The device that was carried along.
  var profile: DeviceProfile
  /// Beacons stood along the journey, and the device has Bluetooth.
  var hearsBeacons: Bool
  /// How long its receiver of satellites was on.
  var satelliteSeconds: Double
  /// What its receivers have cost.
  var joules: ReceiverJoules

  /// Those whose costs are told.
  var receivers: [JourneyReceiver] { JourneyReceiver.all(of: profile, hearsBeacons: hearsBeacons) }

  /// What a GNSS that is on from the track's first fix to its last would have cost.
  var alwaysOnJoules: Double {
    profile.energy.alwaysOnSatelliteJoules(seconds: virtualSeconds, fixCount: fixCount)
  }
}

/// Writes results in the form that the person chose.
struct ResultWriter: Sendable {
  enum Form: Sendable {
    case json
    case text
    /// Nothing is written: results are for the witness alone.
    case none
  }

  var form: Form
  /// Whoever follows sees each event as it comes.
  var flushes: Bool
  /// Is given each event that is written, whatever the form.
  var witness: (@Sendable (ManagerEvent, WallTime) -> Void)?
  /// Writes the locations to a file, too.
  var recorder: GPXRecorder?
  /// Shows in place what belongs into it, instead of a line for each.
  var table: LiveTable?
  private let output = StandardOutput.shared

  static let silent = ResultWriter(form: .none)

  private init(form: Form) {
    self.form = form
    flushes = false
  }

  init(_ arguments: CommandLineArguments, flushes: Bool) {
    form = arguments.has("json") ? .json : .text
    self.flushes = flushes
  }

  func witnessed(by witness: @escaping @Sendable (ManagerEvent, WallTime) -> Void) -> ResultWriter {
    var writer = self
    writer.witness = witness
    return writer
  }

  /// The same, in a table where a person watches.
  func live(clock: any SessionClock) -> ResultWriter {
    var writer = self
    writer.table = form == .text ? LiveTable.onTerminal(clock: clock) : nil
    return writer
  }

  /// False once nobody reads, or nothing can be recorded any more.
  var isOpen: Bool { (form == .none || output.isOpen) && recorder?.failure == nil }

  /// - Parameter service: whose event it is, where several tell of locations.
  func write(_ event: ManagerEvent, of service: SessionSettings.Service? = nil, at time: WallTime) {
    witness?(event, time)
    recorder?.heard(event)
    guard form != .none else { return }
    if let table {
      if table.show(event, at: time) { return }
      table.leave()
    }
    output.write(flushes: flushes) { bytes in
      switch form {
      case .json: EventWriter.append(event, of: service, at: time, to: &bytes)
      case .text: TextWriter.append(event, of: service, at: time, to: &bytes)
      case .none: break
      }
    }
  }

  func write(_ summary: JourneySummary) {
    output.write(flushes: flushes) { bytes in
      switch form {
      case .json: EventWriter.append(summary, to: &bytes)
      case .text: TextWriter.append(summary, to: &bytes)
      case .none: break
      }
    }
  }

  func write(_ explanation: ReceiverExplanation) {
    output.write(flushes: flushes) { bytes in
      switch form {
      case .json: explanation.append(jsonTo: &bytes)
      case .text: explanation.append(textTo: &bytes)
      case .none: break
      }
    }
  }
}
