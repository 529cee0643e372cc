import Foundation
import Glibc
import LinuxIO
import LocationEngine
import LocationModel
import LocationRuntime

/// A client that waits for what it is told, in the test's own thread. For XCTest only.
final class WireProbe {
  let descriptor: Int32
  private(set) var hasEnded = false
  /// Every byte that the service has sent.
  private(set) var allBytes: [UInt8] = []
  private var frames = FrameReader(bytesMax: WireFrame.serverBytesMax)

  init(_ path: String) throws {
    descriptor = try Syscalls.connectLocally(to: path)
  }

  /// A tool that has been greeted.
  static func tool(_ path: String) throws -> WireProbe {
    let probe = try WireProbe(path)
    probe.say(.hello(version: wireProtocolVersion, .tool))
    guard probe.wait(secondsMax: 10, until: { $0 == .toolGreeting }) != nil else {
      throw RunningDaemon.Failure(description: "no greeting")
    }
    return probe
  }

  /// An app with one manager that asks for permission and begins updates.
  static func app(_ path: String, _ requests: Request...) throws -> WireProbe {
    let probe = try WireProbe(path)
    var app = AppDescription(identifier: AppIdentifier("forged"))
    app.whenInUseUsage = "To show where you are."
    probe.say(.hello(version: wireProtocolVersion, .app(app)), .addManager(1))
    for request in requests { probe.say(.request(request, manager: 1)) }
    return probe
  }

  deinit { close(descriptor) }

  /// - Returns: whether all of it was taken.
  @discardableResult
  func say(_ messages: ClientMessage...) -> Bool {
    say(bytes: messages.flatMap { WireFrame.encode($0) })
  }

  /// Waits where there is no room.
  @discardableResult
  func say(bytes: [UInt8]) -> Bool {
    var rest = bytes[...]
    while !rest.isEmpty {
      let sent = rest.withUnsafeBytes {
        send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL | MSG_DONTWAIT))
      }
      if sent > 0 { rest.removeFirst(sent) }
      guard sent <= 0 else { continue }
      var room = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
      guard errno == EAGAIN, poll(&room, 1, 5_000) > 0, room.revents & Int16(POLLHUP | POLLERR) == 0 else {
        return false
      }
    }
    return true
  }

  /// The next message; nil where none comes in time or ever.
  func next(secondsMax: Double) -> ServerMessage? {
    let end = Date(timeIntervalSinceNow: secondsMax)
    while true {
      if let frame = try? frames.next() { return try? FrameReader.decode(frame, as: ServerMessage.self) }
      guard !hasEnded, Date() <= end, receive(until: end) else { return nil }
    }
  }

  private func receive(until end: Date) -> Bool {
    var bytes = [UInt8](repeating: 0, count: 16_384)
    var news = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    guard poll(&news, 1, Int32(max(0, end.timeIntervalSinceNow * 1_000))) > 0 else { return false }
    let count = recv(descriptor, &bytes, bytes.count, Int32(MSG_DONTWAIT))
    guard count > 0 else {
      hasEnded = true
      return false
    }
    allBytes += bytes[..<count]
    bytes.withUnsafeBytes { frames.append(UnsafeRawBufferPointer(rebasing: $0[..<count])) }
    return true
  }

  /// The first message that is meant; those before it are passed over.
  func wait(secondsMax: Double, until isMeant: (ServerMessage) -> Bool) -> ServerMessage? {
    let end = Date(timeIntervalSinceNow: secondsMax)
    while let message = next(secondsMax: end.timeIntervalSinceNow) {
      if isMeant(message) { return message }
    }
    return nil
  }

  /// The next location.
  func nextFix(secondsMax: Double) -> Fix? {
    let message = wait(secondsMax: secondsMax) { if case .event(.locationsUpdated, _) = $0 { true } else { false } }
    guard case .event(.locationsUpdated(let fixes, _), _) = message else { return nil }
    return fixes.last
  }

  /// The answer to a command; nil where the service has gone.
  func ask(_ command: ServiceCommand) -> CommandAnswer? {
    guard say(.command(command, number: 7)) else { return nil }
    let message = wait(secondsMax: 20) { if case .answer(_, number: 7) = $0 { true } else { false } }
    guard case .answer(let answer, _) = message else { return nil }
    return answer
  }

  /// The rows of a table.
  func rows(_ command: ServiceCommand) -> [[String]]? {
    guard case .table(_, let rows) = ask(command) else { return nil }
    return rows
  }

  /// Sees whether the service ends the connection in time.
  func ends(secondsMax: Double) -> Bool {
    let end = Date(timeIntervalSinceNow: secondsMax)
    while !hasEnded, Date() < end { _ = next(secondsMax: end.timeIntervalSinceNow) }
    return hasEnded
  }
}
