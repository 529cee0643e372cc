/// Something that an installed app is to hear of, whatever becomes of its process and of the service: it is kept until
/// a callback for it has returned.
package struct KeptEvent: Hashable, Sendable {
  package enum Content: Hashable, Sendable {
    case entered(Region)
    case exited(Region)
    /// As exact as the device knows it.
    case visited(Visit)
    /// A significant change of place while the app did not run.
    case moved(Fix)
  }

  /// Of one app; greater than that of every event before, never used again.
  package var number: UInt64
  package var content: Content

  package init(number: UInt64, content: Content) {
    self.number = number
    self.content = content
  }

  /// The region that it is about.
  package var regionIdentifier: String? {
    switch content {
    case .entered(let region), .exited(let region): region.identifier
    case .visited, .moved: nil
    }
  }
}
