import CoreLocation

/// What a screen shows of where the person is.
@MainActor public final class PlaceModel {
  public private(set) var place: CLLocation?
  private var updates: Task<Void, any Error>?

  public init() {
    updates = Task { [weak self] in
      for try await update in CLLocationUpdate.liveUpdates() { self?.show(update) }
    }
  }

  private func show(_ update: CLLocationUpdate) {
    if let location = update.location { place = location }
  }

  public func end() { updates?.cancel() }
}
