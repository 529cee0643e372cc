/// One element of `liveUpdates`: a location, or the reason why there is none (behaviour 9.2, 9.4).
///
/// The service behind `liveUpdates` does not exist on Linux yet. It answers as on a device that has no way to tell its
/// place: one update without a location whose `locationUnavailable` is true (behaviour 9.5), then silence until the
/// iteration is cancelled. Use `CLLocationManager` meanwhile.
public struct CLLocationUpdate: Sendable {
  /// What the device carries while it moves.
  public enum LiveConfiguration {
    case `default`
    case automotiveNavigation
    case otherNavigation
    case fitness
    case airborne
  }

  /// Nil where no location could be delivered: the flags say why.
  public var location: CLLocation? { storedLocation }

  /// Whether the device rests, so that updates stop until it moves (behaviour 9.3).
  public var stationary: Bool { false }

  /// The older name of `stationary`.
  @available(*, deprecated, renamed: "stationary")
  public var isStationary: Bool { stationary }

  public var authorizationDenied: Bool { false }
  public var authorizationDeniedGlobally: Bool { false }
  public var authorizationRestricted: Bool { false }
  public var insufficientlyInUse: Bool { false }
  public var locationUnavailable: Bool { storedLocationUnavailable }
  public var accuracyLimited: Bool { false }
  public var serviceSessionRequired: Bool { false }
  public var authorizationRequestInProgress: Bool { false }

  private let storedLocation: CLLocation?
  private let storedLocationUnavailable: Bool

  static let unavailable = CLLocationUpdate(storedLocation: nil, storedLocationUnavailable: true)

  /// Updates for as long as they are iterated (behaviour 9.1).
  public static func liveUpdates(
    _ configuration: CLLocationUpdate.LiveConfiguration = .default
  ) -> CLLocationUpdate.Updates {
    Updates()
  }
}

extension CLLocationUpdate {
  public struct Updates: AsyncSequence, Sendable {
    public typealias Element = CLLocationUpdate
    public typealias Failure = any Error
    public typealias AsyncIterator = CLLocationUpdate.Updates.Iterator

    public struct Iterator: AsyncIteratorProtocol {
      public typealias Element = CLLocationUpdate.Updates.Element
      public typealias Failure = any Error

      private let queue = ElementQueue<CLLocationUpdate>()

      init() {
        queue.add(.unavailable)
      }

      /// Nil once the task is cancelled.
      public mutating func next() async throws -> CLLocationUpdate.Updates.Element? {
        await queue.next()
      }
    }

    public func makeAsyncIterator() -> CLLocationUpdate.Updates.Iterator {
      Iterator()
    }
  }
}

@available(*, unavailable)
extension CLLocationUpdate.Updates.Iterator: Sendable {}
