import Dispatch
import Glibc
import LinuxIO
import LocationEngine
import LocationRuntime
import Testing

@Suite("What was typed before a question")
struct TypedBeforeTests {
  /// A terminal of the test's own: what is written to `person` was typed, and what is read from it is on the screen.
  private struct Terminal {
    var person: Int32
    var program: Int32

    init?() {
      // posix_openpt(3) and its kin, which Swift's Glibc module does not show: TIOCSPTLCK and TIOCGPTN of ioctl_tty(2).
      person = open("/dev/ptmx", O_RDWR | O_NOCTTY)
      var isLocked: Int32 = 0
      var number: UInt32 = 0
      guard person >= 0, ioctl(person, 0x4004_5431, &isLocked) == 0, ioctl(person, 0x8004_5430, &number) == 0
      else { return nil }
      program = open("/dev/pts/\(number)", O_RDWR | O_NOCTTY)
      guard program >= 0 else { return nil }
    }

    func type(_ text: String) {
      _ = text.withCString { write(person, $0, strlen($0)) }
    }

    /// Waits until the screen shows `text`.
    func waitFor(_ text: String) {
      var screen = ""
      var byte: UInt8 = 0
      while !screen.contains(text), read(person, &byte, 1) == 1 { screen.unicodeScalars.append(Unicode.Scalar(byte)) }
    }
  }

  @Test("does not answer it: only what is typed while it stands there does")
  func typedBefore() throws {
    let terminal = try #require(Terminal())
    defer {
      close(terminal.person)
      close(terminal.program)
    }
    let prompt = Prompt(
      identifier: PromptIdentifier(1), app: AppIdentifier("org.example.walk"), kind: .first, usageText: "",
      choices: [.allowOnce, .allowWhileUsing, .doNotAllow], offersPreciseSwitch: false)
    terminal.type("2\n")
    terminal.type("1")
    // The echo: the terminal has what was typed.
    terminal.waitFor("2\r\n1")
    let answer = Locked<PromptAnswer?>(nil)
    let asked = DispatchGroup()
    DispatchQueue.global().async(group: asked) {
      let given = TerminalPrompter { _ in }.ask(TerminalQuestion(prompt), terminal: terminal.program)
      answer.withLock { $0 = given }
    }
    terminal.waitFor("> ")
    terminal.type("3\n")
    asked.wait()
    #expect(answer.withLock { $0 } == PromptAnswer(.doNotAllow))
  }
}
