import LocationEngine
import LocationModel
import Testing

@Suite("A modelled GNSS receiver")
struct GNSSMeterTests {
  private func at(_ seconds: Double) -> Instant { Instant.zero.advanced(bySeconds: seconds) }

  @Test("Its first start costs a cold search of 28 s at 190 mW, then it follows at 60 mW; a fix costs 20 mJ")
  func firstStart() {
    var meter = GNSSMeter()
    meter.setOn(true, at: at(0))
    let takesFix = meter.takesFix(at: at(0))
    #expect(takesFix, "a recording begins where its receiver had found itself")
    #expect(abs(meter.joules(at: at(100)) - (28 * 0.190 + 72 * 0.060 + 0.020)) < 1e-12)
    #expect(meter.onSeconds(at: at(100)) == 100)
  }

  @Test("A fix that is handed over with others costs 2 mJ in place of 20, and weak signals cost 115 mW in place of 60")
  func collectedAndWeak() {
    var meter = GNSSMeter()
    meter.setOn(true, at: at(0))
    let isTaken = meter.takesFix(at: at(30), isCollected: true)
    meter.setWeak(true, at: at(50))
    #expect(isTaken)
    #expect(abs(meter.joules(at: at(60)) - (28 * 0.190 + 22 * 0.060 + 10 * 0.115 + 0.002)) < 1e-12)
  }

  @Test("Where nothing is heard it searches at 190 mW for as long as it is on, and is no nearer to a hot start")
  func findsNothing() {
    var meter = GNSSMeter()
    meter.setOn(true, at: at(0), findsNothing: true)
    let isTaken = meter.takesFix(at: at(60))
    meter.setOn(false, at: at(100))
    #expect(!isTaken && abs(meter.joules(at: at(100)) - 100 * 0.190) < 1e-12)
    meter.setOn(true, at: at(200))
    let isEarly = meter.takesFix(at: at(227))
    let isCold = meter.takesFix(at: at(228))
    #expect(!isEarly && isCold)
  }

  @Test(
    "After a sleep it searches 2 s where the last fix is two hours old, 6 s within four days, 28 s after that",
    arguments: [(7_200.0, 2.0), (7_201, 6), (345_600, 6), (345_601, 28)])
  func laterStarts(offSeconds: Double, searchSeconds: Double) {
    var meter = GNSSMeter()
    meter.setOn(true, at: at(0))
    meter.setOn(false, at: at(28))
    let isTakenWhileOff = meter.takesFix(at: at(29))
    #expect(!isTakenWhileOff)
    let start = 28 + offSeconds
    meter.setOn(true, at: at(start))
    let isTakenEarly = meter.takesFix(at: at(start + searchSeconds - 0.5))
    let isTakenThen = meter.takesFix(at: at(start + searchSeconds))
    #expect(!isTakenEarly && isTakenThen)
    meter.setOn(false, at: at(start + searchSeconds + 10))
    let expected = 28 * 0.190 + searchSeconds * 0.190 + 10 * 0.060 + 0.020
    #expect(abs(meter.joules(at: at(start + 1e6)) - expected) < 1e-9)
    #expect(meter.startCount == 2 && meter.onSeconds(at: at(1e9)) == 38 + searchSeconds)
  }
}
