/// What a test expected and what happened instead: the sentence, then everything that the device and its app did.
public struct SimulationFailure: Error, CustomStringConvertible, Sendable {
  public let sentence: String
  /// The device's log at that moment, a line an event.
  public let log: [String]

  public var description: String {
    "\(sentence)\n\nWhat happened on the device:\n" + (log.isEmpty ? "  nothing" : log.joined(separator: "\n"))
  }
}
