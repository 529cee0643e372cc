import Dispatch
import LinuxIO
import LocationEngine

/// A person's tool at the service's socket: commands and their answers, or prompts and theirs.
///
/// Unlike an app it waits for the service and gives up where there is none.
package final class ToolConnection: @unchecked Sendable {
  package struct Failure: Error, Hashable, Sendable, CustomStringConvertible {
    package var description: String
    /// The service is there and has said why it does not serve this tool.
    package var isRefusal = false

    package init(description: String, isRefusal: Bool = false) {
      self.description = description
      self.isRefusal = isRefusal
    }
  }

  /// What comes without having been asked for.
  package enum News: Hashable, Sendable {
    case prompt(Prompt)
    case promptWithdrawn(PromptIdentifier)
    case servicesAlert(AppIdentifier)
    case promptAnswerRefused(PromptIdentifier, String)
    /// The service has ended the connection, and why if it said so.
    case ended(String?)
  }

  private struct State {
    var greeted = false
    var refusal: String?
    var hasEnded = false
    var answer: CommandAnswer?
    var heard: (@Sendable (News) -> Void)?
  }

  private let path: String
  private let stream: LocalStream
  private let queue = DispatchQueue(label: "corelocation.tool")
  private let state = Locked(State())
  private let arrived = DispatchSemaphore(value: 0)
  private var frames = FrameReader(bytesMax: WireFrame.serverBytesMax)

  /// Connects and is greeted.
  ///
  /// - Parameters:
  ///   - path: of the service's socket. Who serves it is looked at before anything is said (`ServerTrust`).
  ///   - heard: hears what comes without a question, on one thread.
  package init(
    path: String, heard: (@Sendable (News) -> Void)? = nil
  ) throws(Failure) {
    self.path = path
    do throws(SystemError) {
      stream = try LocalStream(try Syscalls.connectLocally(to: path), queue: queue)
    } catch {
      throw Failure(
        description:
          "no location service answers at \(path) (\(error.text)); start corelocationd, or name its socket in "
          + "CORELOCATION_SOCKET")
    }
    do throws(ServerTrustError) {
      try ServerTrust.check(stream.number, path: path)
    } catch {
      throw Failure(description: "nothing is said to \(path): \(error)")
    }
    state.withLock { $0.heard = heard }
    do throws(SystemError) {
      try stream.start(
        received: { [weak self] bytes, _ in self?.received(bytes) }, hasRoom: {},
        ended: { [weak self] _ in self?.ended() })
    } catch {
      throw Failure(description: "the location service's answers cannot be waited for (\(error))")
    }
    try send(.hello(version: wireProtocolVersion, .tool))
    try wait(secondsMax: 5) { $0.greeted }
  }

  deinit { stream.close() }

  package func close() { stream.close() }

  /// What the service answers.
  package func ask(_ command: ServiceCommand) throws(Failure) -> CommandAnswer {
    state.withLock { $0.answer = nil }
    try send(.command(command, number: 1))
    try wait(secondsMax: 30) { $0.answer != nil }
    return state.withLock { $0.answer } ?? .done
  }

  package func becomeAgent() throws(Failure) {
    try send(.becomeAgent)
  }

  package func answer(_ prompt: PromptIdentifier, with answer: PromptAnswer) throws(Failure) {
    try send(.answerPrompt(prompt, answer))
  }

  /// The prompt is before the person's eyes.
  package func tellShown(_ prompt: PromptIdentifier) throws(Failure) {
    try send(.promptShown(prompt))
  }

  /// The person has closed the prompt without an answer: it goes to another agent, or comes again later.
  package func putOff(_ prompt: PromptIdentifier) throws(Failure) {
    try send(.putOffPrompt(prompt))
  }

  private func send(_ message: ClientMessage) throws(Failure) {
    let bytes = WireFrame.encode(message)
    if let sent = try? bytes.withUnsafeBytes({ try stream.send($0) }), sent == bytes.count { return }
    // What the service said before it closed is read first: why.
    try wait(secondsMax: 1) { _ in false }
  }

  private func wait(secondsMax: Double, until isDone: (State) -> Bool) throws(Failure) {
    let end = DispatchTime.now() + secondsMax
    while true {
      let (done, gone) = state.withLock { (isDone($0), $0.hasEnded) }
      if done { return }
      if gone { throw lost() }
      guard arrived.wait(timeout: end) == .success else {
        throw Failure(description: "the location service at \(path) has not answered for \(Int(secondsMax)) s")
      }
    }
  }

  private func lost() -> Failure {
    let reason = state.withLock { $0.refusal }
    return Failure(
      description: reason.map { "the location service at \(path) refuses: \($0)" }
        ?? "the location service at \(path) ended the connection", isRefusal: reason != nil)
  }

  // MARK: On the queue

  private func received(_ bytes: UnsafeRawBufferPointer) {
    frames.append(bytes)
    do throws(WireError) {
      while let frame = try frames.next() { heard(try FrameReader.decode(frame)) }
    } catch {
      state.withLock { $0.refusal = "it does not speak protocol \(wireProtocolVersion): \(error)" }
      stream.close()
      ended()
    }
  }

  private func heard(_ message: ServerMessage) {
    switch message {
    case .toolGreeting: state.withLock { $0.greeted = true }
    case .refusal(let reason): state.withLock { $0.refusal = reason }
    case .answer(let answer, _): state.withLock { $0.answer = answer }
    case .prompt(let prompt): tell(.prompt(prompt))
    case .promptWithdrawn(let prompt): tell(.promptWithdrawn(prompt))
    case .servicesAlert(let app): tell(.servicesAlert(app))
    case .promptAnswerRefused(let prompt, let reason): tell(.promptAnswerRefused(prompt, reason))
    case .greeting, .event, .snapshot, .locationsDropped, .life, .settingsOpened, .order, .pipe: return
    }
    arrived.signal()
  }

  private func ended() {
    let reason = state.withLock { state -> String? in
      state.hasEnded = true
      return state.refusal
    }
    arrived.signal()
    tell(.ended(reason))
  }

  private func tell(_ news: News) {
    state.withLock { $0.heard }?(news)
  }
}
