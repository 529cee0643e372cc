import LocationEngine
import LocationRuntime
import Testing

@Suite("What the environment and a person may say")
struct SettingsTests {
  @Test(
    "CORELOCATION_AUTHORIZATION names a level, with \",reduced\" behind it",
    arguments: [
      ("notDetermined", Grant()), ("denied", Grant(level: .denied)), ("restricted", Grant(isRestricted: true)),
      ("whenInUse", Grant(level: .whenInUse)), ("always", Grant(level: .always, hasRequestedAlways: true)),
      ("whenInUse,reduced", Grant(level: .whenInUse, isPrecise: false)),
    ])
  func authorization(text: String, grant: Grant) {
    #expect(AuthorizationSetting(text)?.grant == grant)
  }

  @Test(
    "and anything else is not understood",
    arguments: ["", "WhenInUse", "whenInUse,", "whenInUse,coarse", "whenInUse,reduced,reduced", ",reduced", "yes"])
  func notUnderstood(text: String) {
    #expect(AuthorizationSetting(text) == nil)
  }

  private func prompt(_ usage: String, kind: Prompt.Kind = .first) -> Prompt {
    Prompt(
      identifier: PromptIdentifier(1), app: AppIdentifier("org.example.walk"), kind: kind, usageText: usage,
      choices: [.allowOnce, .allowWhileUsing, .doNotAllow], offersPreciseSwitch: kind == .first)
  }

  @Test(
    "A typed number answers a prompt, with r behind it for an approximate place",
    arguments: [
      ("1", PromptAnswer(.allowOnce)), (" 2 ", PromptAnswer(.allowWhileUsing)),
      ("2r", PromptAnswer(.allowWhileUsing, isPrecise: false)),
      ("2 R", PromptAnswer(.allowWhileUsing, isPrecise: false)),
      ("3", PromptAnswer(.doNotAllow)),
    ])
  func answers(line: String, answer: PromptAnswer) {
    #expect(TerminalQuestion(prompt("")).answer(to: line) == answer)
  }

  @Test("and anything else is asked again", arguments: ["", "0", "4", "y", "r", "-1", "1.0", "99999999999999999999"])
  func asksAgain(line: String) {
    #expect(TerminalQuestion(prompt("")).answer(to: line) == nil)
  }

  @Test("A usage text cannot rewrite the terminal: control characters are left out, 500 characters are shown")
  func printable() {
    let hostile = "ok\u{1b}[2J\r\n\u{202e}evil\u{7}" + String(repeating: "x", count: 1_000)
    let text = TerminalQuestion(prompt(hostile)).text
    #expect(!text.unicodeScalars.contains("\u{1b}"))
    #expect(!text.unicodeScalars.contains("\u{202e}"))
    #expect(!text.unicodeScalars.contains("\r"))
    #expect(text.contains("\"ok[2Jevilx"))
    #expect(text.count { $0 == "x" } <= 501)
  }

  @Test("After Allow Once a request for Always is told that it may be asked again, not that Settings must change it")
  func afterAllowOnce() {
    let app = AppIdentifier("org.example.walk")
    let sentence = Notice.requestIgnoredAfterAllowOnce(app, request: "requestAlwaysAuthorization()").sentence
    #expect(sentence.hasPrefix("requestAlwaysAuthorization() of org.example.walk did nothing: "))
    #expect(sentence.contains("allowed once"))
    #expect(sentence.contains("ask again"))
    #expect(!sentence.contains("Settings"))
  }

  @Test("A policy file chooses an era and changes single fields")
  func policy() throws {
    let folder = try TemporaryFolder()
    let file = try folder.write(
      "{\"era\": 8, \"requestLocationTimeoutSeconds\": 2.5, \"alwaysEscalation\": \"becomesProvisional\"}",
      to: "policy.json")
    var expected = Policy(era: .iOS8)
    expected.requestLocationTimeoutSeconds = 2.5
    expected.alwaysEscalation = .becomesProvisional
    #expect(try PolicyFile.read(file) == expected)
  }

  @Test(
    "A policy file that is wrong names itself, the field and what was expected",
    arguments: [
      ("{", "JSON object"), ("[]", "JSON object"), ("{\"era\": 7}", "8, 10, 13, 18"),
      ("{\"nonsense\": 1}", "nonsense"), ("{\"requestLocationTimeoutSeconds\": -1}", "seconds, 0 or more"),
      ("{\"requestLocationTimeoutSeconds\": \"soon\"}", "seconds, 0 or more"), ("{\"era\": 1e999}", "8, 10, 13, 18"),
      ("{\"era\": null}", "8, 10, 13, 18"), ("{\"era\": [18]}", "8, 10, 13, 18"),
    ])
  func wrongPolicy(text: String, word: String) throws {
    let folder = try TemporaryFolder()
    let file = try folder.write(text, to: "policy.json")
    do {
      _ = try PolicyFile.read(file)
      Issue.record("\(text) was accepted")
    } catch {
      #expect(error.description.hasPrefix(file))
      #expect(error.description.contains(word), "\(error.description)")
      // The words of a person, not Swift's names for its errors.
      #expect(!error.description.contains("Error"), "\(error.description)")
      #expect(!error.description.contains("Swift."), "\(error.description)")
    }
  }
}
