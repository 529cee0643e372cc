/// What a test expects. A failure is thrown, so that every test library reports it, and tells what has happened.
extension SimulatedDevice {
  /// Throws `SimulationFailure` with the sentence and the log where something is not so.
  public func expect(_ sentence: String, _ isSo: () throws -> Bool) throws {
    guard try isSo() else { throw failure("Not so at \(log.isEmpty ? "the start" : "\(now)"): \(sentence)") }
  }

  /// What happened so far, a line an event, with the device's time.
  public var log: [String] { events.lines }

  func failure(_ sentence: String) -> SimulationFailure {
    SimulationFailure(sentence: sentence, log: log)
  }
}
