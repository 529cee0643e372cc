import LinuxIO
import LocationEngine
import LocationRuntime
import XCTest

/// Prompts in notifications of a desktop. XCTest, since these tests wait for other processes and block their thread.
final class DesktopPrompterTests: XCTestCase {
  /// A prompter at a desktop, and what it hears of the person.
  private final class Bench: Sendable {
    let heard = EventLog<String>()
    let seen = EventLog<PromptIdentifier>()
    let ended = EventLog<String>()
    let prompter: DesktopPrompter

    init(on bus: PrivateBus) throws {
      prompter = try DesktopPrompter(address: bus.address, ended: { [ended] in ended.add($0) })
    }

    deinit { prompter.close() }

    func show(_ prompt: Prompt) {
      prompter.show(
        prompt,
        shown: { [seen] in seen.add(prompt.identifier) },
        answer: { [heard] in heard.add("\($0.choice)\($0.isPrecise ? "" : " approximate")") },
        putOff: { [heard] in heard.add("put off") })
    }
  }

  private func prompt(
    _ number: UInt64 = 1, kind: Prompt.Kind = .first, text: String = "To show where you are.",
    choices: [PromptChoice] = [.allowWhileUsing, .allowOnce, .doNotAllow], offersPrecise: Bool = true
  ) -> Prompt {
    Prompt(
      identifier: PromptIdentifier(number), app: AppIdentifier("org.example.walk", userNumber: 1_000), kind: kind,
      usageText: text, choices: choices, offersPreciseSwitch: offersPrecise)
  }

  func test_a_prompt_is_a_notification_that_stays_and_a_button_answers_it_once() throws {
    let bus = try PrivateBus()
    let desktop = try FakeDesktop(on: bus)
    let bench = try Bench(on: bus)
    bench.show(prompt())
    let shown = try desktop.notification(1)
    XCTAssertEqual(shown.summary, "Allow org.example.walk to use your location?")
    XCTAssertEqual(
      shown.actions,
      [
        "choice-1", "Allow While Using App", "choice-2", "Allow Once", "choice-3", "Don't Allow", "precise",
        "Precise: On", "default", "Switch Precise",
      ])
    bench.seen.wait("the notification is on the screen") { $0 == [PromptIdentifier(1)] }
    XCTAssertEqual(shown.urgency, 2)
    XCTAssertEqual(shown.expiresAfterMilliseconds, 0)
    desktop.press("choice-2", of: shown.number)
    bench.heard.wait(for: "allowOnce")
    desktop.closed.wait(for: shown.number)
    // What comes late of a notification that is gone counts for nothing.
    desktop.press("choice-1", of: shown.number)
    bench.show(prompt(2))
    desktop.press("choice-3", of: try desktop.notification(2).number)
    bench.heard.wait(for: "doNotAllow")
    XCTAssertEqual(bench.heard.all, ["allowOnce", "doNotAllow"])
  }

  func test_precise_is_switched_by_its_button_or_a_click_on_the_text_and_goes_with_the_answer() throws {
    let bus = try PrivateBus()
    let desktop = try FakeDesktop(on: bus)
    let bench = try Bench(on: bus)
    bench.show(prompt())
    var shown = try desktop.notification(1)
    for (count, key) in [(2, "precise"), (3, "default"), (4, "default")] {
      desktop.press(key, of: shown.number)
      desktop.closed.wait(for: shown.number)
      shown = try desktop.notification(count)
      XCTAssertEqual(shown.actions.contains("Precise: Off"), count != 3)
    }
    desktop.press("choice-1", of: shown.number)
    bench.heard.wait(for: "allowWhileUsing approximate")
    XCTAssertEqual(bench.heard.all.count, 1)
  }

  func test_an_apps_entry_shows_how_things_stand_with_a_button_for_each_change() throws {
    let bus = try PrivateBus()
    let desktop = try FakeDesktop(on: bus)
    let bench = try Bench(on: bus)
    let settings = AppSettings(level: .whenInUse, isPrecise: true, allowsBackgroundRefresh: true)
    bench.show(
      prompt(
        kind: .settings(settings), text: "",
        choices: [.level(.always), .level(.denied), .precise(false), .backgroundRefresh(false), .done].map {
          .settings($0)
        }, offersPrecise: false))
    let shown = try desktop.notification(1)
    XCTAssertEqual(shown.summary, "Settings of org.example.walk")
    XCTAssertEqual(
      shown.body, "Location: While Using the App\nPrecise Location: On\nBackground App Refresh: On")
    XCTAssertEqual(
      shown.actions,
      [
        "choice-1", "Always", "choice-2", "Never", "choice-3", "Turn Precise Location Off", "choice-4",
        "Turn Background App Refresh Off", "choice-5", "Done",
      ])
    desktop.press("choice-2", of: shown.number)
    bench.heard.wait(for: "\(PromptChoice.settings(.level(.denied)))")
  }

  func test_the_second_question_offers_always_and_no_switch() throws {
    let bus = try PrivateBus()
    let desktop = try FakeDesktop(on: bus)
    let bench = try Bench(on: bus)
    bench.show(prompt(kind: .escalation, choices: [.keepWhileUsing, .changeToAlways], offersPrecise: false))
    let shown = try desktop.notification(1)
    XCTAssertEqual(shown.actions, ["choice-1", "Keep Only While Using", "choice-2", "Change to Always Allow"])
    desktop.press("default", of: shown.number)
    desktop.press("choice-2", of: shown.number)
    bench.heard.wait(for: "changeToAlways")
    XCTAssertEqual(bench.heard.all.count, 1)
  }

