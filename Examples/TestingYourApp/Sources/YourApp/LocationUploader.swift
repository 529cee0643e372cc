import CoreLocation

/// Sends where the person is, once a minute.
public actor LocationUploader {
  private let clock: any Clock<Duration>
  private let send: @Sendable ([CLLocation]) async -> Void
  private var waiting: [CLLocation] = []

  public init(clock: any Clock<Duration>, send: @escaping @Sendable ([CLLocation]) async -> Void) {
    self.clock = clock
    self.send = send
  }

  public func collect() async throws {
    for try await update in CLLocationUpdate.liveUpdates() {
      if let location = update.location { waiting.append(location) }
    }
  }

  public func upload() async throws {
    while true {
      try await clock.sleep(for: .seconds(60))
      let parcel = waiting
      waiting = []
      await send(parcel)
    }
  }
}
