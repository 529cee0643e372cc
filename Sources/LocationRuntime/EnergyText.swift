/// Joules for people: those of a day are joules, those of years megajoules.
package enum EnergyText {
  private static let units = ["J", "kJ", "MJ", "GJ", "TJ"]
  /// More than four digits before the dot are not read but counted.
  private static let joulesMax = 9_999.95

  /// Such as "24.8 J" and "106.7 MJ".
  package static func of(_ joules: Double, digits: Int = 1) -> String {
    var value = joules
    var unit = 0
    while value.magnitude >= joulesMax, unit + 1 < units.count {
      value /= 1_000
      unit += 1
    }
    return "\(DecimalText.fixed(value, digits: unit == 0 ? digits : 1)) \(units[unit])"
  }

  /// For a column whose head says joules: a larger unit is named all the same.
  package static func cell(_ joules: Double) -> String {
    joules.magnitude < joulesMax ? DecimalText.fixed(joules, digits: 1) : of(joules)
  }
}
