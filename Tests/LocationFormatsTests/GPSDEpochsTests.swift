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

  @Test("a held report is given before one of a later moment, and one without time at once")
  func order() {
    var epochs = GPSDEpochs()
    _ = epochs.take(report(10), at: at(0))
    #expect(epochs.take(report(11), at: at(0.001)) == [report(10), report(11)])
    let timeless = GPSDPosition(mode: 2, latitude: 1, longitude: 2)
    #expect(epochs.take(timeless, at: at(0.002)) == [timeless])
  }
}
