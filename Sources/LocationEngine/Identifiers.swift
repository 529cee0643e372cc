/// One app of one person, as the service knows it: a bundle identifier, else the path of the executable. All processes
/// of one identity are one app: one grant, one set of regions.
package struct AppIdentifier: Hashable, Comparable, Sendable {
  package var name: String
  /// The user whose app it is, where a service serves several; nil where it serves one.
  package var userNumber: UInt32?

  package init(_ name: String, userNumber: UInt32? = nil) {
    self.name = name
    self.userNumber = userNumber
  }

  /// By the bytes of the name: two paths that only look alike, since Unicode can write one letter in two ways, are two
  /// programs.
  package static func == (left: AppIdentifier, right: AppIdentifier) -> Bool {
    left.userNumber == right.userNumber && left.name.utf8.elementsEqual(right.name.utf8)
  }

  package func hash(into hasher: inout Hasher) {
    for byte in name.utf8 { hasher.combine(byte) }
    hasher.combine(userNumber)
  }

  package static func < (left: AppIdentifier, right: AppIdentifier) -> Bool {
    if left.name.utf8.elementsEqual(right.name.utf8) { return (left.userNumber ?? 0) < (right.userNumber ?? 0) }
    return left.name.utf8.lexicographicallyPrecedes(right.name.utf8)
  }
}

/// One connection of one process of an app.
package struct ClientIdentifier: Hashable, Comparable, Sendable {
  package var number: UInt64

  package init(_ number: UInt64) {
    self.number = number
  }

  package static func < (left: ClientIdentifier, right: ClientIdentifier) -> Bool {
    left.number < right.number
  }
}

/// One location manager of one client.
package struct ManagerIdentifier: Hashable, Comparable, Sendable {
  package var client: ClientIdentifier
  package var number: UInt64

  /// Managers with this bit in their number are streams: a task takes their events, and no delegate. Live updates,
  /// monitors and sessions are such; they hear only what they asked for.
  package static let streamBit: UInt64 = 1 << 63

  package var isStream: Bool { number & Self.streamBit != 0 }

  package init(client: ClientIdentifier, number: UInt64) {
    self.client = client
    self.number = number
  }

  package static func < (left: ManagerIdentifier, right: ManagerIdentifier) -> Bool {
    (left.client, left.number) < (right.client, right.number)
  }
}

/// One question on the person's screen.
package struct PromptIdentifier: Hashable, Sendable {
  package var number: UInt64

  package init(_ number: UInt64) {
    self.number = number
  }
}

/// One call that waits for its completion, numbered by the client.
package struct CompletionIdentifier: Hashable, Sendable {
  package var number: UInt64

  package init(_ number: UInt64) {
    self.number = number
  }
}
