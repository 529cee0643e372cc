/// Who has connected and was not looked at yet: in a bounded number, whoever calls, since each has files of the service
/// and a look at a process costs more than a call.
struct Callers {
  /// Of one user. More than honest programs have at once, and looked at in a fraction of a second.
  static let ofUserMax = 128
  /// Of all users together.
  static let max = 1_024

  private var countByUser: [UInt32: Int] = [:]
  private(set) var count = 0

  func count(of user: UInt32) -> Int { countByUser[user] ?? 0 }

  mutating func came(_ user: UInt32) {
    countByUser[user, default: 0] += 1
    count += 1
  }

  mutating func wasLookedAt(_ user: UInt32) {
    guard let ofUser = countByUser[user] else { return }
    countByUser[user] = ofUser > 1 ? ofUser - 1 : nil
    count -= 1
  }
}
