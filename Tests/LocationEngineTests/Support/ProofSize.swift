import Foundation

/// How much is tried: small by default, in full with `CORELOCATION_PROOF=full`. `CORELOCATION_SEED` sets the seed of
/// what is random; of many seeds that one alone is tried. `CORELOCATION_FIRST_SEED` begins the many elsewhere than
/// at 1.
enum ProofSize {
  static let isFull = ProcessInfo.processInfo.environment["CORELOCATION_PROOF"] == "full"
  static let seed = number("CORELOCATION_SEED")

  /// The seeds of a proof that tries so many.
  static func seeds(_ count: UInt64) -> Range<UInt64> {
    if let seed { return seed..<(seed + 1) }
    let first = number("CORELOCATION_FIRST_SEED") ?? 1
    return first..<(first + count)
  }

  /// How many of the last steps are printed of what failed.
  static let printedStepCount = seed == nil ? 6 : 1_000

  private static func number(_ name: String) -> UInt64? {
    ProcessInfo.processInfo.environment[name].flatMap { UInt64($0) }
  }
}
