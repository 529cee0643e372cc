import LocationModel

/// Keeps an app in use in the background for as long as the session is held (behaviour 9.10).
///
/// It begins in the foreground; in the background an app only takes up again, right after its launch, what its last
/// process held (9.12). The Info.plist needs `location` in `UIBackgroundModes`. A plain process, which no supervisor
/// has launched, is in the foreground until it exits.
public final class CLBackgroundActivitySession: Sendable {
  private let holding: SessionHolding

  public init() {
    holding = SessionHolding(.holdBackgroundActivity)
  }

  /// Ends the session and its diagnostics. It cannot be revived (behaviour 9.11).
  public func invalidate() {
    holding.end()
  }

  /// How the session stands now, then every change, until the session is invalidated or the iteration cancelled. The
  /// sequence holds the session.
  public var diagnostics: CLBackgroundActivitySession.Diagnostics { Diagnostics(session: self) }

  public struct Diagnostic {
    private let flags: ServiceDiagnostics

    fileprivate init(flags: ServiceDiagnostics) {
      self.flags = flags
    }

    public var authorizationDenied: Bool { flags.contains(.authorizationDenied) }
    public var authorizationDeniedGlobally: Bool { flags.contains(.authorizationDeniedGlobally) }
    public var authorizationRestricted: Bool { flags.contains(.authorizationRestricted) }
    /// The session was made in the background, and there was none to take up again.
    public var insufficientlyInUse: Bool { flags.contains(.insufficientlyInUse) }
    public var serviceSessionRequired: Bool { flags.contains(.serviceSessionRequired) }
    public var authorizationRequestInProgress: Bool { flags.contains(.authorizationRequestInProgress) }
  }

  public final class Diagnostics: AsyncSequence {
    public typealias Element = CLBackgroundActivitySession.Diagnostic
    public typealias Failure = any Error
    public typealias AsyncIterator = CLBackgroundActivitySession.Diagnostics.Iterator

    private let session: CLBackgroundActivitySession

    fileprivate init(session: CLBackgroundActivitySession) {
      self.session = session
    }

    public struct Iterator: AsyncIteratorProtocol {
      public typealias Element = CLBackgroundActivitySession.Diagnostics.Element
      public typealias Failure = any Error

      private let session: CLBackgroundActivitySession
      private let diagnosing: SessionDiagnosing

      fileprivate init(session: CLBackgroundActivitySession) {
        self.session = session
        diagnosing = SessionDiagnosing(session.holding)
      }

      /// Nil once the session is invalidated or the task cancelled.
      public mutating func next() async throws -> CLBackgroundActivitySession.Diagnostics.Element? {
        try await next(isolation: nil)
      }

      /// What `for await` calls: the same, without leaving the caller's actor.
      public mutating func next(
        isolation actor: isolated (any Actor)?
      ) async throws -> CLBackgroundActivitySession.Diagnostics.Element? {
        await diagnosing.next(isolation: actor).map(Diagnostic.init(flags:))
      }
    }

    public func makeAsyncIterator() -> CLBackgroundActivitySession.Diagnostics.Iterator {
      Iterator(session: session)
    }
  }
}

@available(*, unavailable)
extension CLBackgroundActivitySession.Diagnostics.Iterator: Sendable {}
