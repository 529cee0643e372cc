import LocationEngine
import LocationModel

/// When an app used location, and how; never where.
package struct AccessRecord: Hashable, Sendable {
  /// A word of the service that was used.
  package struct Service: RawRepresentable, Hashable, Sendable {
    package var rawValue: String

    package init(rawValue: String) {
      self.rawValue = rawValue
    }

    package static let standardUpdates = Service(rawValue: "standardUpdates")
    package static let oneLocation = Service(rawValue: "oneLocation")
    package static let significantChanges = Service(rawValue: "significantChanges")
    package static let visits = Service(rawValue: "visits")
    package static let regions = Service(rawValue: "regions")
    package static let beacons = Service(rawValue: "beacons")
  }

  package enum End: Hashable, Sendable {
    case ongoing
    case at(WallTime)
    /// The service ended before the app did: nobody saw when it stopped.
    case unknown
  }

  package var number: Int64
  package var app: AppIdentifier
  package var service: Service
  package var isPrecise: Bool
  package var begin: WallTime
  package var end: End

  package init(
    number: Int64, app: AppIdentifier, service: Service, isPrecise: Bool, begin: WallTime, end: End
  ) {
    self.number = number
    self.app = app
    self.service = service
    self.isPrecise = isPrecise
    self.begin = begin
    self.end = end
  }
}
