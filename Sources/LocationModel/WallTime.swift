/// A civil moment: nanoseconds since 1970-01-01T00:00:00Z, without leap seconds.
///
/// Holds the years 1678 to 2261. Times outside are refused where they are read, never wrapped.
package struct WallTime: Comparable, Hashable, Sendable {
  package var nanosecondsSince1970: Int64

  package init(nanosecondsSince1970: Int64) {
    self.nanosecondsSince1970 = nanosecondsSince1970
  }

  package init(secondsSince1970: Double) {
    nanosecondsSince1970 = nanosecondsClamped(fromSeconds: secondsSince1970)
  }

  package var secondsSince1970: Double {
    Double(nanosecondsSince1970) / 1e9
  }

  package static func < (left: WallTime, right: WallTime) -> Bool {
    left.nanosecondsSince1970 < right.nanosecondsSince1970
  }

  package func advanced(byNanoseconds nanoseconds: Int64) -> WallTime {
    WallTime(nanosecondsSince1970: nanosecondsSince1970.addingClamped(nanoseconds))
  }

  package func advanced(bySeconds seconds: Double) -> WallTime {
    advanced(byNanoseconds: nanosecondsClamped(fromSeconds: seconds))
  }

  /// Seconds from `earlier` to this moment.
  package func seconds(since earlier: WallTime) -> Double {
    Double(nanosecondsSince1970.subtractingClamped(earlier.nanosecondsSince1970)) / 1e9
  }
}
