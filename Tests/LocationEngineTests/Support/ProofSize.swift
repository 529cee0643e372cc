import Foundation

/// How much is tried: small by default, in full with `CORELOCATION_PROOF=full`. `CORELOCATION_SEED` sets the seed of
/// what is random.
enum ProofSize {
  static let isFull = ProcessInfo.processInfo.environment["CORELOCATION_PROOF"] == "full"
  static let seed = ProcessInfo.processInfo.environment["CORELOCATION_SEED"].flatMap { UInt64($0) }
}
