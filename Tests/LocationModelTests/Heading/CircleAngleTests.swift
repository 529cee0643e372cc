import LocationModel
import Testing

@Suite("Angles on a circle")
struct CircleAngleTests {
  @Test(
    "Every direction has one number from 0 to below 360",
    arguments: [(0.0, 0.0), (360, 0), (-1, 359), (725, 5), (-720, 0), (359.5, 359.5), (-1e-20, 0)])
  func normalized(degrees: Double, expected: Double) {
    #expect(CircleAngle.normalized(degrees) == expected)
  }

  @Test(
    "The difference is the shorter way (behaviour 7.4)",
    arguments: [
      (359.0, 1.0, 2.0), (1.0, 359.0, 2.0), (0.0, 180.0, 180.0), (10.0, 10.0, 0.0), (350.0, 20.0, 30.0),
      (-10.0, 370.0, 20.0),
    ])
  func difference(first: Double, second: Double, expected: Double) {
    #expect(abs(CircleAngle.difference(first, second) - expected) < 1e-12)
  }

  @Test("The mean of directions around north is north, not south; opposite directions have none")
  func mean() throws {
    #expect(CircleAngle.difference(try #require(CircleAngle.mean([350, 10])), 0) < 1e-9)
    #expect(CircleAngle.difference(try #require(CircleAngle.mean([355, 5, 15, 345, 0])), 0) < 1e-9)
    #expect(abs(try #require(CircleAngle.mean([80, 100, 90])) - 90) < 1e-9)
    #expect(CircleAngle.mean([0, 180]) == nil)
    #expect(CircleAngle.mean([Double]()) == nil)
  }
}
