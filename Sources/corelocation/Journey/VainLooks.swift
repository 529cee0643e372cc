import LocationEngine
import LocationModel
import LocationRuntime

/// Looks for satellites that find nothing, in a gap of the recording: where they have become one like the other, many
/// can be passed over, and cost what so many of them cost.
///
/// Whoever asks now and then goes on asking in a gap of years, a million times.
struct VainLooks {
  /// One look and the rest after it.
  struct Cycle {
    var nanoseconds: Int64
    var joules: Double
    var satelliteSeconds: Double
  }

  private struct End {
    var at: Instant
    var joules: ReceiverJoules
    var satelliteSeconds: Double
  }

  /// All that the service waits for has come by then, and the almanac has grown old.
  private static let settledSeconds = 604_800.0
  /// So many cycles alike in sequence count as a rule.
  private static let cyclesAlike = 4

  private let quietSeconds: Double
  private var newsAt = Instant.zero
  /// Of the last looks, the newest last.
  private var ends: [End] = []

  init(_ profile: DeviceProfile) {
    quietSeconds = max(Self.settledSeconds, 2 * profile.energy.satelliteWarmSecondsMax)
  }

  /// Something was found, or the app heard something.
  mutating func begin(at now: Instant) {
    newsAt = now
    ends = []
  }

  /// All receivers have been switched off.
  mutating func ended(at now: Instant, joules: ReceiverJoules, satelliteSeconds: Double) {
    ends.append(End(at: now, joules: joules, satelliteSeconds: satelliteSeconds))
    if ends.count > Self.cyclesAlike + 1 { ends.removeFirst() }
  }

  /// What repeats itself, where a look has just ended.
  func cycle(at now: Instant) -> Cycle? {
    guard ends.count > Self.cyclesAlike, ends.last?.at == now, now.seconds(since: newsAt) >= quietSeconds else {
      return nil
    }
    let cycles = zip(ends, ends.dropFirst()).map { before, after in
      let joules = after.joules.since(before.joules)
      return (
        Cycle(
          nanoseconds: after.at.nanoseconds - before.at.nanoseconds, joules: joules.satellite,
          satelliteSeconds: after.satelliteSeconds - before.satelliteSeconds),
        joules.wireless + joules.cell
      )
    }
    guard let first = cycles.first?.0, first.nanoseconds > 0 else { return nil }
    let areAlike = cycles.allSatisfy { cycle, others in
      others == 0 && cycle.nanoseconds == first.nanoseconds && abs(cycle.joules - first.joules) < 1e-5
        && abs(cycle.satelliteSeconds - first.satelliteSeconds) < 1e-5
    }
    return areAlike ? first : nil
  }
}
