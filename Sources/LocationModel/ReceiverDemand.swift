/// What the receivers are wanted for: the finest of all live wishes.
package struct ReceiverDemand: Hashable, Sendable {
  package var accuracy: DesiredAccuracy
  /// What may be switched on for it: in airplane mode nothing that needs a radio (behaviour 3.12).
  package var kinds: ReceiverKinds
  /// Which receivers of a device that has several are to run. A provider with one receiver, or whose service chooses by
  /// accuracy, has no use for it.
  package var technologies: ReceiverTechnologies
  /// A place nearer than this to the last one is no news: a receiver that can keep it to itself spares the host a
  /// wake-up.
  package var quietMeters: Double
  /// Places may be collected and handed over together, so that the host is seldom woken: everybody has deferred them.
  package var collects: Bool

  package init(
    accuracy: DesiredAccuracy, kinds: ReceiverKinds = .all, technologies: ReceiverTechnologies = .satellite,
    quietMeters: Double = 0, collects: Bool = false
  ) {
    self.collects = collects
    self.accuracy = accuracy
    self.kinds = kinds
    self.technologies = technologies
    self.quietMeters = quietMeters
  }
}

/// Ways to find a place, each with its cost and its error.
package struct ReceiverTechnologies: OptionSet, Hashable, Sendable {
  package let rawValue: UInt8

  package init(rawValue: UInt8) {
    self.rawValue = rawValue
  }

  package static let satellite = ReceiverTechnologies(rawValue: 1)
  /// Scans for the networks of Wi-Fi.
  package static let wireless = ReceiverTechnologies(rawValue: 2)
  /// The cell tower that the modem is served by.
  package static let cell = ReceiverTechnologies(rawValue: 4)
}

/// What a motion sensor says of the device.
package enum DeviceMotion: Hashable, Sendable {
  /// There is no sensor, or it has not said yet.
  case unknown
  /// It has not moved for as long as the sensor takes to say so.
  case still
  case moving
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
