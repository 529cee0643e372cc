import LocationModel
import LocationRuntime
import Testing

@Suite("Along a recording a motion sensor feels movements at once, and a rest when it has lasted")
struct RecordedMotionTests {
  private static let place = Coordinate(latitude: 47.5, longitude: 19.2)

  private func fix(meters: Double, accuracyMeters: Double = 5, speed: Double? = nil) -> Fix {
    Fix(
      coordinate: Geodesic.destination(from: Self.place, azimuthDegrees: 0, distanceMeters: meters),
      horizontalAccuracyMeters: accuracyMeters, time: WallTime(secondsSince1970: 0),
      speedMetersPerSecond: speed)
  }

  private func instant(_ seconds: Double) -> Instant { Instant.zero.advanced(bySeconds: seconds) }

  @Test("nothing is known before the first fix; one without a speed says nothing, and what falls silent then rests")
  func unknown() {
    var motion = RecordedMotion(stillSeconds: 30)
    #expect(motion.motion(at: instant(1_000)) == .unknown && motion.nextChange(after: .zero) == nil)
    motion.passed(fix(meters: 0), at: .zero)
    // The five minutes that any silence may be a movement, and the sensor's own half minute.
    #expect(motion.motion(at: instant(329)) == .unknown && motion.motion(at: instant(330)) == .still)
    #expect(motion.nextChange(after: .zero) == instant(330))
  }

  @Test("half a metre a second is a movement, less is none", arguments: [(0.5, DeviceMotion.moving), (0.49, .still)])
  func speed(metersPerSecond: Double, expected: DeviceMotion) {
    var motion = RecordedMotion(stillSeconds: 30)
    for second in 0...30 {
      motion.passed(fix(meters: 0, speed: metersPerSecond), at: instant(Double(second)))
    }
    #expect(motion.motion(at: instant(30)) == expected)
  }

  @Test("a rest is felt 30 s after the first fix that rests, or that was due and did not come")
  func rest() {
    var motion = RecordedMotion(stillSeconds: 30)
    for second in 0...10 { motion.passed(fix(meters: 0, speed: 8), at: instant(Double(second))) }
    // The next is due at 11 s.
    #expect(motion.nextChange(after: instant(10)) == instant(41))
    motion.passed(fix(meters: 0, speed: 0), at: instant(10.5))
    #expect(motion.nextChange(after: instant(11)) == instant(40.5))
    #expect(motion.motion(at: instant(40)) == .moving && motion.motion(at: instant(40.5)) == .still)
    motion.passed(fix(meters: 8, speed: 8), at: instant(50))
    #expect(motion.motion(at: instant(50)) == .moving)
  }

  @Test("points that only jitter within their errors are a rest")
  func jitter() {
    var motion = RecordedMotion(stillSeconds: 30)
    for second in 0...600 {
      // To and fro by 9 m, 9 m/s, with 5 m of error at both ends.
      motion.passed(fix(meters: second % 2 == 0 ? 0 : 9), at: instant(Double(second)))
      #expect(motion.motion(at: instant(Double(second))) != .moving)
    }
    #expect(motion.motion(at: instant(600)) == .still)
  }

  @Test("a slow walk between poor points is no rest, though it takes a minute to leave their errors")
  func poorPoints() {
    var motion = RecordedMotion(stillSeconds: 30)
    // 0.8 m/s: more than the 40 m of two errors every 51 s.
    for second in 0...600 {
      motion.passed(fix(meters: 0.8 * Double(second), accuracyMeters: 20), at: instant(Double(second)))
      #expect(motion.motion(at: instant(Double(second))) == (second < 51 ? .unknown : .moving))
    }
  }

  @Test("a recorder that falls silent on the move is followed by movement for five minutes at most")
  func gaps() {
    var motion = RecordedMotion(stillSeconds: 30)
    motion.passed(fix(meters: 0, speed: 20), at: .zero)
    motion.passed(fix(meters: 12_000, speed: 20), at: instant(600))
    #expect(motion.nextChange(after: instant(600)) == instant(600 + 300 + 30))
  }
}
