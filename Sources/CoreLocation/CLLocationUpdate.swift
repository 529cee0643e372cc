import LocationEngine
import LocationModel

/// One element of `liveUpdates`: a location, or the reason why there is none (behaviour 9.2, 9.4).
public struct CLLocationUpdate: Sendable {
  /// What the device carries while it moves: navigation asks for the finest locations, and the kind of motion decides
  /// how long a rest makes the device stationary.
  public enum LiveConfiguration {
    case `default`
    case automotiveNavigation
    case otherNavigation
    case fitness
    case airborne
  }

  /// Nil where no location could be delivered: the flags say why.
  public var location: CLLocation? { storedLocation }

  private let storedLocation: CLLocation?
  private let diagnostics: ServiceDiagnostics

  init(_ update: LiveUpdate) {
    storedLocation = update.fix.map(CLLocation.init)
    diagnostics = update.diagnostics
  }

  /// Whether the device rests, so that this is the last update until it moves (behaviour 9.3).
  public var stationary: Bool { diagnostics.contains(.stationary) }

  /// The older name of `stationary`.
  @available(*, deprecated, renamed: "stationary")
  public var isStationary: Bool { stationary }

  public var authorizationDenied: Bool { diagnostics.contains(.authorizationDenied) }
  public var authorizationDeniedGlobally: Bool { diagnostics.contains(.authorizationDeniedGlobally) }
  public var authorizationRestricted: Bool { diagnostics.contains(.authorizationRestricted) }
  /// The app has While Using and is not in use.
  public var insufficientlyInUse: Bool { diagnostics.contains(.insufficientlyInUse) }
  public var locationUnavailable: Bool { diagnostics.contains(.locationUnavailable) }
  /// The app has no full accuracy: the next location may be a quarter of an hour away (behaviour 9.5).
  public var accuracyLimited: Bool { diagnostics.contains(.accuracyLimited) }
  /// The Info.plist demands a session of one's own, and there is none (behaviour 9.22).
  public var serviceSessionRequired: Bool { diagnostics.contains(.serviceSessionRequired) }
  /// The person is being asked.
  public var authorizationRequestInProgress: Bool { diagnostics.contains(.authorizationRequestInProgress) }

  /// What may be dropped first where a reader is slow.
  var isPlainLocation: Bool { diagnostics.subtracting(.accuracyLimited).isEmpty }

  /// Updates for as long as they are iterated: the first element that is asked for starts them, and the person is asked
  /// for permission where nothing is decided yet (behaviour 9.1, 9.22).
  public static func liveUpdates(
    _ configuration: CLLocationUpdate.LiveConfiguration = .default
  ) -> CLLocationUpdate.Updates {
    Updates(LiveUpdateConfiguration(configuration))
  }
}

extension CLLocationUpdate {
  public struct Updates: AsyncSequence, Sendable {
    public typealias Element = CLLocationUpdate
    public typealias Failure = any Error
    public typealias AsyncIterator = CLLocationUpdate.Updates.Iterator

    private let configuration: LiveUpdateConfiguration

    init(_ configuration: LiveUpdateConfiguration) {
      self.configuration = configuration
    }

    public struct Iterator: AsyncIteratorProtocol {
      public typealias Element = CLLocationUpdate.Updates.Element
      public typealias Failure = any Error

      private let listening: LiveListening

      init(_ configuration: LiveUpdateConfiguration) {
        listening = LiveListening(configuration)
      }

      /// Nil once the task is cancelled.
      public mutating func next() async throws -> CLLocationUpdate.Updates.Element? {
        try await next(isolation: nil)
      }

      /// What `for await` calls: the same, without leaving the caller's actor.
      public mutating func next(
        isolation actor: isolated (any Actor)?
      ) async throws -> CLLocationUpdate.Updates.Element? {
        await listening.next(isolation: actor)
      }
    }

    public func makeAsyncIterator() -> CLLocationUpdate.Updates.Iterator {
      Iterator(configuration)
    }
  }
}

@available(*, unavailable)
extension CLLocationUpdate.Updates.Iterator: Sendable {}
