/// What the receivers are wanted for: the finest of all live wishes.
package struct ReceiverDemand: Hashable, Sendable {
  package var accuracy: DesiredAccuracy
  /// What may be switched on for it: in airplane mode nothing that needs a radio (behaviour 3.12).
  package var kinds: ReceiverKinds

  package init(accuracy: DesiredAccuracy, kinds: ReceiverKinds = .all) {
    self.accuracy = accuracy
    self.kinds = kinds
  }
}

/// Sorts of receivers, as far as airplane mode tells them apart.
package struct ReceiverKinds: OptionSet, Hashable, Sendable {
  package let rawValue: UInt8

  package init(rawValue: UInt8) {
    self.rawValue = rawValue
  }

  /// Behind a wire or a file: gpsd, serial ports, network streams, recordings. They send nothing.
  package static let wired = ReceiverKinds(rawValue: 1)
  /// Those that send, or ask a network: GeoClue.
  package static let radio = ReceiverKinds(rawValue: 2)
  package static let all: ReceiverKinds = [.wired, .radio]
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
