/// A recording and its next fix. Belongs to one thread at a time.
final class RecordingReel {
  private enum Content {
    case closed(() throws(ReplayError) -> ReplaySchedule)
    case open(ReplaySchedule)
  }

  private var content: Content
  /// The next fix, once loaded.
  private(set) var upcoming: ScheduledFix?
  /// Nothing is left; `failure` says what cut the recording short, if anything did.
  private(set) var isOver = false
  private(set) var failure: ReplayError?

  init(_ schedule: ReplaySchedule) {
    content = .open(schedule)
  }

  init(opening open: @escaping () throws(ReplayError) -> ReplaySchedule) {
    content = .closed(open)
  }

  /// Sees to it that the next fix is there, or that the recording is over. Waits where a pipe makes it wait.
  func load() {
    guard upcoming == nil, !isOver else { return }
    do {
      upcoming = try schedule().next()
    } catch {
      failure = error
    }
    isOver = upcoming == nil
  }

  private func schedule() throws(ReplayError) -> ReplaySchedule {
    switch content {
    case .open(let schedule): return schedule
    case .closed(let open):
      let schedule = try open()
      content = .open(schedule)
      return schedule
    }
  }

  func drop() {
    upcoming = nil
  }

  /// What a person should hear about the part that has been read.
  var notices: [ReplayNotice] {
    if case .open(let schedule) = content { return schedule.notices }
    return []
  }
}
