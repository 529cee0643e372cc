/// What a test expects. A failure is thrown, so that every test library reports it, and tells what has happened.
extension SimulatedDevice {
  /// Throws `SimulationFailure` with the sentence, the log and the line of the test where something is not so.
  public func expect(
    _ sentence: String, fileID: StaticString = #fileID, line: UInt = #line, _ isSo: () throws -> Bool
  ) throws {
    guard try isSo() else {
      let moment = elapsed == .zero ? "the start" : "\(now)"
      throw failure("Not so at \(moment): \(sentence)", fileID, line)
    }
  }

  /// What happened so far, a line an event, with the device's time.
  public var log: [String] { events.lines }

  /// - Parameter fileID: the test's file, and with `line` the place in it that a reader is to look at.
  func failure(_ sentence: String, _ fileID: StaticString, _ line: UInt) -> SimulationFailure {
    SimulationFailure(sentence: sentence, log: log, place: "\(fileID):\(line)")
  }
}
