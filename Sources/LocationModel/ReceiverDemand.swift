/// What the receivers are wanted for: the finest of all live wishes.
package struct ReceiverDemand: Hashable, Sendable {
  package var accuracy: DesiredAccuracy

  package init(accuracy: DesiredAccuracy) {
    self.accuracy = accuracy
  }
}

/// What the receivers can do now.
package enum ReceiverState: Hashable, Sendable {
  case searching
  case fixing
  /// There is no receiver, or it was lost, or its recording ended. Fixes may come again.
  case unavailable
  /// Whoever has the receivers does not let this app have them, as a desktop's location service may (cases GC-01).
  case refused
}
