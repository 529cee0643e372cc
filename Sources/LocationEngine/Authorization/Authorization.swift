/// What an app is told of its permission: the status and the accuracy.
package struct Authorization: Hashable, Sendable {
  package var status: AuthorizationStatus
  package var accuracy: AccuracyAuthorization

  package init(status: AuthorizationStatus, accuracy: AccuracyAuthorization) {
    self.status = status
    self.accuracy = accuracy
  }

  package static let notDetermined = Authorization(status: .notDetermined, accuracy: .full)
}

/// Raw values are Apple's (behaviour 1.1).
package enum AuthorizationStatus: Int32, Sendable {
  case notDetermined = 0
  case restricted = 1
  case denied = 2
  case authorizedAlways = 3
  case authorizedWhenInUse = 4

  package var isAuthorized: Bool {
    self == .authorizedAlways || self == .authorizedWhenInUse
  }
}

/// Raw values are Apple's (behaviour 1.40).
package enum AccuracyAuthorization: Int, Sendable {
  case full = 0
  case reduced = 1
}
