import Dispatch
import Glibc
import LinuxIO
import LocationEngine

/// Asks on the terminal that controls the process, never on standard input. Without one the question stays open, and
/// one line says how to decide it otherwise.
package final class TerminalPrompter: PermissionPrompter {
  private let log: @Sendable (String) -> Void
  private let questions = Locked(Questions())
  private let hasLoggedMissingTerminal = Locked(false)
  private let queue = DispatchQueue(label: "corelocation.prompt")

  /// Those that wait or stand on the terminal, each with a number of its own: a service that was started again counts
  /// its prompts from the beginning.
  private struct Questions {
    var open: [PromptIdentifier: UInt64] = [:]
    var count: UInt64 = 0
  }

  package init(log: @escaping @Sendable (String) -> Void) {
    self.log = log
  }

  /// Whether there is somebody to ask.
  package static var hasTerminal: Bool {
    guard let terminal = openTerminal() else { return false }
    close(terminal)
    return true
  }

  package func show(_ prompt: Prompt, answer: @escaping @Sendable (PromptAnswer) -> Void) {
    guard Self.hasTerminal else { return logMissingTerminal(prompt) }
    show(prompt, answer: answer, putOff: {})
  }

  /// - Parameters:
  ///   - shown: is called once the question stands on the terminal.
  ///   - putOff: is called where nobody answers now: Control-D was typed, or the terminal is not to be had.
  package func show(
    _ prompt: Prompt, shown: @escaping @Sendable () -> Void = {}, answer: @escaping @Sendable (PromptAnswer) -> Void,
    putOff: @escaping @Sendable () -> Void
  ) {
    guard let terminal = Self.openTerminal() else { return putOff() }
    let number = questions.withLock { questions -> UInt64 in
      questions.count += 1
      questions.open[prompt.identifier] = questions.count
      return questions.count
    }
    let isOpen: @Sendable () -> Bool = { [questions] in
      questions.withLock { $0.open[prompt.identifier] == number }
    }
    queue.async { [self] in
      defer { close(terminal) }
      let given = ask(TerminalQuestion(prompt), terminal: terminal, shown: shown, isOpen: isOpen)
      // A question that was withdrawn has no answer and is not put off.
      let wasOpen = questions.withLock { questions -> Bool in
        guard questions.open[prompt.identifier] == number else { return false }
        questions.open[prompt.identifier] = nil
        return true
      }
      guard wasOpen else { return }
      if let given { answer(given) } else { putOff() }
    }
  }

  package func withdraw(_ prompt: PromptIdentifier) {
    questions.withLock { $0.open[prompt] = nil }
  }

  package func showLocationServicesAlert(for app: AppIdentifier) {
    log("\(app.name) wants your location, but Location Services is off for the whole device.")
  }

  /// The controlling terminal, if this process is in its foreground: a job in the background that reads from it would
  /// be stopped by the kernel.
  private static func openTerminal() -> Int32? {
    let terminal = open("/dev/tty", O_RDWR | O_CLOEXEC)
    guard terminal >= 0 else { return nil }
    guard tcgetpgrp(terminal) == getpgrp() else {
      close(terminal)
      return nil
    }
    return terminal
  }

  private func logMissingTerminal(_ prompt: Prompt) {
    let isFirst = hasLoggedMissingTerminal.withLock { logged in
      defer { logged = true }
      return !logged
    }
    guard isFirst else { return }
    log(
      "\(prompt.app.name) asks for your location, but there is no terminal to ask on: the status stays as it is. "
        + "Set CORELOCATION_AUTHORIZATION to \(AuthorizationSetting.expected).")
  }

  /// What was typed before the question stood there answers nothing. Nil where the question was withdrawn or the
  /// terminal went away.
  package func ask(
    _ question: TerminalQuestion, terminal: Int32, shown: () -> Void = {}, isOpen: () -> Bool = { true }
  ) -> PromptAnswer? {
    guard isOpen() else { return nil }
    tcflush(terminal, TCIFLUSH)
    write(question.text, to: terminal)
    shown()
    while true {
      guard let line = readLine(from: terminal, isOpen) else { return nil }
      if let answer = question.answer(to: line) { return answer }
      write(question.help, to: terminal)
    }
  }

  private func write(_ text: String, to terminal: Int32) {
    let bytes = Array(text.utf8)
    _ = bytes.withUnsafeBytes { Glibc.write(terminal, $0.baseAddress, $0.count) }
  }

  /// A line, looked for twice a second so that a withdrawn question ends; nil when it was withdrawn or the terminal
  /// went away.
  private func readLine(from terminal: Int32, _ isOpen: () -> Bool) -> String? {
    var line: [UInt8] = []
    while true {
      guard isOpen() else {
        write("\n(the question was withdrawn)\n", to: terminal)
        return nil
      }
      var poller = pollfd(fd: terminal, events: Int16(POLLIN), revents: 0)
      let ready = poll(&poller, 1, 500)
      if ready == 0 || (ready < 0 && errno == EINTR) { continue }
      var byte: UInt8 = 0
      guard ready > 0, read(terminal, &byte, 1) == 1 else { return nil }
      if byte == UInt8(ascii: "\n") { return String(decoding: line, as: UTF8.self) }
      if line.count < 80 { line.append(byte) }
    }
  }
}
