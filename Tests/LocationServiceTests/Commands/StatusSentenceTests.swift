import LocationRuntime
import Testing

@testable import LocationService

@Suite("What the status says of the receivers")
struct StatusSentenceTests {
  @Test("Receivers that are off say for whom they are not on, so that it fits what is said of the apps")
  func off() {
    for (shownCount, words) in [
      (0, "nobody wants a location."), (1, "the app that uses location in the background needs none just now."),
      (2, "the 2 apps that use location in the background need none just now."),
    ] {
      #expect(
        LocationDaemon.sentence(.fixing, wantedBy: 0, shownBy: shownCount) == "The receivers are off: \(words)")
    }
    #expect(
      LocationDaemon.sentence(.fixing, wantedBy: 1, shownBy: 1) == "The receivers give fixes: one app wants locations.")
  }
}