  func test_an_app_s_text_is_text_without_control_characters_and_500_characters_long_at_most() throws {
    let bus = try PrivateBus()
    let desktop = try FakeDesktop(on: bus)
    let bench = try Bench(on: bus)
    let hostile = "<b>R&D</b>\u{1B}[2J\u{202E}\n<a href='x'>y</a>"
    bench.show(prompt(text: hostile + String(repeating: "z", count: 1_000), offersPrecise: false))
    let body = try desktop.notification(1).body
    XCTAssertTrue(body.hasPrefix("&lt;b&gt;R&amp;D&lt;/b&gt;[2J&lt;a href='x'&gt;y&lt;/a&gt;zzz"), body)
    let text = body.replacing("&lt;", with: "<").replacing("&gt;", with: ">").replacing("&amp;", with: "&")
    XCTAssertEqual(text.count, 500)
  }

  func test_a_server_that_reads_no_markup_is_given_none() throws {
    let bus = try PrivateBus()
    let desktop = try FakeDesktop(on: bus, capabilities: ["actions", "body"])
    let bench = try Bench(on: bus)
    bench.show(prompt(text: "R&D <3", offersPrecise: false))
    XCTAssertEqual(try desktop.notification(1).body, "R&D <3")
  }

  func test_a_notification_that_is_closed_without_an_answer_is_put_off() throws {
    let bus = try PrivateBus()
    let desktop = try FakeDesktop(on: bus)
    let bench = try Bench(on: bus)
    for (count, reason) in [(1, 1), (2, 2), (3, 4)] as [(Int, UInt32)] {
      bench.show(prompt(UInt64(count)))
      desktop.close(try desktop.notification(count).number, reason: reason)
      bench.heard.wait(for: "put off", count: count)
    }
  }

  func test_a_prompt_that_is_withdrawn_leaves_the_screen_and_is_not_put_off() throws {
    let bus = try PrivateBus()
    let desktop = try FakeDesktop(on: bus)
    let bench = try Bench(on: bus)
    bench.show(prompt())
    let number = try desktop.notification(1).number
    bench.prompter.withdraw(PromptIdentifier(2))
    bench.prompter.withdraw(PromptIdentifier(1))
    desktop.closed.wait(for: number)
    bench.show(prompt(2))
    desktop.press("choice-1", of: try desktop.notification(2).number)
    bench.heard.wait(for: "allowWhileUsing")
    XCTAssertEqual(bench.heard.all.count, 1)
    XCTAssertEqual(desktop.closed.all.first, number)
  }

  func test_without_buttons_or_without_a_desktop_it_says_so() throws {
    let bus = try PrivateBus()
    func failure() -> String {
      do throws(DesktopPrompter.Failure) {
        try DesktopPrompter(address: bus.address, ended: { _ in }).close()
        return ""
      } catch {
        return error.description
      }
    }
    XCTAssertTrue(failure().hasPrefix("nothing on this desktop shows notifications"), failure())
    let desktop = try FakeDesktop(on: bus, capabilities: ["body", "body-markup"])
    XCTAssertEqual(
      failure(), "the notifications of this desktop show no buttons, so that none could be answered")
    XCTAssertEqual(desktop.notifications.all, [])
    bus.stop()
    XCTAssertTrue(failure().contains("does not answer") || failure().contains("nothing"), failure())
  }

  func test_a_desktop_that_goes_puts_the_question_off_and_one_that_comes_back_is_asked() throws {
    let bus = try PrivateBus()
    let first = try FakeDesktop(on: bus)
    let bench = try Bench(on: bus)
    bench.show(prompt())
    _ = try first.notification(1)
    first.stop()
    bench.heard.wait(for: "put off")
    let seen = bench.seen.all.count
    bench.show(prompt())
    bench.heard.wait(for: "put off", count: 2)
    XCTAssertEqual(bench.seen.all.count, seen, "nobody has seen what no desktop could show")
    let second = try FakeDesktop(on: bus)
    bench.show(prompt())
    second.press("choice-3", of: try second.notification(1).number)
    bench.heard.wait(for: "doNotAllow")
    bus.stop()
    bench.ended.wait("the end of the session") { !$0.isEmpty }
  }

  func test_the_services_alert_has_a_button_that_turns_them_on() throws {
    let bus = try PrivateBus()
    let desktop = try FakeDesktop(on: bus)
    let bench = try Bench(on: bus)
    let turnOn: @Sendable () -> Void = { [heard = bench.heard] in heard.add("turn on") }
    bench.prompter.showServicesAlert(for: AppIdentifier("org.example.<walk>"), turnOn: turnOn)
    let shown = try desktop.notification(1)
    XCTAssertEqual(shown.summary, "Turn on Location Services?")
    XCTAssertEqual(shown.body, "org.example.&lt;walk&gt; wants your location.")
    XCTAssertEqual(shown.actions, ["turn-on", "Turn On", "not-now", "Not Now"])
    desktop.press("turn-on", of: shown.number)
    bench.heard.wait(for: "turn on")
    bench.prompter.showServicesAlert(for: AppIdentifier("b"), turnOn: turnOn)
    desktop.press("not-now", of: try desktop.notification(2).number)
    bench.prompter.tell("a & b")
    XCTAssertEqual(try desktop.notification(3).body, "a &amp; b")
    XCTAssertEqual(bench.heard.all, ["turn on"])
  }
}
