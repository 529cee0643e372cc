import LocationModel
import Testing

@Suite("The geofence index finds what measuring every circle finds")
struct GeofenceIndexProofTests {
  @Test("of circles that came all at once", arguments: Layout.allCases)
  func built(layout: Layout) throws {
    var numbers = SeededNumbers(state: GeofenceProof.seed)
    for circleCount in GeofenceProof.isFull ? [1, 40, 700, 4_000] : [1, 40, 700] {
      let circles = (0..<circleCount).map { layout.circle($0, &numbers) }
      let index = try GeofenceIndex(circles)
      let measured = MeasuredCircles(circles)
      for _ in 0..<(GeofenceProof.isFull ? 2_000 : 250) {
        let point = layout.point(near: circles, &numbers)
        // Sorted lists, not sets: a circle found twice is wrong too.
        #expect(
          try index.identifiers(at: point).sorted() == measured.identifiers(at: point),
          "\(layout), \(circleCount) circles, \(point), seed \(GeofenceProof.seed)")
      }
    }
  }

  @Test("while circles come, change and go", arguments: Layout.allCases)
  func changed(layout: Layout) throws {
    var numbers = SeededNumbers(state: GeofenceProof.seed &+ 1)
    let initial = (0..<150).map { layout.circle($0, &numbers) }
    var index = try GeofenceIndex(initial)
    var measured = MeasuredCircles(initial)
    for step in 0..<(GeofenceProof.isFull ? 20_000 : 1_200) {
      // Growing for some hundred steps, then shrinking: both ways of sorting anew are met.
      let growsNow = step / 400 % 2 == 0
      let identifier = Int.random(in: 0..<600, using: &numbers)
      if Int.random(in: 0..<10, using: &numbers) < (growsNow ? 8 : 2) {
        let circle = layout.circle(identifier, &numbers)
        #expect(try index.insert(circle) == measured.circles[identifier])
        measured.insert(circle)
      } else {
        #expect(index.remove(identifier) == measured.circles[identifier])
        measured.remove(identifier)
      }
      #expect(index.count == measured.circles.count)
      guard step % 5 == 0 else { continue }
      let point = layout.point(near: measured.circles.keys.sorted().compactMap { measured.circles[$0] }, &numbers)
      #expect(
        try index.identifiers(at: point).sorted() == measured.identifiers(at: point),
        "\(layout), step \(step), \(point), seed \(GeofenceProof.seed)")
    }
    for identifier in 0..<600 { #expect(index[identifier] == measured.circles[identifier]) }
  }

  @Test("of what a moving thing enters and leaves", arguments: [Layout.cities, .dateLine, .northPole, .everySize])
  func moved(layout: Layout) throws {
    var numbers = SeededNumbers(state: GeofenceProof.seed &+ 2)
    let circles = (0..<400).map { layout.circle($0, &numbers) }
    let index = try GeofenceIndex(circles)
    let measured = MeasuredCircles(circles)
    var inside: [Int] = []
    var previous = layout.point(near: circles, &numbers)
    _ = try index.move(&inside, to: previous)
    for _ in 0..<(GeofenceProof.isFull ? 5_000 : 200) {
      let point = layout.point(near: circles, &numbers)
      let (before, after) = (Set(measured.identifiers(at: previous)), Set(measured.identifiers(at: point)))
      let byPlace = try index.changes(from: previous, to: point)
      let bySet = try index.move(&inside, to: point)
      #expect(byPlace == bySet)
      #expect(bySet.entered.sorted() == after.subtracting(before).sorted())
      #expect(bySet.left.sorted() == before.subtracting(after).sorted())
      #expect(inside.sorted() == after.sorted())
      previous = point
    }
  }
}
