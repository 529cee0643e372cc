import CoreLocation
import Foundation

/// What the app holds to go on in the background, and the reader of its monitor.
@MainActor
final class Sessions {
  /// Tells a line of what happens.
  var note: (String) -> Void = { _ in }
  private var activity: CLBackgroundActivitySession?
  private var service: CLServiceSession?
  private var signals: [any DispatchSourceSignal] = []

  func beginActivity() {
    let session = CLBackgroundActivitySession()
    activity = session
    // The sequence holds the session: its reader alone would keep it.
    let diagnostics = session.diagnostics
    Task { [weak self] in
      for try await diagnostic in diagnostics {
        self?.note("activity \(diagnostic.insufficientlyInUse ? "refused" : "held")")
      }
      self?.note("activity over")
    }
  }

  func beginService() {
    service = CLServiceSession(authorization: .always)
  }

  func obeySignals() {
    hear(SIGUSR1) { sessions in
      sessions.activity?.invalidate()
      sessions.activity = nil
    }
    hear(SIGUSR2) { $0.beginActivity() }
  }

  private func hear(_ number: Int32, _ heard: @escaping @MainActor (Sessions) -> Void) {
    signal(number, SIG_IGN)
    let source = DispatchSource.makeSignalSource(signal: number, queue: .main)
    source.setEventHandler { [weak self] in MainActor.assumeIsolated { if let self { heard(self) } } }
    source.activate()
    signals.append(source)
  }

  /// Opens the monitor, which goes on where the last process's was, and hears its events.
  func openMonitor(at center: CLLocationCoordinate2D, heard: @escaping @MainActor (String) -> Void) {
    Task { [weak self] in
      let monitor = await CLMonitor("places")
      let known = await monitor.identifiers
      self?.note("monitor \(known.isEmpty ? "new" : known.joined(separator: ","))")
      if known.isEmpty {
        await monitor.add(CLMonitor.CircularGeographicCondition(center: center, radius: 100), identifier: "home")
      }
      for try await event in await monitor.events { heard(Self.name(of: event.state)) }
    }
  }

  private static func name(of state: CLMonitor.Event.State) -> String {
    switch state {
    case .satisfied: "satisfied"
    case .unsatisfied: "unsatisfied"
    case .unmonitored: "unmonitored"
    case .unknown: "unknown"
    @unknown default: "other"
    }
  }
}
