/// Why a GPX file cannot be read on. What stands before `line` has been given out.
package struct GPXError: Error, Hashable, Sendable, CustomStringConvertible {
  package enum Reason: Sendable {
    /// Nothing, or white space alone, was given.
    case empty
    /// The first bytes are no XML, or the outermost element is not `gpx`.
    case notGPX
    /// The bytes end before the document does.
    case cutShort
    /// The XML is broken.
    case malformed
    /// Entities, nesting or one token beyond what a file of points needs.
    case beyondLimits
  }

  package var reason: Reason
  package var line: Int
  package var expected: String
  package var found: String

  package var description: String {
    "line \(line): expected \(expected), found \(found)"
  }
}

/// What was wrong with single points, counted by kind; the points around them are good.
package struct GPXComplaints: Hashable, Sendable {
  package struct Kind: Hashable, Sendable {
    package var count: Int
    package var firstLine: Int
    /// What was found the first time, at most 40 printable characters.
    package var firstFound: String
  }

  package init() {}

  /// Points without a readable place: left out.
  package var skippedPoints: Kind?
  /// Points whose date is unreadable: kept without time.
  package var malformedTimes: Kind?
  /// Points whose date is one, of a year that `WallTime` does not reach: kept without time.
  package var timesOutOfRange: Kind?
  /// Other values that are unreadable, or cannot be (`ValueLimits`): their points are kept without them.
  package var malformedValues: Kind?
}
