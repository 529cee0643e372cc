/// How a command ended, for scripts (design 6).
enum ExitStatus: Int32, Sendable {
  case done = 0
  case failed = 1
  case wrongUsage = 2
  case permissionDenied = 3
  case noLocationInTime = 4
}

/// Why a command cannot do, or finish, what was asked: a sentence for a person and a status for a script.
struct CommandFailure: Error {
  var status: ExitStatus
  var message: String
  /// A second line: where right usage stands.
  var hint: String?

  static func failed(_ message: String) -> CommandFailure {
    CommandFailure(status: .failed, message: message)
  }

  static func wrongUsage(_ message: String) -> CommandFailure {
    CommandFailure(status: .wrongUsage, message: message)
  }
}
