import LocationModel
import Testing

@testable import LocationProviders

@Suite("Whose time a live fix bears")
struct ClockAgreementTests {
  private func keeps(_ clocks: inout ClockAgreement, _ differenceSeconds: Double, atSecond second: Double) -> Bool {
    clocks.keepsReceiverTime(
      differenceSeconds: differenceSeconds, at: Instant.zero.advanced(bySeconds: second))
  }

  @Test("fixes that waited while the program was stopped keep their own times")
  func backlog() {
    var clocks = ClockAgreement()
    let kept1 = keeps(&clocks, -0.1, atSecond: 0)
    #expect(kept1)
    // Stopped for 12 s: twelve fixes at once, 11.1 to 0.1 s old.
    for age in stride(from: 11.1, through: 0, by: -1) {
      let kept2 = keeps(&clocks, -age, atSecond: 12)
      #expect(kept2)
    }
    #expect(abs(clocks.differenceSeconds ?? .infinity) <= 2, "the wait is no difference of the clocks")
  }

  @Test("a receiver whose clock is an hour off, from the beginning or ahead, gets the time of arrival")
  func wrongClock() {
    var clocks = ClockAgreement()
    let kept3 = keeps(&clocks, -3_600, atSecond: 0)
    #expect(!kept3)
    #expect(clocks.differenceSeconds == -3_600)
    let kept4 = keeps(&clocks, 3_600, atSecond: 1)
    #expect(!kept4)
    let kept5 = keeps(&clocks, 0.5, atSecond: 2)
    #expect(kept5)
    let kept6 = keeps(&clocks, 3_600, atSecond: 3)
    #expect(!kept6, "no fix comes from the future")
  }

  @Test("a machine whose clock was set forward goes back to the time of arrival after a minute")
  func clockSetForward() {
    var clocks = ClockAgreement()
    let kept7 = keeps(&clocks, 0, atSecond: 0)
    #expect(kept7)
    let kept8 = keeps(&clocks, -3_600, atSecond: 60)
    #expect(kept8)
    let kept9 = keeps(&clocks, -3_600, atSecond: 61)
    #expect(!kept9)
  }
}
