import Foundation

/// What a test expected and what happened instead: the sentence, then everything that the device and its app did. Of a
/// file that cannot be read it is the sentence alone.
public struct SimulationFailure: LocalizedError, CustomStringConvertible, Sendable {
  public let sentence: String
  /// The device's log at that moment, a line an event; empty where no device is concerned.
  public let log: [String]
  /// Where the test expected it, as `YourAppTests/TripMeterTests.swift:18`; nil where no expectation is concerned.
  public let place: String?
  private let isOfDevice: Bool

  /// Of a file: no device is concerned.
  init(sentence: String) {
    self.sentence = sentence
    log = []
    place = nil
    isOfDevice = false
  }

  init(sentence: String, log: [String], place: String? = nil) {
    self.sentence = sentence
    self.log = log
    self.place = place
    isOfDevice = true
  }

  public var description: String {
    let said = place.map { "\($0): \(sentence)" } ?? sentence
    guard isOfDevice else { return said }
    return "\(said)\n\nWhat happened on the device:\n" + (log.isEmpty ? "  nothing" : log.joined(separator: "\n"))
  }

  public var errorDescription: String? { description }
}
