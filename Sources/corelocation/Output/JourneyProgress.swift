import LinuxIO
import LocationFormats
import LocationModel

/// How far a simulated journey is, for a person who watches.
final class JourneyProgress: Sendable {
  private static let stepFixes = 10_000
  private let count = Locked(0)

  func reached(_ time: WallTime) {
    guard Messages.showsProgress else { return }
    let count = count.withLock { count -> Int in
      count += 1
      return count
    }
    if count % Self.stepFixes == 0 { Messages.progress("\(count) fixes, \(InternetTime.text(time))") }
  }

  func end() {
    Messages.endProgress()
  }
}
