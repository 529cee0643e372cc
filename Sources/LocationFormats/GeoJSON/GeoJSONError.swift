/// Why a file of regions cannot be used: where, what was expected, what was found.
package struct GeoJSONError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The feature, counted from 1 in the order of the file; nil where the trouble is the file's.
  package var feature: Int?
  /// A sentence without its full stop.
  package var sentence: String

  package var description: String {
    feature.map { "feature \($0): \(sentence)" } ?? sentence
  }
}
