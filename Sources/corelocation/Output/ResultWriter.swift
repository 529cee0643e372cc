import LocationEngine
import LocationModel

/// What a journey came to.
struct JourneySummary {
  var fixCount: Int
  var deliveredCount: Int
  var virtualSeconds: Double
  /// How long the modelled receiver was on.
  var receiverSeconds: Double
  /// What it has cost (`GNSSMeter`).
  var gnssJoules: Double

  /// What a GNSS that is on from the track's first fix to its last would have cost.
  var alwaysOnJoules: Double {
    EnergyModel.alwaysOnGNSSJoules(seconds: virtualSeconds, fixCount: fixCount)
  }
}

/// Writes results in the form that the person chose.
struct ResultWriter: Sendable {
  enum Form: Sendable {
    case json
    case text
  }

  var form: Form
  /// Whoever follows sees each event as it comes.
  var flushes: Bool
  private let output = StandardOutput.shared

  init(_ arguments: CommandLineArguments, flushes: Bool) {
    form = arguments.has("json") ? .json : .text
    self.flushes = flushes
  }

  var isOpen: Bool { output.isOpen }

  /// - Parameter service: whose event it is, where several tell of locations.
  func write(_ event: ManagerEvent, of service: SessionSettings.Service? = nil, at time: WallTime) {
    output.write(flushes: flushes) { bytes in
      switch form {
      case .json: EventWriter.append(event, of: service, at: time, to: &bytes)
      case .text: TextWriter.append(event, of: service, at: time, to: &bytes)
      }
    }
  }

  func write(_ summary: JourneySummary) {
    output.write(flushes: flushes) { bytes in
      switch form {
      case .json: EventWriter.append(summary, to: &bytes)
      case .text: TextWriter.append(summary, to: &bytes)
      }
    }
  }
}
