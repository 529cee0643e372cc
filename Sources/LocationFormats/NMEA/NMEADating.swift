import LocationModel

/// How dates are treated.
package enum NMEADating: Equatable, Sendable {
  /// A recording: dates as they were written, two-digit years from 80 on in 19yy (cases NM-01, NM-03).
  case recorded
  /// A receiver now: a date before `floor` (the build's date, or a later one that is trusted) is impossible, and is
  /// moved by whole GPS week rollovers (case NM-01).
  case live(floor: WallTime)
}

/// Gives times of day their date.
///
/// A sentence without a date takes the date that puts it within 12 hours of the reference: the last time that was told,
/// else the clock or tag that the sentence came with. A new dated sentence resets the date, it adds nothing (NM-03).
struct NMEACalendar {
  /// 1024 weeks: after so long GPS's ten-bit week number begins again at 0.
  static let rolloverDays: Int64 = 7168
  static let dayNanoseconds: Int64 = 86_400_000_000_000

  let dating: NMEADating
  /// What the last sentence said or was given.
  private(set) var reference: WallTime?
  /// Where the date came from a sentence with a fix. Dates without one (a receiver still searching) give way to it.
  private(set) var isSure = false

  init(_ dating: NMEADating) {
    self.dating = dating
  }

  /// A dated sentence. Without a fix (`isSure` false) it counts only until one with a fix has come.
  mutating func set(days: Int64, timeOfDay: Int64, isSure: Bool, clock: WallTime?) {
    if self.isSure && !isSure { return }
    let days = plausible(days, clock: clock)
    guard days < 106_000 else { return }
    reference = WallTime(nanosecondsSince1970: days * Self.dayNanoseconds + timeOfDay)
    self.isSure = isSure
  }

  /// Nil where there is nothing to tell the date from.
  mutating func moment(timeOfDay: Int64, clock: WallTime?) -> WallTime? {
    guard let near = reference ?? clock.map(notBeforeFloor) else { return nil }
    let moment = Self.nearest(timeOfDay: timeOfDay, to: near)
    reference = moment
    return moment
  }

  /// Nothing tells a date and nothing will: `moment` counts from 2001-01-01 on.
  mutating func assumeDate(timeOfDay: Int64) {
    let days = InternetTime.daysSince1970(year: 2001, month: 1, day: 1)
    reference = WallTime(nanosecondsSince1970: days * Self.dayNanoseconds + timeOfDay)
  }

  static func nearest(timeOfDay: Int64, to near: WallTime) -> WallTime {
    let nanoseconds = near.nanosecondsSince1970
    let intoDay = ((nanoseconds % dayNanoseconds) + dayNanoseconds) % dayNanoseconds
    var difference = timeOfDay - intoDay
    if difference > dayNanoseconds / 2 { difference -= dayNanoseconds }
    if difference < -dayNanoseconds / 2 { difference += dayNanoseconds }
    return near.advanced(byNanoseconds: difference)
  }

  private func notBeforeFloor(_ clock: WallTime) -> WallTime {
    if case .live(let floor) = dating { return max(clock, floor) }
    return clock
  }

  /// Live, a day before the floor moves by the number of rollovers that brings it nearest to the reference (the clock,
  /// or the floor where the clock is before it) and not before the floor.
  private func plausible(_ days: Int64, clock: WallTime?) -> Int64 {
    guard case .live(let floor) = dating else { return days }
    let floorDays = floor.nanosecondsSince1970 / Self.dayNanoseconds
    guard days < floorDays else { return days }
    let near = max(clock ?? floor, floor).nanosecondsSince1970 / Self.dayNanoseconds
    let least = (floorDays - days + Self.rolloverDays - 1) / Self.rolloverDays
    let nearest = (near - days + Self.rolloverDays / 2) / Self.rolloverDays
    return days + max(least, nearest) * Self.rolloverDays
  }
}
