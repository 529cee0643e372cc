import LocationModel
import Testing

@testable import LocationFormats

@Suite("One fix an epoch from gpsd")
struct GPSDEpochsTests {
  private func report(_ second: Double, height: Double? = nil, speed: Double? = nil) -> GPSDPosition {
    GPSDPosition(
      mode: height == nil ? 2 : 3, time: WallTime(secondsSince1970: second), latitude: 1, longitude: 2,
      altitudeMeters: height, speedMetersPerSecond: speed)
  }

  private func at(_ seconds: Double) -> Instant { Instant.zero.advanced(bySeconds: seconds) }

  @Test("two reports of a moment that come together give one, with what both say")
  func together() {
    var epochs = GPSDEpochs()
    #expect(epochs.take(report(10, speed: 3), at: at(0)) == [])
    #expect(epochs.take(report(10, height: 50), at: at(0)) == [])
    #expect(epochs.deadline == at(GPSDEpochs.holdSeconds))
    #expect(epochs.expire(at: at(0.003)) == nil)
    #expect(epochs.expire(at: at(0.004)) == report(10, height: 50, speed: 3))
    #expect(epochs.deadline == nil)
    // Two were learned: the second of the next moment is given at once.
    #expect(epochs.take(report(11), at: at(1)) == [])
    #expect(epochs.take(report(11, height: 51), at: at(1.001)) == [report(11, height: 51)])
    #expect(epochs.deadline == nil)
  }

  @Test("once gpsd sends one report a moment it is given at once")
  func single() {
    var epochs = GPSDEpochs()
    #expect(epochs.take(report(10, height: 50), at: at(0)) == [])
    #expect(epochs.expire(at: at(0.004)) == report(10, height: 50))
    #expect(epochs.take(report(11, height: 50), at: at(1)) == [report(11, height: 50)])
    #expect(epochs.take(report(12, height: 50), at: at(2)) == [report(12, height: 50)])
  }

  @Test("on a slow line the second report is given where it adds a height, and dropped where it adds nothing")
  func slowLine() {
    var epochs = GPSDEpochs()
    _ = epochs.take(report(10), at: at(0))
    #expect(epochs.expire(at: at(0.004)) == report(10))
    #expect(epochs.take(report(10, height: 50), at: at(0.15)) == [report(10, height: 50)])
    #expect(epochs.take(report(10, height: 50), at: at(0.2)) == [])
  }

  @Test("a held report is given before one of a later moment")
  func order() {
    var epochs = GPSDEpochs()
    _ = epochs.take(report(10), at: at(0))
    #expect(epochs.take(report(11), at: at(0.001)) == [report(10), report(11)])
  }

  // MARK: Reports without a time

  private let timeless = GPSDPosition(mode: 2, latitude: 1, longitude: 2)

  @Test("a first report that has no time yet makes room for the same fix with its time")
  func timelessBeforeTimed() {
    var epochs = GPSDEpochs()
    #expect(epochs.take(timeless, at: at(0)) == [])
    #expect(epochs.deadline == at(GPSDEpochs.timelessHoldSeconds))
    #expect(epochs.take(report(10), at: at(0.018)) == [])
    #expect(epochs.expire(at: at(0.022)) == report(10))
    #expect(epochs.expire(at: at(9)) == nil)
    #expect(epochs.deadline == nil)
  }

  @Test("a report without time right behind a timed one is the same fix, and none of its own")
  func timelessBehindTimed() {
    var epochs = GPSDEpochs()
    _ = epochs.take(report(10), at: at(0))
    #expect(epochs.take(timeless, at: at(0.001)) == [])
    #expect(epochs.expire(at: at(0.004)) == report(10))
    #expect(epochs.take(timeless, at: at(0.3)) == [])
    #expect(epochs.take(report(11), at: at(1)) == [report(11)])
  }

  @Test("a receiver that tells no time at all is heard: its first report late, the others at once (NM-08)")
  func timelessReceiver() {
    var epochs = GPSDEpochs()
    #expect(epochs.take(timeless, at: at(0)) == [])
    #expect(epochs.expire(at: at(GPSDEpochs.timelessHoldSeconds)) == timeless)
    for second in 1...3 { #expect(epochs.take(timeless, at: at(Double(second))) == [timeless]) }
    #expect(epochs.deadline == nil)
    // Ten a second: the first is given with the second.
    var quick = GPSDEpochs()
    #expect(quick.take(timeless, at: at(0)) == [])
    #expect(quick.take(timeless, at: at(0.1)) == [timeless, timeless])
  }

  @Test("a receiver that loses its time goes on without it")
  func timeLost() {
    var epochs = GPSDEpochs()
    _ = epochs.take(report(10), at: at(0))
    _ = epochs.expire(at: at(1))
    #expect(epochs.take(timeless, at: at(1.1)) == [])
    #expect(epochs.take(timeless, at: at(2.1)) == [timeless, timeless])
    #expect(epochs.take(report(12), at: at(3)) == [report(12)])
  }

  @Test("that there is no fix is told at once, whatever was held")
  func timelessWithoutFix() {
    var epochs = GPSDEpochs()
    let nothing = GPSDPosition(mode: 1)
    #expect(epochs.take(nothing, at: at(0)) == [nothing])
    #expect(epochs.take(timeless, at: at(0.1)) == [])
    #expect(epochs.take(nothing, at: at(0.2)) == [timeless, nothing])
  }
}
