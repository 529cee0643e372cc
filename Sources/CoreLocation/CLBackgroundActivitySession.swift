/// Keeps an app in use in the background for as long as the session is held (behaviour 9.10).
///
/// Background rules do not reach Linux programs yet: a plain process is in the foreground until it exits. Diagnostics
/// say how the app's permission stands.
public final class CLBackgroundActivitySession: Sendable {
  private let ending = ElementQueue<SessionStanding>()

  public init() {}

  /// Ends the session and its diagnostics. It cannot be revived (behaviour 9.11).
  public func invalidate() {
    ending.finish()
  }

  /// One diagnostic of now, then nothing until the session is invalidated or the iteration cancelled. The sequence
  /// holds the session.
  public var diagnostics: CLBackgroundActivitySession.Diagnostics { Diagnostics(session: self) }

  public struct Diagnostic {
    private let standing: SessionStanding

    fileprivate init(standing: SessionStanding) {
      self.standing = standing
    }

    public var authorizationDenied: Bool { standing.isDenied }
    public var authorizationDeniedGlobally: Bool { standing.isDeniedGlobally }
    public var authorizationRestricted: Bool { standing.isRestricted }
    public var insufficientlyInUse: Bool { false }
    public var serviceSessionRequired: Bool { false }
    public var authorizationRequestInProgress: Bool { false }
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
      private var hasGivenFirst = false

      fileprivate init(session: CLBackgroundActivitySession) {
        self.session = session
      }

      /// Nil once the session is invalidated or the task cancelled.
      public mutating func next() async throws -> CLBackgroundActivitySession.Diagnostics.Element? {
        guard hasGivenFirst || session.ending.isFinished || Task.isCancelled else {
          hasGivenFirst = true
          return Diagnostic(standing: .current())
        }
        return await session.ending.next().map(Diagnostic.init(standing:))
      }
    }

    public func makeAsyncIterator() -> CLBackgroundActivitySession.Diagnostics.Iterator {
      Iterator(session: session)
    }
  }
}

@available(*, unavailable)
extension CLBackgroundActivitySession.Diagnostics.Iterator: Sendable {}
