import LocationEngine
import LocationModel

/// Declares what an app needs of location services for as long as the session is held: the person is asked for it as
/// soon as that can be, now or later (behaviour 9.20, 9.21).
public final class CLServiceSession: Sendable {
  /// What the app needs.
  public enum AuthorizationRequirement {
    case none
    case whenInUse
    case always
  }

  private let holding: SessionHolding

  public init(authorization: CLServiceSession.AuthorizationRequirement) {
    holding = SessionHolding(
      .holdServiceSession(ServiceSessionGoal(authorization: ServiceSessionGoal.Requirement(authorization))))
  }

  public init(
    authorization: CLServiceSession.AuthorizationRequirement, fullAccuracyPurposeKey: String
  ) {
    holding = SessionHolding(
      .holdServiceSession(
        ServiceSessionGoal(
          authorization: ServiceSessionGoal.Requirement(authorization),
          fullAccuracyPurposeKey: fullAccuracyPurposeKey)))
  }

  /// Ends the session and its diagnostics. It cannot be revived (behaviour 9.11).
  public func invalidate() {
    holding.end()
  }

  /// How the session stands now, then every change, until the session is invalidated or the iteration cancelled. The
  /// sequence holds the session.
  public var diagnostics: CLServiceSession.Diagnostics { Diagnostics(session: self) }

  /// How far the goal is reached (behaviour 9.25).
  public struct Diagnostic {
    private let flags: ServiceDiagnostics

    fileprivate init(flags: ServiceDiagnostics) {
      self.flags = flags
    }

    public var authorizationDenied: Bool { flags.contains(.authorizationDenied) }
    public var authorizationDeniedGlobally: Bool { flags.contains(.authorizationDeniedGlobally) }
    public var authorizationRestricted: Bool { flags.contains(.authorizationRestricted) }
    /// Always is needed, and the person keeps it from the app.
    public var alwaysAuthorizationDenied: Bool { flags.contains(.alwaysAuthorizationDenied) }
    /// The app is not in use, so that nobody can be asked, or nothing is to be had.
    public var insufficientlyInUse: Bool { flags.contains(.insufficientlyInUse) }
    public var serviceSessionRequired: Bool { flags.contains(.serviceSessionRequired) }
    /// Full accuracy is needed, and the person keeps it from the app.
    public var fullAccuracyDenied: Bool { flags.contains(.fullAccuracyDenied) }
    /// The person is being asked.
    public var authorizationRequestInProgress: Bool { flags.contains(.authorizationRequestInProgress) }
  }

  public final class Diagnostics: AsyncSequence {
    public typealias Element = CLServiceSession.Diagnostic
    public typealias Failure = any Error
    public typealias AsyncIterator = CLServiceSession.Diagnostics.Iterator

    private let session: CLServiceSession

    fileprivate init(session: CLServiceSession) {
      self.session = session
    }

    public struct Iterator: AsyncIteratorProtocol {
      public typealias Element = CLServiceSession.Diagnostics.Element
      public typealias Failure = any Error

      private let session: CLServiceSession
      private let diagnosing: SessionDiagnosing

      fileprivate init(session: CLServiceSession) {
        self.session = session
        diagnosing = SessionDiagnosing(session.holding)
      }

      /// Nil once the session is invalidated or the task cancelled.
      public mutating func next() async throws -> CLServiceSession.Diagnostics.Element? {
        try await next(isolation: nil)
      }

      /// What `for await` calls: the same, without leaving the caller's actor.
      public mutating func next(
        isolation actor: isolated (any Actor)?
      ) async throws -> CLServiceSession.Diagnostics.Element? {
        await diagnosing.next(isolation: actor).map(Diagnostic.init(flags:))
      }
    }

    public func makeAsyncIterator() -> CLServiceSession.Diagnostics.Iterator {
      Iterator(session: session)
    }
  }
}

@available(*, unavailable)
extension CLServiceSession.Diagnostics.Iterator: Sendable {}

extension ServiceSessionGoal.Requirement {
  fileprivate init(_ requirement: CLServiceSession.AuthorizationRequirement) {
    switch requirement {
    case .none: self = .none
    case .whenInUse: self = .whenInUse
    case .always: self = .always
    }
  }
}
