import CoreLocation

/// What keeps an app from being suspended while its tracker rests between two listenings.
@MainActor
public protocol BackgroundKeeping: AnyObject {
  /// Tracking begins in the foreground, or goes on in an app that was started again in the background.
  func trackingBegins()
  /// The tracker listens again; a rest follows.
  func listeningBegins()
  func trackingEnds()
}

/// A session of iOS 17 and later: as long as it is held the app runs, and people see that it uses location.
@MainActor
public final class BackgroundSession: BackgroundKeeping {
  private var session: CLBackgroundActivitySession?

  public init() {}

  public func trackingBegins() { session = CLBackgroundActivitySession() }
  public func listeningBegins() {}

  public func trackingEnds() {
    session?.invalidate()
    session = nil
  }
}
