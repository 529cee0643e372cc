/// Why a recording cannot be played, or not on: a sentence that names the file and, where there is one, the line.
package struct ReplayError: Error, Hashable, Sendable, CustomStringConvertible {
  package enum Reason: Sendable {
    case cannotOpen
    case cannotRead
    case isDirectory
    case isEmpty
    case notGPX
    /// The file ends in the middle; what came before the cut has been played.
    case cutShort
    case malformed
    case nothingToPlay
  }

  package var reason: Reason
  package var file: String
  package var line: Int?
  /// What is wrong and what would be right, without the file's name.
  package var explanation: String

  package var description: String {
    line.map { "\(file):\($0): \(explanation)" } ?? "\(file): \(explanation)"
  }
}
