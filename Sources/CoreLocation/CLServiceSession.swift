/// Declares what an app needs of location services for as long as the session is held (behaviour 9.20).
///
/// Prompting towards that goal does not exist on Linux yet: a session asks nobody anything. Its diagnostics say how the
/// app's permission stands.
public final class CLServiceSession: Sendable {
  /// What the app needs.
  public enum AuthorizationRequirement {
    case none
    case whenInUse
    case always
  }

  private let needsAlways: Bool
  private let ending = ElementQueue<SessionStanding>()

  public init(authorization: CLServiceSession.AuthorizationRequirement) {
    needsAlways = authorization == .always
  }

  public init(
    authorization: CLServiceSession.AuthorizationRequirement, fullAccuracyPurposeKey: String
  ) {
    needsAlways = authorization == .always
  }

  /// Ends the session and its diagnostics. It cannot be revived.
  public func invalidate() {
    ending.finish()
  }

  /// One diagnostic of now, then nothing until the session is invalidated or the iteration cancelled. The sequence
  /// holds the session.
  public var diagnostics: CLServiceSession.Diagnostics { Diagnostics(session: self) }

  /// How far the goal is reached (behaviour 9.25).
  public struct Diagnostic {
    private let standing: SessionStanding
    private let needsAlways: Bool

    fileprivate init(standing: SessionStanding, needsAlways: Bool) {
      self.standing = standing
      self.needsAlways = needsAlways
    }

    public var authorizationDenied: Bool { standing.isDenied }
    public var authorizationDeniedGlobally: Bool { standing.isDeniedGlobally }
    public var authorizationRestricted: Bool { standing.isRestricted }

    /// Whether Always is needed and the app's permission is refused altogether.
    public var alwaysAuthorizationDenied: Bool {
      needsAlways && (standing.isDenied || standing.isRestricted)
    }

    public var insufficientlyInUse: Bool { false }
    public var serviceSessionRequired: Bool { false }
    public var fullAccuracyDenied: Bool { false }
    public var authorizationRequestInProgress: Bool { false }
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
      private var hasGivenFirst = false

      fileprivate init(session: CLServiceSession) {
        self.session = session
      }

      /// Nil once the session is invalidated or the task cancelled.
      public mutating func next() async throws -> CLServiceSession.Diagnostics.Element? {
        guard hasGivenFirst || session.ending.isFinished || Task.isCancelled else {
          hasGivenFirst = true
          return Diagnostic(standing: .current(), needsAlways: session.needsAlways)
        }
        return await session.ending.next().map { standing in
          Diagnostic(standing: standing, needsAlways: session.needsAlways)
        }
      }
    }

    public func makeAsyncIterator() -> CLServiceSession.Diagnostics.Iterator {
      Iterator(session: session)
    }
  }
}

@available(*, unavailable)
extension CLServiceSession.Diagnostics.Iterator: Sendable {}
