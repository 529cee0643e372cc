import LocationModel

/// What receivers are needed for.
package enum ReceiverService: Hashable, Sendable {
  case standard, live, significantChanges, visits, regions, conditions
}

/// When somebody needs the device's next place.
package enum NextLook: Hashable, Sendable {
  case now
  case at(Instant)
  /// Not before the device moves.
  case onMovement
}

/// One reason to have receivers on.
struct ReceiverNeed {
  var service: ReceiverService
  var accuracy: DesiredAccuracy
  /// Until then this need lets the receivers sleep.
  var look: NextLook
  /// How far the device may go before it looks again, at the most.
  var spareMeters = 0.0
  /// A place nearer than this to the last one is no news.
  var quietMeters = 0.0
  /// Its places are told later, together (behaviour 2.50).
  var collects = false

  init(_ service: ReceiverService, _ accuracy: DesiredAccuracy, _ look: NextLook = .now) {
    self.service = service
    self.accuracy = accuracy
    self.look = look
  }

  /// Nil is now.
  var from: Instant? {
    switch look {
    case .now: nil
    case .at(let instant): instant
    case .onMovement: Instant(nanoseconds: .max)
    }
  }
}

/// One app that has receivers on: how fine, and since when without a break.
package struct ReceiverHolding: Hashable, Sendable {
  package var app: AppIdentifier
  package var accuracy: DesiredAccuracy
  package var since: Instant
}

/// What the planner has decided for one service of one app.
package struct ReceiverDecision: Hashable, Sendable {
  package var app: AppIdentifier
  package var service: ReceiverService
  package var accuracy: DesiredAccuracy
  package var look: NextLook
  /// Which receivers serve it when it looks.
  package var technologies: ReceiverTechnologies
}
