import LocationModel

/// A fix of a recording and when it plays, counted in the session's time from the first one.
package struct ScheduledFix: Hashable, Sendable {
  package var offsetNanoseconds: Int64
  package var fix: Fix

  package init(offsetNanoseconds: Int64, fix: Fix) {
    self.offsetNanoseconds = offsetNanoseconds
    self.fix = fix
  }
}
