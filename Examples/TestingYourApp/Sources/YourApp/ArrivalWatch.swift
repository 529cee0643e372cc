import CoreLocation

/// Notes when the person comes home, also while the app does not run.
public actor ArrivalWatch {
  public private(set) var notes: [String] = []
  /// Without it no event of a monitor starts the app. It is begun in the foreground, and again at each launch.
  private let session = CLServiceSession(authorization: .always)

  public init() {}

  /// The person says where home is, and is not there. The system remembers it over every end of the app.
  public func watch(_ home: CLLocationCoordinate2D) async {
    let monitor = await CLMonitor("arrivals")
    let circle = CLMonitor.CircularGeographicCondition(center: home, radius: 150)
    await monitor.add(circle, identifier: "home", assuming: .unsatisfied)
  }

  /// At each launch.
  public func read() async throws {
    let monitor = await CLMonitor("arrivals")
    for try await event in await monitor.events where event.state == .satisfied {
      notes.append("came \(event.identifier)")
    }
  }
}
